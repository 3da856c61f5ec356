import type { ParentText } from "../../../model/read-mail.ts";
import { kindsIn } from "../header-block.ts";
import { MAX_COMPARED_CHARS, MAX_PARENT_CHARS, MAX_PARENT_WORDS } from "../limits.ts";
import type { Line } from "../line.ts";
import { replyHeaderAt } from "../reply-header.ts";

/** The lines of a reply as the parent's text identifies them, by index. */
export interface ParentLines {
  /** Lines that the parent contains, whatever their form. */
  quoted: ReadonlySet<number>;
  /** Lines between or below these that the parent lacks: somebody wrote them into the quote. */
  answers: ReadonlySet<number>;
}

/** The result for a reply whose parent isn't known. */
export const NO_PARENT: ParentLines = { quoted: new Set(), answers: new Set() };

/** The number of consecutive words compared: their numbers fit into one exact number. */
const RUN = 3;
/** A line is the parent's if at most this share of its words is foreign, and not too many of them in a row. */
const STRANGE_SHARE = 0.2;
const STRANGE_IN_A_ROW = 3;
/** The parent's own words that consecutive lines must repeat: the writer may have used a few of them too. */
const OWN_WORDS = 8;
/** The parent's own words that a reply must repeat in all, as a number or a share: one cited sentence is no history. */
const MANY_OWN_WORDS = 30;
const OWN_SHARE = 0.5;

// A word, or a character of a script without spaces between words.
const WORDS =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]|[[\p{L}\p{M}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]]+/gv;
// Gateways rewrite links, and clients write them twice.
const LINKS = /(?:https?:\/\/|mailto:|www\.)[^\s<>"]+/gi;

const ALL = 1;
/** The mark of the parent's own words, which are part of its whole text. */
const OWN = 3;

/**
 * Compares a reply with the answered mail in runs of three words: linear, at most MAX_COMPARED_CHARS of the reply with
 * MAX_PARENT_CHARS of the parent. Wrapping, quote marks and links make no difference.
 */
export function parentLines(lines: readonly Line[], index: ParentIndex): ParentLines {
  if (index.own_words < OWN_WORDS) return NO_PARENT;
  const found = compare(lines, index);
  if (found.own < Math.min(MANY_OWN_WORDS, OWN_SHARE * index.own_words)) return NO_PARENT;
  const quoted = new Set<number>();
  for (let at = 0; at < lines.length; ) {
    if (found.lines[at]?.is_parents !== true) {
      at += 1;
      continue;
    }
    const end = runEnd(found.lines, at);
    const run = [...Array(end - at).keys()].map((offset) => at + offset);
    const own = run.reduce((sum, line) => sum + (found.lines[line]?.own ?? 0), 0);
    if (own >= OWN_WORDS) for (const line of run) quoted.add(line);
    at = end;
  }
  return { quoted, answers: answersIn(lines, found) };
}

/** The runs of words of a parent. */
export interface ParentIndex {
  ids: ReadonlyMap<string, number>;
  /** Runs of words and, as text, whole lines that are shorter than a run. */
  runs: ReadonlyMap<number | string, number>;
  own_words: number;
  /** The run or line that the parent ends with; undefined when not all of it was read. */
  last: number | string | undefined;
}

/** Reads the answered mail, once for both bodies of a reply. */
export function parentIndex({ text, new_text }: ParentText): ParentIndex {
  const ids = new Map<string, number>();
  const runs = new Map<number | string, number>();
  const own = addWords(ids, runs, withoutQuotes(new_text), OWN);
  const all =
    text === new_text && (!text.includes(">") || !QUOTED.test(text)) ? own : addWords(ids, runs, text, ALL);
  return { ids, runs, own_words: own.words, last: all.last };
}

// Quotes in an agent's own mail aren't its own words.
const QUOTED = /^ {0,3}>/m;
const withoutQuotes = (text: string): string =>
  text.includes(">") && QUOTED.test(text)
    ? text
        .split("\n")
        .filter((line) => !QUOTED.test(line))
        .join("\n")
    : text;

function addWords(
  ids: Map<string, number>,
  runs: Map<number | string, number>,
  text: string,
  flag: number,
): { words: number; last: ParentIndex["last"] } {
  const add = (key: number | string): number | string => {
    runs.set(key, (runs.get(key) ?? 0) | flag);
    return key;
  };
  const numbers: number[] = [];
  let last: ParentIndex["last"];
  for (const line of text.slice(0, MAX_PARENT_CHARS).split("\n")) {
    const words = wordsIn(line);
    if (words.length === 0) continue;
    if (numbers.length + words.length > MAX_PARENT_WORDS) return { words: numbers.length, last: undefined };
    for (const word of words) {
      const id = ids.get(word) ?? ids.size + 1;
      ids.set(word, id);
      numbers.push(id);
      if (numbers.length >= RUN) last = add(keyAt(numbers, numbers.length - RUN));
    }
    if (words.length < RUN) last = add(words.join(" "));
  }
  return { words: numbers.length, last: text.length > MAX_PARENT_CHARS ? undefined : last };
}

interface Compared {
  lines: readonly ({ is_parents: boolean; own: number } | undefined)[];
  /** The number of the parent's own words that were found. */
  own: number;
  /** The parent's last words were found. */
  to_the_end: boolean;
}

/** Compares each line; undefined for lines without words, and for those too far down. */
function compare(lines: readonly Line[], { ids, runs, last }: ParentIndex): Compared {
  const numbers: number[] = [];
  const starts: number[] = [];
  const short: { at: number; words: readonly string[] }[] = [];
  let chars = 0;
  for (const { text } of lines) {
    starts.push(numbers.length);
    chars += text.length;
    const words = chars > MAX_COMPARED_CHARS ? [] : wordsIn(text);
    if (words.length > 0 && words.length < RUN) short.push({ at: numbers.length, words });
    for (const word of words) numbers.push(ids.get(word) ?? 0);
  }
  starts.push(numbers.length);
  const found = new Uint8Array(numbers.length);
  let to_the_end = false;
  for (const { at, words } of short) {
    const key = words.join(" ");
    to_the_end ||= key === last;
    found.fill(runs.get(key) ?? 0, at, at + words.length);
  }
  for (let at = 0; at + RUN <= numbers.length; at += 1) {
    if (numbers[at] === 0 || numbers[at + 1] === 0 || numbers[at + 2] === 0) continue;
    const key = keyAt(numbers, at);
    const flags = runs.get(key) ?? 0;
    to_the_end ||= key === last;
    for (let word = at; word < at + RUN; word += 1) found[word] = (found[word] as number) | flags;
  }
  const judged = lines.map((_, line) => judge(found, starts[line] as number, starts[line + 1] as number));
  return { lines: judged, own: judged.reduce((sum, line) => sum + (line?.own ?? 0), 0), to_the_end };
}

function judge(
  found: Uint8Array,
  from: number,
  to: number,
): { is_parents: boolean; own: number } | undefined {
  if (from === to) return undefined;
  let strange = 0;
  let row = 0;
  let longest = 0;
  let own = 0;
  for (let word = from; word < to; word += 1) {
    const flags = found[word] as number;
    if (flags === OWN) own += 1;
    row = flags === 0 ? row + 1 : 0;
    strange += flags === 0 ? 1 : 0;
    longest = Math.max(longest, row);
  }
  const is_parents = strange <= STRANGE_SHARE * (to - from) && longest <= STRANGE_IN_A_ROW;
  return { is_parents, own: is_parents ? own : 0 };
}

/** Returns the end of a run of the parent's lines, including lines without words between them. */
function runEnd(lines: Compared["lines"], start: number): number {
  let end = start;
  for (let at = start; at < lines.length && lines[at]?.is_parents !== false; at += 1)
    if (lines[at] !== undefined) end = at + 1;
  return end;
}

/** Finds foreign lines that have the parent's own on both sides, or follow its last words. */
function answersIn(lines: readonly Line[], found: Compared): ReadonlySet<number> {
  const answers = new Set<number>();
  let above = false;
  let open: number[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = found.lines[at];
    if (line === undefined) continue;
    if (line.is_parents) {
      if (above && line.own > 0) for (const each of open) answers.add(each);
      above = line.own > 0;
      open = [];
    } else open.push(at);
  }
  if (above && found.to_the_end) for (const each of open) answers.add(each);
  const isHeader = [...answers].some(
    (at) => replyHeaderAt(lines, at) > 0 || kindsIn(lines[at] as Line) !== undefined,
  );
  return isHeader ? new Set() : answers;
}

const keyAt = (numbers: readonly number[], at: number): number =>
  ((numbers[at] as number) * BASE + (numbers[at + 1] as number)) * BASE + (numbers[at + 2] as number);
/** More than the words of both texts of a parent; its third power is still exact. */
const BASE = 2 * MAX_PARENT_WORDS + 2;

// Most lines are plain; looking for scripts takes far longer.
const PLAIN = /^[\n -~]*$/;

function wordsIn(text: string): readonly string[] {
  const said = text.includes("://") || /mailto:|www\./i.test(text) ? text.replace(LINKS, " ") : text;
  if (PLAIN.test(said)) return said.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return said.normalize("NFKC").toLowerCase().match(WORDS) ?? [];
}
