import { inAllLanguages } from "../../words/index.ts";
import type { Signer } from "../closing.ts";
import { headerBlockAt } from "../header-block.ts";
import { isBlank, type Line } from "../line.ts";
import { replyHeaderAt } from "../reply-header.ts";

/** Lines of a reply's own words that are searched for the announcement of answers. */
const MAX_ANNOUNCING_LINES = 30;
/** Lines of the old text that are searched for answers. */
const MAX_OLD_LINES = 2_000;
const MAX_MARK_CHARS = 120;
const ANNOUNCES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${inAllLanguages("answers_below").join("|")})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  "u",
);

/** Answers that the author wrote into the old text below the client's header, where nothing marks what is quoted. */
export interface MarkedAnswers {
  /** The first line of the header. */
  start: number;
  answers: readonly number[];
  /** The line above each answer that has one. */
  asked: readonly number[];
}

/** Whether a reply's own words say that its answers are in the old text: "See below, in red". */
export function announcesAnswers(own: readonly Line[]): boolean {
  return own
    .slice(0, MAX_ANNOUNCING_LINES)
    .some((line) => !line.quoted && !line.signature && ANNOUNCES.test(line.bare));
}

/**
 * Finds answers in unmarked old text by the marks that people put before them: their name, as in "[Ada] Yes", more
 * quote marks than any quote has, or one of "=>" and the like. `own`: the words above the old text; unless these
 * announce answers, or there are none, only a name in brackets counts. Undefined if there are no answers. Linear.
 */
export function markedAnswers(
  lines: readonly Line[],
  own: (start: number) => readonly Line[],
  signer: Signer,
): MarkedAnswers | undefined {
  const start = lines.findIndex((line, at) => startsOldText(lines, line, at));
  if (start < 0) return undefined;
  const from = bodyBelow(lines, start);
  const old = oldText(lines, from);
  const above = own(start);
  const expected = announcesAnswers(above) || !above.some((line) => !isBlank(line));
  const answers = answersOf(lines, old, signer, expected);
  if (answers.length === 0) return undefined;
  const taken = new Set(answers);
  const asked = answers.flatMap((at) => {
    const question = filledAbove(lines, at, from);
    return question === undefined || taken.has(question) ? [] : [question];
  });
  return { start, answers, asked };
}

const startsOldText = (lines: readonly Line[], line: Line, at: number): boolean =>
  line.history || (!line.quoted && line.label !== "" && headerBlockAt(lines, at));

/** Returns the first line below the header: after the first blank one. */
function bodyBelow(lines: readonly Line[], start: number): number {
  let at = start;
  while (at < lines.length && isBlank(lines[at])) at += 1;
  while (at < lines.length && !isBlank(lines[at])) at += 1;
  return at;
}

/** Returns the filled lines of the old text, up to the header of an older one. */
function oldText(lines: readonly Line[], from: number): number[] {
  const old: number[] = [];
  for (let at = from; at < lines.length && at < from + MAX_OLD_LINES; at += 1) {
    const line = lines[at] as Line;
    if (isBlank(line)) continue;
    if (line.label !== "" && headerBlockAt(lines, at)) break;
    if (replyHeaderAt(lines, at) > 0) break;
    old.push(at);
  }
  return old;
}

function answersOf(
  lines: readonly Line[],
  old: readonly number[],
  signer: Signer,
  expected: boolean,
): readonly number[] {
  const named = old.filter((at) => nameOf(lines[at] as Line, signer) === "bracketed");
  if (named.length > 0) return named;
  if (!expected) return [];
  const called = old.filter((at) => nameOf(lines[at] as Line, signer) === "called");
  if (called.length > 1) return called;
  const quoted = old.filter((at) => lines[at]?.quoted);
  // Quotes of quotes have the quote around them.
  if (quoted.length > 0 && quoted.every((at) => QUOTE_IN_QUOTE.test((lines[at] as Line).text)))
    return quoted.every((at) => at !== old[0]) ? quoted : [];
  return withOneMark(lines, old);
}

const QUOTE_IN_QUOTE = /^\s*>\s?>/;
const NAME_AND_TEXT =
  /^\s{0,8}([[({<]|\*{1,3}|#{1,3}|=>|->)?\s?((?:\p{L}[\p{L}.'’-]{0,30} ?){1,3}?)\s?(:?[\])}>*]{1,3}|:)\s?:?\s?\S/u;

/** Whether a line begins with its author's name: in brackets, or before a colon. */
function nameOf({ text, quoted }: Line, { words }: Signer): "bracketed" | "called" | undefined {
  const [, opening, name = "", closing] = quoted
    ? []
    : (NAME_AND_TEXT.exec(text.slice(0, MAX_MARK_CHARS)) ?? []);
  const said = name.toLowerCase().match(/\p{L}+/gu) ?? [];
  const is_name = said.length > 0 && said.every((word) => words.has(word) || words.has(`=${word}`));
  if (!is_name) return undefined;
  return opening !== undefined && closing !== ":" ? "bracketed" : "called";
}

const MARK =
  /^\s{0,8}(={1,3}>|-{1,3}>|→|➔|\*{2,3}|#{2,3}|@{2,3}|<<|(?:a|ans|answer|antwort|réponse|respuesta|resposta|risposta|antwoord|svar|ответ|odpowiedź) ?[:：])\s?\S/iu;

/** Returns the lines with the most frequent mark, if each has a line without it above. */
function withOneMark(lines: readonly Line[], old: readonly number[]): readonly number[] {
  const markOf = (at: number): string | undefined =>
    MARK.exec((lines[at] as Line).text.slice(0, MAX_MARK_CHARS))?.[1]?.toLowerCase();
  const groups = Map.groupBy(
    old.filter((at) => markOf(at) !== undefined),
    markOf,
  );
  const [most] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  if (most === undefined || most.length < 2) return [];
  const marked = new Set(most);
  return old.every((at, index) => {
    const above = old[index - 1];
    return !marked.has(at) || (above !== undefined && !marked.has(above));
  })
    ? most
    : [];
}

function filledAbove(lines: readonly Line[], at: number, from: number): number | undefined {
  for (let above = at - 1; above >= from; above -= 1) if (!isBlank(lines[above])) return above;
  return undefined;
}
