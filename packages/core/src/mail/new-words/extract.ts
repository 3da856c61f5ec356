import type { Extraction, ExtractionMethod } from "../../model/read-mail.ts";
import { type Sender, type Signer, signerOf } from "./closing.ts";
import { isForward } from "./forward.ts";
import { newPartOf } from "./history.ts";
import { htmlLines } from "./html-lines.ts";
import { parseHtml } from "./html-parse.ts";
import { pruneHtml } from "./html-prune.ts";
import { MAX_PASSES } from "./limits.ts";
import { isBlank, type Line } from "./line.ts";
import { safeHtml } from "./safe-html.ts";
import { isRule, withoutSignature } from "./signature.ts";
import { textLines, withinLimits } from "./text-lines.ts";

export type { Sender } from "./closing.ts";
export { previewOf } from "./preview.ts";

/** A mail's bodies. `sender` is its From; without it a closing ("Thanks, / Ada") stays in the text. */
export interface ExtractableMail {
  text: string;
  html: string | null;
  subject: string;
  is_reply: boolean;
  sender?: Sender | undefined;
}

const CONFIDENCE: Readonly<Record<ExtractionMethod, number>> = {
  client_markup: 0.98,
  reply_header: 0.95,
  marker: 0.95,
  header_block: 0.93,
  quote: 0.9,
  forward: 0.9,
  only_quote: 0.8,
  inline_reply: 0.8,
  signature: 0.8,
  whole: 0.95,
};
const CONFIDENCE_IN_WHOLE_REPLY = 0.7;

interface Reduced<L extends Line> {
  kept: L[];
  /** Lines that were left out as parts of a signature. */
  signature: ReadonlySet<L>;
  method: ExtractionMethod;
}

/** What a line of a mail is to its reader: new, or not shown because it was quoted or is part of a signature. */
export type LineRole = "new" | "quoted" | "signature";

/**
 * The role of each line, by the rules of `extractNewText`. Blank lines that are left out are quoted. Linear.
 */
export function rolesOf<L extends Line>(
  lines: readonly L[],
  { subject, sender }: Pick<ExtractableMail, "subject" | "sender">,
): LineRole[] {
  const { kept, signature } = reduced(lines, subject, signerOf(sender));
  const shown = new Set(kept);
  return lines.map((line) => (shown.has(line) ? "new" : signature.has(line) ? "signature" : "quoted"));
}

/**
 * Extracts the new part of a mail, without quoted history and signature. A forwarded mail keeps its content;
 * answers between and below quotes stay; a mail that is only a quote stays whole; one that is only "On …
 * wrote:" and its quote is empty. Never throws; linear. `extracted_html` is a `safeHtml`.
 */
export function extractNewText(mail: ExtractableMail): Extraction {
  const parsed = mail.html === null ? null : parseHtml(mail.html);
  const shown = parsed === null ? [] : htmlLines(parsed.root);
  const signer = signerOf(mail.sender);
  const fromHtml = reduced(shown, mail.subject, signer);
  const { head, rest } = withinLimits(mail.text);
  const written = textLines(head);
  const fromText = reduced(written, mail.subject, signer);
  const useHtml = mail.html !== null && (written.every(isBlank) || seesMore(fromHtml, fromText));
  const result = useHtml ? fromHtml : fromText;
  const source = useHtml ? textOf(shown) : textOf(written) + rest;
  const extracted_text =
    useHtml || rest === "" || inHistory(fromText, written)
      ? textOf(result.kept)
      : (textOf(result.kept) + rest).trim();
  return {
    extracted_text,
    extracted_html: parsed === null ? null : safeHtml(pruneHtml(parsed, shown, new Set(fromHtml.kept))),
    method: result.method,
    confidence:
      result.method === "whole" && mail.is_reply ? CONFIDENCE_IN_WHOLE_REPLY : CONFIDENCE[result.method],
    removed_chars: Math.max(0, source.length - extracted_text.length),
    own_words: hasOwnWords(result.kept) || (!useHtml && rest !== ""),
  };
}

/**
 * HTML as readable plain text: lists and cells are marked, links become their text, hidden elements are
 * omitted. Never throws; linear.
 */
export function htmlToText(html: string): string {
  return textOf(htmlLines(parseHtml(html).root));
}

function reduced<L extends Line>(lines: readonly L[], subject: string, signer: Signer): Reduced<L> {
  let kept = [...lines];
  let method: ExtractionMethod = "whole";
  const signature = new Set<L>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    if (isForward(subject, kept)) return { kept, signature, method: method === "whole" ? "forward" : method };
    const part = newPartOf(kept);
    const fresh = kept.flatMap((_, index) => (part.keep[index] ? [index] : []));
    const signed = withoutSignature(kept, fresh, signer);
    if (signed.length < fresh.length) {
      const unsigned = new Set(signed);
      for (const index of fresh) if (!unsigned.has(index)) signature.add(kept[index] as L);
    }
    const next = joined(kept, signed);
    if (part.method !== "whole" && method !== part.method && (method === "whole" || method === "signature"))
      method = part.method;
    if (next.length === kept.length) break;
    if (method === "whole" && filled(next) < filled(kept)) method = "signature";
    kept = next;
  }
  return { kept, signature, method };
}

function hasOwnWords(kept: readonly Line[]): boolean {
  const first = kept.find((line) => !isBlank(line));
  // A signature with nothing above it stays in the text.
  if (first === undefined || isRule(first)) return false;
  return kept.some((line) => !isBlank(line) && !line.quoted && !line.signature);
}

// One blank line is enough where something was removed.
function joined<L extends Line>(lines: readonly L[], kept: readonly number[]): L[] {
  const out: L[] = [];
  let last = -1;
  for (const index of kept) {
    const line = lines[index] as L;
    if (index !== last + 1 && isBlank(line) && isBlank(out.at(-1))) continue;
    out.push(line);
    last = index;
  }
  return out;
}

/** Whether the last line that was read is history: then everything after it is too. */
function inHistory(result: Reduced<Line>, lines: readonly Line[]): boolean {
  const cut = ["reply_header", "header_block", "marker", "quote"].includes(result.method);
  return cut && lines.findLast((line) => !isBlank(line)) !== result.kept.findLast((line) => !isBlank(line));
}

/** The text part shows no history, but the client marked some in the HTML part. */
function seesMore(fromHtml: Reduced<Line>, fromText: Reduced<Line>): boolean {
  const unseen = fromText.method === "whole" || fromText.method === "signature";
  const marked =
    fromHtml.method === "client_markup" || fromHtml.method === "quote" || fromHtml.method === "reply_header";
  return unseen && marked && filled(fromHtml.kept) > 0;
}

function textOf(lines: readonly Line[]): string {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start]?.text === "") start += 1;
  while (end > start && lines[end - 1]?.text === "") end -= 1;
  return lines
    .slice(start, end)
    .map((line) => line.text)
    .join("\n");
}

function filled(lines: readonly Line[]): number {
  return lines.reduce((count, line) => (isBlank(line) ? count : count + 1), 0);
}
