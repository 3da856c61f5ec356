import type { Extraction, ExtractionMethod, ParentText } from "../../model/read-mail.ts";
import { linesWithLinks, linkList } from "../links/shown-links.ts";
import { safeHtml } from "../rendered-html/safe-html.ts";
import { announcesAnswers, markedAnswers } from "./answers/marked-answers.ts";
import { NO_PARENT, type ParentIndex, parentIndex, parentLines } from "./answers/parent-words.ts";
import { type Sender, type Signer, signerOf } from "./closing.ts";
import { answersNone, forwardsSilently, isForward, saysForward } from "./forward.ts";
import { newPartOf } from "./history.ts";
import { htmlLines } from "./html-lines.ts";
import { parseHtml, SHOWN_ATTRIBUTES } from "./html-parse.ts";
import { pruneHtml } from "./html-prune.ts";
import { MAX_PASSES } from "./limits.ts";
import { isBlank, type Line, withoutMarks } from "./line.ts";
import { isRule, withoutSignature } from "./signature.ts";
import { textLines, withinLimits } from "./text-lines.ts";

export type { Sender } from "./closing.ts";
export { previewOf } from "./preview.ts";

/**
 * A mail's bodies. `sender` is its From; without it, a closing ("Thanks, / Ada") stays in the text. `parent_text` is
 * the answered mail, if it is stored: whatever the reply repeats of it is a quote, regardless of its form.
 * `takes_answers` also keeps answers written into the quote, as the answered mail's text tells them; only for mail whose
 * author has no authority, because a hostile mail's quote may show text that its stored text doesn't. Without it, they
 * are kept where marks of their author tell them (`from_quote`); where it is false, never.
 */
export interface ExtractableMail {
  text: string;
  html: string | null;
  subject: string;
  is_reply: boolean;
  sender?: Sender | undefined;
  parent_text?: ParentText | undefined;
  takes_answers?: boolean | undefined;
}

/** The evidence besides its bodies for which words of a mail are new. */
type ReplyToRead = Pick<ExtractableMail, "subject" | "is_reply" | "sender" | "parent_text" | "takes_answers">;

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
/** Its own words say that the answers are in the old text, and none were found there. */
const CONFIDENCE_WITHOUT_ANSWERS = 0.4;

interface Reduced<L extends Line> {
  kept: L[];
  /** Lines that were left out as parts of a signature. */
  signature: ReadonlySet<L>;
  method: ExtractionMethod;
  /** Replacements for lines whose quote mark was lost, or that were written into a quote. */
  shown?: ReadonlyMap<L, L>;
  /** Lines were taken from the old text by the marks of their author alone. */
  from_quote?: boolean;
}

/** The role of a line for a mail's reader: new, or hidden as part of a quote or signature. */
export type LineRole = "new" | "quoted" | "signature";

/**
 * Returns the role of each line, by the rules of `extractNewText`. Omitted blank lines count as quoted, and so do lines
 * of the answered mail that `extractNewText` shows as a quote above an answer. Linear.
 */
export function rolesOf(lines: readonly Line[], mail: ReplyToRead): LineRole[] {
  const { kept, signature, shown } = newPart(lines, mail, signerOf(mail.sender), parentOf(mail));
  const fresh = new Set(kept.filter((line) => shown?.get(line)?.quoted !== true));
  return lines.map((line) => (fresh.has(line) ? "new" : signature.has(line) ? "signature" : "quoted"));
}

/**
 * Extracts the new part of a mail, without quoted history and signature. A forwarded mail keeps its content;
 * answers between and below quotes stay; a mail that is only a quote stays whole; one that is only "On …
 * wrote:" and its quote is empty. Never throws; linear. `extracted_html` is a `safeHtml`.
 */
export function extractNewText(mail: ExtractableMail): Extraction {
  const parsed = mail.html === null ? null : parseHtml(mail.html, SHOWN_ATTRIBUTES);
  const shown = parsed === null ? [] : htmlLines(parsed.root);
  const signer = signerOf(mail.sender);
  const parent = parentOf(mail);
  const fromHtml = newPart(shown, mail, signer, parent);
  const { head, rest } = withinLimits(mail.text);
  const written = textLines(head);
  const fromText = newPart(written, mail, signer, parent);
  const useHtml = mail.html !== null && (written.every(isBlank) || seesMore(fromHtml, fromText));
  const result = useHtml ? fromHtml : fromText;
  const source = useHtml ? textOf(shown) : textOf(written) + rest;
  // A text from which nothing was removed needn't be put together again.
  const is_whole = result.shown === undefined && result.kept.length === (useHtml ? shown : written).length;
  const kept = is_whole && rest === "" ? source : textOf(asShown(result));
  const new_text = useHtml || rest === "" || inHistory(fromText, written) ? kept : (kept + rest).trim();
  const list = linkList();
  const linked = parsed === null ? [] : linesWithLinks(parsed.root, asShown(fromHtml), list);
  list.addText(new_text);
  return {
    extracted_text: useHtml ? joinedText(linked) : new_text,
    extracted_html: parsed === null ? null : safeHtml(pruneHtml(parsed, shown, new Set(fromHtml.kept))),
    method: result.method,
    confidence: confidenceOf(result, mail),
    removed_chars: Math.max(0, source.length - new_text.length),
    own_words: hasOwnWords(asShown(result)) || (!useHtml && rest !== ""),
    from_quote: result.from_quote === true,
    links: list.links,
  };
}

function confidenceOf({ method, kept }: Reduced<Line>, { is_reply }: ExtractableMail): number {
  if (method === "whole") return is_reply ? CONFIDENCE_IN_WHOLE_REPLY : CONFIDENCE.whole;
  const removes_old_text = method !== "inline_reply" && method !== "forward" && method !== "signature";
  return removes_old_text && announcesAnswers(kept) ? CONFIDENCE_WITHOUT_ANSWERS : CONFIDENCE[method];
}

/**
 * HTML as readable plain text: lists and cells are marked, links become their text, hidden elements are
 * omitted. Never throws; linear.
 */
export function htmlToText(html: string): string {
  return textOf(htmlLines(parseHtml(html).root));
}

const parentOf = ({ subject, parent_text }: ReplyToRead): ParentIndex | undefined =>
  parent_text === undefined || saysForward(subject) ? undefined : parentIndex(parent_text);

function newPart<L extends Line>(
  lines: readonly L[],
  mail: ReplyToRead,
  signer: Signer,
  parent: ParentIndex | undefined,
): Reduced<L> {
  const { takes_answers = false } = mail;
  const { quoted, answers } = parent === undefined ? NO_PARENT : parentLines(lines, parent);
  if (quoted.size === 0) return newPartAlone(lines, mail, signer);
  const alone = keptWithoutParent(lines, mail, signer);
  const keptAlone = new Set<Line>(alone.kept);
  const unmarked = lines.some((line, at) => quoted.has(at) && !line.quoted && keptAlone.has(line));
  if (!unmarked && !(takes_answers && answers.size > 0)) return alone;
  const shown = new Map<L, L>();
  const marked = lines.map((line, at) => {
    if (!quoted.has(at) || line.quoted) return line;
    const quote = { ...line, text: `> ${line.text}`, quoted: true, answered: true };
    shown.set(line, quote);
    return quote;
  });
  const compared = reduced(marked, mail, signer, false);
  // Only lines that both comparisons keep are kept, so that a hostile parent can't turn quoted words into the writer's.
  const kept = new Set<Line>(compared.kept);
  const fresh = lines.flatMap((line, at) => (kept.has(marked[at] as L) && keptAlone.has(line) ? [at] : []));
  const taken = takes_answers ? answersTaken(lines, { quoted, answers }, shown, new Set(fresh)) : [];
  const all = [...fresh, ...taken].toSorted((a, b) => a - b);
  const result = {
    kept: joined(lines, all),
    signature: alone.signature,
    method: taken.length > 0 ? ("inline_reply" as const) : methodOf(alone, compared, fresh.length),
    shown,
  };
  return hasOwnWords(asShown(result)) ? result : alone;
}

function newPartAlone<L extends Line>(lines: readonly L[], mail: ReplyToRead, signer: Signer): Reduced<L> {
  const alone = reduced(lines, mail, signer, true);
  return (mail.takes_answers === false ? undefined : withMarkedAnswers(lines, mail, signer, alone)) ?? alone;
}

/** The new part of a mail that is known to quote its parent, of which nothing is new only because of that. */
function keptWithoutParent<L extends Line>(
  lines: readonly L[],
  mail: ReplyToRead,
  signer: Signer,
): Reduced<L> {
  // "See below" above the mail that it answers forwards nothing.
  const alone = reduced(lines, mail, signer, false);
  const without = newPartAlone(lines, mail, signer);
  const keptWithout = new Set<Line>(without.kept);
  const both = { ...alone, kept: alone.kept.filter((line) => keptWithout.has(line)) };
  return hasOwnWords(alone.kept) && !hasOwnWords(both.kept) ? without : both;
}

/** Adds the answers that their author's marks tell in unmarked old text; undefined if there are none. */
function withMarkedAnswers<L extends Line>(
  lines: readonly L[],
  { is_reply, subject }: ReplyToRead,
  signer: Signer,
  alone: Reduced<L>,
): Reduced<L> | undefined {
  if (!is_reply || saysForward(subject) || alone.method === "whole" || alone.method === "forward")
    return undefined;
  const keptAlone = new Set<Line>(alone.kept);
  const ownAbove = (start: number) => lines.slice(0, start).filter((line) => keptAlone.has(line));
  const found = markedAnswers(lines, ownAbove, signer);
  if (found === undefined) return undefined;
  const { start, answers, asked } = found;
  const fresh = [...lines.keys()].filter((at) => at < start && keptAlone.has(lines[at] as L));
  const shown = new Map<L, L>();
  for (const at of asked) {
    const line = lines[at] as L;
    shown.set(line, { ...line, text: line.quoted ? line.text : `> ${line.text}`, quoted: true });
  }
  for (const at of answers) shown.set(lines[at] as L, asAnswer(lines[at] as L));
  const all = [...new Set([...fresh, ...asked, ...answers])].toSorted((a, b) => a - b);
  return { ...alone, kept: joined(lines, all), method: "inline_reply", shown, from_quote: true };
}

const asAnswer = <L extends Line>(line: L): L => ({
  ...line,
  text: withoutMarks(line.text),
  quoted: false,
  history: false,
});

function methodOf(alone: Reduced<Line>, compared: Reduced<Line>, kept: number): ExtractionMethod {
  return kept === alone.kept.length && compared.kept.length === kept ? alone.method : compared.method;
}

/** Returns the answers that were written into a quote, each with the line above it. */
function answersTaken<L extends Line>(
  lines: readonly L[],
  { quoted, answers }: { quoted: ReadonlySet<number>; answers: ReadonlySet<number> },
  shown: Map<L, L>,
  kept: ReadonlySet<number>,
): number[] {
  const taken = [...answers].filter((at) => !kept.has(at));
  const asked = taken.flatMap((at) => {
    let above = at - 1;
    while (above >= 0 && isBlank(lines[above])) above -= 1;
    return quoted.has(above) && !kept.has(above) ? [above] : [];
  });
  for (const at of taken) shown.set(lines[at] as L, asAnswer(lines[at] as L));
  return [...new Set([...taken, ...asked])];
}

const asShown = <L extends Line>({ kept, shown }: Reduced<L>): readonly L[] =>
  shown === undefined ? kept : kept.map((line) => shown.get(line) ?? line);

function reduced<L extends Line>(
  lines: readonly L[],
  mail: ReplyToRead,
  signer: Signer,
  forwards: boolean,
): Reduced<L> {
  let kept = [...lines];
  let method: ExtractionMethod = "whole";
  const signature = new Set<L>();
  const chosen = new Set<Line>();
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    if (forwards && isForward(mail.subject, kept))
      return { kept, signature, method: method === "whole" ? "forward" : method };
    const part = newPartOf(kept, answersNone(mail), chosen);
    for (const line of part.chosen) chosen.add(line);
    if (forwards && pass === 0 && forwardsSilently(mail, kept, part.keep))
      return { kept, signature, method: "forward" };
    const fresh: number[] = [];
    for (let index = 0; index < kept.length; index += 1) if (part.keep[index]) fresh.push(index);
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

// Joins the kept lines; one blank line is enough where lines were removed.
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

/** Whether the last line that was read is history, and therefore everything after it. */
function inHistory(result: Reduced<Line>, lines: readonly Line[]): boolean {
  const cut = ["reply_header", "header_block", "marker", "quote"].includes(result.method);
  return cut && lines.findLast((line) => !isBlank(line)) !== result.kept.findLast((line) => !isBlank(line));
}

/** Whether the client marked history in the HTML part while the text part shows none. */
function seesMore(fromHtml: Reduced<Line>, fromText: Reduced<Line>): boolean {
  const unseen = fromText.method === "whole" || fromText.method === "signature";
  const marked =
    fromHtml.method === "client_markup" || fromHtml.method === "quote" || fromHtml.method === "reply_header";
  return unseen && marked && filled(fromHtml.kept) > 0;
}

const textOf = (lines: readonly Line[]): string => joinedText(lines.map(({ text }) => text));

function joinedText(lines: readonly string[]): string {
  let start = 0;
  let end = lines.length;
  while (start < end && lines[start] === "") start += 1;
  while (end > start && lines[end - 1] === "") end -= 1;
  return lines.slice(start, end).join("\n");
}

function filled(lines: readonly Line[]): number {
  return lines.reduce((count, line) => (isBlank(line) ? count : count + 1), 0);
}
