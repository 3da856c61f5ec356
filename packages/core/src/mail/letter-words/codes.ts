import type { ReadMail } from "../../model/read-mail.ts";
import { mapTexts } from "./map-texts.ts";
import { CODE_REMOVED } from "./strike.ts";

/** A number of six digits alone, also as people and programs write it: in two halves, or with invisible signs. */
const SIX_DIGITS = /(?<![\d.,])\d{3}(?:[ \u00a0\u00ad\u200b-\u200d\u2060-]|&nbsp;)?\d{3}(?![\d]|[.,]\d)/g;

type Mail = Omit<ReadMail, "struck">;
type Texts = Pick<Mail, "subject" | "text" | "html"> & {
  extraction: Pick<Mail["extraction"], "extracted_text">;
};

/** The first `limit` six-digit numbers that stand alone in a mail's subject and bodies, without repeats. */
export function sixDigitsIn({ subject, text, html, extraction }: Texts, limit: number): string[] {
  const codes = new Set<string>();
  for (const each of [subject, text, html ?? "", extraction.extracted_text])
    for (const [code] of each.matchAll(SIX_DIGITS)) {
      codes.add(code.replace(/\D/g, ""));
      if (codes.size === limit) return [...codes];
    }
  return [...codes];
}

/** A mail without six-digit numbers that stand alone. */
export const removeCodes = (mail: Mail): Mail =>
  mapTexts(mail, (text) => text.replace(SIX_DIGITS, CODE_REMOVED));
