import type { ReadMail } from "../../model/read-mail.ts";
import { mapTexts } from "./map-texts.ts";
import { CODE_REMOVED } from "./strike.ts";

/** A number of six digits alone, also as people and programs write it: in two halves, or with invisible signs. */
const SIX_DIGITS = /(?<![\d.,])\d{3}(?:[ \u00a0\u00ad\u200b-\u200d\u2060-]|&nbsp;)?\d{3}(?![\d]|[.,]\d)/g;

type Mail = Omit<ReadMail, "struck">;

/** The six-digit numbers that stand alone in a mail's subject and bodies, without repeats. */
export function sixDigitsIn({ subject, text, html, extraction }: Mail): string[] {
  const texts = [subject, text, html ?? "", extraction.extracted_text];
  const codes = texts.flatMap((each) =>
    (each.match(SIX_DIGITS) ?? []).map((code) => code.replace(/\D/g, "")),
  );
  return [...new Set(codes)];
}

/** A mail without six-digit numbers that stand alone. */
export const removeCodes = (mail: Mail): Mail =>
  mapTexts(mail, (text) => text.replace(SIX_DIGITS, CODE_REMOVED));
