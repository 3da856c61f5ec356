import { decodeHTML } from "../entities.ts";
import { type HtmlView, viewHtml } from "../screening/signals/html-view.ts";
import { foldLetters } from "./fold.ts";
import { MAX_RUN_CHARS } from "./run-limit.ts";

/** So many words in a row that are the same in two texts come from one of them. */
const RUN_WORDS = 25;
/** Every run of `RUN_WORDS` has a whole block of so many words, wherever the blocks of its text begin. */
const BLOCK_WORDS = 13;

/** Scripts without blanks between words: each character is read by itself, and two count as a word. */
const UNSPACED =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const WORD = new RegExp(`[${UNSPACED}]|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, "gv");
const UNSPACED_CHARACTER = new RegExp(`^[${UNSPACED}]$`, "u");
const ASCII_WORD = /[a-z0-9]+/g;
const ASCII = /^[\0-\x7f]*$/;

/** The words of a text, however it is quoted, broken into lines, capitalised or punctuated. */
export function wordsOf(text: string): string[] {
  const plain = decodeHTML(text.slice(0, MAX_RUN_CHARS));
  if (ASCII.test(plain)) return plain.toLowerCase().match(ASCII_WORD) ?? [];
  return foldLetters(plain).match(WORD) ?? [];
}

const blockAt = (words: readonly string[], at: number): string => words.slice(at, at + BLOCK_WORDS).join(" ");

/**
 * The blocks of words by which a run of texts that came in is found again: those of the first text, one after the
 * other, and of the further ones those that no text before has anywhere.
 */
export function blocksOf(texts: readonly string[]): string[] {
  const blocks = new Set<string>();
  const known = new Set<string>();
  for (const [nth, text] of texts.entries()) {
    const words = wordsOf(text);
    for (let at = 0; at + BLOCK_WORDS <= words.length; at += BLOCK_WORDS) {
      const block = blockAt(words, at);
      if (!known.has(block)) blocks.add(block);
    }
    if (nth === texts.length - 1) break;
    for (const block of blocksAnywhere(words)) known.add(block);
  }
  return [...blocks];
}

/** The blocks that texts which are to leave may share with others: at every word. */
export const blocksToFind = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => blocksAnywhere(wordsOf(text)))),
];

const blocksAnywhere = (words: readonly string[]): string[] =>
  Array.from({ length: Math.max(0, words.length - BLOCK_WORDS + 1) }, (_, at) => blockAt(words, at));

/** All words of HTML, shown and hidden. */
export const allWordsOf = ({ visible, hidden }: Pick<HtmlView, "visible" | "hidden">): string =>
  [visible, ...hidden.map(({ text }) => text)].join("\n");

/** The texts of a mail as those are compared: of its HTML the words. */
export const textsOf = (texts: readonly string[], html: string | null): string[] =>
  html === null ? [...texts] : [...texts, allWordsOf(viewHtml(html.slice(0, MAX_RUN_CHARS)))];

/** A mail whose words may be in what is to leave. */
export interface RunSource {
  /** Its texts; null if they are gone, and only some of its blocks are known. */
  texts: readonly string[] | null;
  html: string | null;
  blocks: readonly string[];
  at: string;
  /** The sending inbox wrote it. */
  own: boolean;
  /** Whose authenticated mail from outside it is; null for other mail. */
  organisation: string | null;
  /** Which of the recipients have it already, by their places. */
  had_by: readonly number[];
}

/** What is to leave, the mails whose words may be in it, and how many recipients it has. */
export interface RunsToCheck {
  texts: readonly string[];
  sources: readonly RunSource[];
  recipients: number;
}

/** Words of a mail that somebody would get who wasn't on it. */
export interface RunElsewhere {
  /** The place of the mail among the sources. */
  source: number;
  /** How the run begins. */
  begins: string;
}

/** Words that so many organisations wrote are nobody's. */
const COMMON_TO = 3;
const SHOWN_WORDS = 8;

/**
 * Finds the runs of mails that a recipient would get who has none of the mails that hold them. Not: what the sending
 * inbox wrote before the mail came, what several organisations wrote, and what a mail before it in the list has too and
 * is found for. Time grows with the length of the texts.
 */
export function runsElsewhere({ texts, sources: given, recipients }: RunsToCheck): RunElsewhere[] {
  const places: number[] = [];
  const sources = given.flatMap((source, nth) => {
    const both = withoutTexts(source);
    for (const _ of both) places.push(nth);
    return both;
  });
  const found = elsewhereOf({ texts, sources, recipients });
  const named = found.map(({ source, begins }) => ({ source: places[source] ?? 0, begins }));
  return named.filter(({ source }, nth) => named.findIndex((each) => each.source === source) === nth);
}

/** Blocks that were noted and aren't in the mail's texts are those of a file: they count as if the mail were gone. */
function withoutTexts(source: RunSource): RunSource[] {
  if (source.texts === null || source.blocks.length === 0) return [source];
  const known = runsOf(textsOf(source.texts, source.html), BLOCK_WORDS);
  const blocks = source.blocks.filter((block) => !known.has(block));
  return blocks.length === 0 ? [source] : [source, { ...source, texts: null, html: null, blocks }];
}

function elsewhereOf({ texts, sources, recipients }: RunsToCheck): RunElsewhere[] {
  // A mark between two texts, so that no run goes from one to the next.
  const words = texts.flatMap((text, nth) => [...wordsOf(text), `\n${nth}`]);
  const weights = words.map((word) => (UNSPACED_CHARACTER.test(word) ? 0.5 : 1));
  const covered = sources.map((source) => coveredBy(words, source));
  const common = commonIn(words.length, sources, covered);
  const had = Array.from({ length: recipients }, (_, recipient) =>
    joined(words.length, common, ...covered.filter((_c, nth) => sources[nth]?.had_by.includes(recipient))),
  );
  // Of mails with the same words one says enough.
  let told = NONE;
  return sources.flatMap((source, nth) => {
    const mine = covered[nth];
    if (source.own || mine === undefined || mine.count === 0) return [];
    const written = covered.filter((_c, other) => isBefore(sources[other], source));
    const gone = source.texts === null;
    for (let recipient = 0; recipient < recipients; recipient++) {
      if (source.had_by.includes(recipient)) continue;
      const excused = joined(words.length, had[recipient] ?? NONE, told, ...written);
      const start = gone ? runIn(mine, excused, ONES, BLOCK_WORDS) : runIn(mine, excused, weights, RUN_WORDS);
      if (start < 0) continue;
      told = joined(words.length, told, mine);
      return [{ source: nth, begins: words.slice(start, start + SHOWN_WORDS).join(" ") }];
    }
    return [];
  });
}

const isBefore = (one: RunSource | undefined, other: RunSource): boolean =>
  one?.own === true && one.at < other.at;

/** Which words something covers. */
interface Cover {
  marks: Uint8Array;
  count: number;
}

/** Every word counts as one. */
const ONES: readonly number[] = [];
const NONE: Cover = { marks: new Uint8Array(0), count: 0 };

function coveredBy(words: readonly string[], { texts, html, blocks }: RunSource): Cover {
  const length = texts === null ? BLOCK_WORDS : RUN_WORDS;
  const known = texts === null ? new Set(blocks) : runsOf(textsOf(texts, html), length);
  const marks = new Uint8Array(words.length);
  let marked = 0;
  let count = 0;
  for (let at = 0; at + length <= words.length; at++) {
    if (!known.has(words.slice(at, at + length).join(" "))) continue;
    for (let each = Math.max(at, marked); each < at + length; each++) {
      marks[each] = 1;
      count += 1;
    }
    marked = at + length;
  }
  return { marks, count };
}

/** All runs of a length in the texts of a mail. */
function runsOf(texts: readonly string[], length: number): Set<string> {
  const runs = new Set<string>();
  for (const text of texts) {
    const words = wordsOf(text);
    for (let at = 0; at + length <= words.length; at++) runs.add(words.slice(at, at + length).join(" "));
  }
  return runs;
}

function joined(length: number, ...covers: readonly Cover[]): Cover {
  const some = covers.filter(({ count }) => count > 0);
  if (some.length === 1 && some[0] !== undefined) return some[0];
  const marks = new Uint8Array(length);
  for (const cover of some)
    for (const [at, mark] of cover.marks.entries()) marks[at] = (marks[at] ?? 0) | mark;
  return { marks, count: some.length };
}

/** Marks the words that mails of several organisations have. */
function commonIn(length: number, sources: readonly RunSource[], covered: readonly Cover[]): Cover {
  const byOrganisation = Map.groupBy(
    covered.filter((_, nth) => sources[nth]?.organisation != null),
    (cover) => sources[covered.indexOf(cover)]?.organisation,
  );
  if (byOrganisation.size < COMMON_TO) return NONE;
  const tally = new Uint16Array(length);
  for (const covers of byOrganisation.values())
    for (const [at, mark] of joined(length, ...covers).marks.entries()) tally[at] = (tally[at] ?? 0) + mark;
  const marks = Uint8Array.from(tally, (many) => (many >= COMMON_TO ? 1 : 0));
  return { marks, count: marks.includes(1) ? 1 : 0 };
}

/** Finds the start of so many words in a row that a mail has and nothing excuses; -1 without any. */
function runIn(mine: Cover, excused: Cover, weights: readonly number[], need: number): number {
  let weight = 0;
  let start = 0;
  for (const [at, mark] of mine.marks.entries()) {
    if (mark === 0 || excused.marks[at] === 1) {
      weight = 0;
      start = at + 1;
      continue;
    }
    weight += weights[at] ?? 1;
    if (weight >= need) return start;
  }
  return -1;
}
