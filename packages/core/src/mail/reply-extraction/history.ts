import type { HistoryMethod } from "../../model/read-mail.ts";
import { brokenHalves } from "./broken-halves.ts";
import { isNameShaped } from "./closing.ts";
import { colonlessBlockAt, headerBlockAt, kindsIn, unlabelledBlockAt } from "./header-block.ts";
import { MAX_BLOCK_LINES } from "./limits.ts";
import { isBlank, type Line, nextFilled } from "./line.ts";
import { markerAt, markerFrom, RULE_SIGNS } from "./markers.ts";
import { barOf, replyHeaderAt } from "./reply-header.ts";

/**
 * The new part of a mail: one flag per line, and the sign that marks the start of the history ("whole" when there was
 * none).
 */
export interface NewPart {
  keep: boolean[];
  method: HistoryMethod;
  /** The first lines of quotes that the writer chose, above the answered mail. */
  chosen: readonly Line[];
}

const MAX_REFERENCE_CHARS = 120;
const DASH = new RegExp(`^[${RULE_SIGNS}]`);
/** Lines that one label of a header may take up. */
const FOLDED_LINES = 2;

interface Quote {
  start: number;
  end: number;
  /** It has a reply header above it. */
  headed: boolean;
  /** It begins with one, or with labels: it is the answered mail. */
  opened?: boolean;
  /** The client's quote of the answered mail, not one that the writer chose. */
  answered: boolean;
}

interface Survey {
  dropped: boolean[];
  quotes: Quote[];
  texts: number[];
  cut: number;
  method: HistoryMethod;
}

/**
 * Separates what the writer added from the history below, above or between. Unmarked history is cut only
 * where a header introduces it and something was written above; text around marked quotes stays. Answers
 * between quotes keep the quotes. A mail that is only a quote without a header is its own text. A quote that isn't of the
 * answered mail stays where the mail `answers_none`, and above the answered mail (`chosen` are those of an earlier pass).
 */
export function newPartOf(lines: readonly Line[], answers_none: boolean, chosen: ReadonlySet<Line>): NewPart {
  const survey = surveyOf(lines);
  const keep = lines.map((_, index) => index < survey.cut && !survey.dropped[index]);
  const last = survey.texts.at(-1) ?? -1;
  const { quotes, texts } = survey;
  if (quotes.length === 0) return { keep, method: survey.method, chosen: [] };
  if (texts.length === 0) return onlyQuotes(lines, survey, keep);
  const answered = quotes.filter((quote) => quote.end <= last);
  const interleaved = answered.length > 1 && hasTextBetween(answered, texts);
  const shown = quotes.findLast(({ headed, opened }) => headed || opened)?.start ?? 0;
  const history = survey.cut < lines.length ? survey.cut : shown;
  const own = quotes.filter(
    ({ headed, opened, start, end }) =>
      !headed &&
      !opened &&
      (end <= history || chosen.has(lines[start] as Line)) &&
      !lines.slice(start, end).some((line) => line.history),
  );
  const stays = (quote: Quote): boolean =>
    own.includes(quote) ||
    (quote.answered ? quote.end <= last && interleaved : quote.end <= last || answers_none);
  for (const quote of quotes) if (!stays(quote)) keep.fill(false, quote.start, quote.end);
  const kept = quotes.some(stays);
  const method = survey.method === "whole" ? (quotes.every(stays) ? "inline_reply" : "quote") : survey.method;
  return {
    keep,
    method: survey.method !== "whole" && kept ? "inline_reply" : method,
    chosen: own.map(({ start }) => lines[start] as Line),
  };
}

function surveyOf(lines: readonly Line[]): Survey {
  const survey: Survey = { dropped: [], quotes: [], texts: [], cut: lines.length, method: "whole" };
  const halves = brokenHalves(lines);
  const calm = calmLines(lines);
  let headed = false;
  let cited = false;
  let signed = false;
  let bar = "";
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] as Line;
    if (calm[at] === 1) {
      if (!signed && hasWords(line)) survey.texts.push(at);
      at += 1;
      continue;
    }
    const labelled = line.quoted || line.history ? 0 : labelledAboveQuote(lines, at);
    if (labelled > 0) {
      for (let drop = at; drop < at + labelled; drop += 1) survey.dropped[drop] = true;
      survey.method = "header_block";
      cited = true;
      at += labelled;
      continue;
    }
    const sign = line.quoted && !line.history ? null : historyAt(lines, at);
    // If nothing is above it, the mail is forwarded or empty, and all of it is the text.
    if (sign && survey.texts.length > 0) return { ...survey, cut: at, method: sign };
    if (sign)
      return survey.quotes.length === 0 ? wholeFrom(survey, lines, at) : { ...survey, cut: at, method: sign };
    const header = replyHeaderAt(lines, at);
    if (header > 0) {
      const below = nextFilled(lines, at + header);
      const marked = lines[below]?.quoted === true;
      const start = headerStart(lines, at);
      while ((survey.texts.at(-1) ?? -1) >= start) survey.texts.pop();
      if (!marked && !pipedAt(lines, below) && survey.texts.length > 0)
        return { ...survey, cut: start, method: "reply_header" };
      for (let drop = start; drop < at + header; drop += 1) survey.dropped[drop] = true;
      survey.method = "reply_header";
      headed = true;
      at += header;
      if (below === lines.length) survey.quotes.push({ start: at, end: at, headed, answered: true });
      if (!marked && pipedAt(lines, below)) {
        bar = barOf(lines[below] as Line);
        at = addQuote(survey, { start: at, end: pipedEnd(lines, below), headed, answered: true });
      }
      continue;
    }
    // A line that starts with "|" may as well be a table of the writer's.
    if (bar !== "" && bar !== "|" && barOf(line) === bar) {
      at = addQuote(survey, { start: at, end: pipedEnd(lines, at), headed, answered: true });
      continue;
    }
    if (line.quoted) {
      // Some clients mark forwarded mail like a quote: it ends the new text, as unmarked history does.
      if (!headed && survey.texts.length > 0 && markerAt(line) === "forward")
        return { ...survey, cut: at, method: "marker" };
      const end = quoteEnd(lines, at, halves);
      at = addQuote(survey, {
        start: at,
        end,
        headed,
        opened: cited || opensWithHeader(lines, at),
        answered:
          headed || cited || line.answered || opensWithLabels(lines, at) || holdsHeader(lines, at, end),
      });
      headed = false;
      cited = false;
      continue;
    }
    signed = signed || /^(?:--|—) ?$/.test(line.bare);
    if (!signed && hasWords(line)) survey.texts.push(at);
    at += 1;
  }
  return survey;
}

const hasWords = (line: Line): boolean =>
  !isBlank(line) && /[\p{L}\p{N}]/u.test(line.bare) && !line.signature;

/**
 * Returns 1 for each line in which no rule can see history, given it and the lines that follow: nearly all lines of
 * nearly all mail. A rule that begins at a line looks for signs in it, in the two lines below and in the next filled
 * one.
 */
function calmLines(lines: readonly Line[]): Uint8Array {
  const calm = new Uint8Array(lines.length);
  let below = true;
  let second = true;
  let filled = true;
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const line = lines[at] as Line;
    const dull = isDull(line);
    if (dull && below && second && filled) calm[at] = 1;
    second = below;
    below = dull;
    if (!isBlank(line)) filled = dull;
  }
  return calm;
}

/** Whether a line has no sign of history: no label, marker, digit, address or quote, and no end like "... wrote:". */
const isDull = ({ text, bare, label, quoted, history }: Line): boolean =>
  !quoted &&
  !history &&
  label === "" &&
  !UNDULL_BEGINS.includes(bare.charAt(0) || " ") &&
  !UNDULL_ENDS.includes(bare.charAt(bare.length - 1) || " ") &&
  !text.startsWith("|") &&
  !text.includes(">") &&
  !/[\d@]/.test(bare);
const UNDULL_BEGINS = `${RULE_SIGNS}<`;
const UNDULL_ENDS = ",<:：";

function historyAt(lines: readonly Line[], at: number): HistoryMethod | null {
  const line = lines[at] as Line;
  if (line.history) return "client_markup";
  if (markerFrom(lines, at) !== null) return "marker";
  const header = headerBlockAt(lines, at) || unlabelledBlockAt(lines, at) || colonlessBlockAt(lines, at);
  return header ? "header_block" : null;
}

/**
 * Returns the number of lines of a labelled header, or of a marker and such lines, directly above a marked quote; 0
 * when there is none. There it ends nothing: answers may be between and below the quotes.
 */
function labelledAboveQuote(lines: readonly Line[], at: number): number {
  const first = lines[at] as Line;
  // Most lines have neither a label nor a dash.
  if (first.label === "" && !DASH.test(first.bare)) return 0;
  const marker = markerFrom(lines, at);
  if (marker === "forward" || (marker === null && kindsIn(first) === undefined)) return 0;
  let isHeader = marker !== null || namesAuthor(first) || headerBlockAt(lines, at);
  let folded = 0;
  for (let next = at + 1; next < lines.length && next < at + MAX_BLOCK_LINES; next += 1) {
    const line = lines[next] as Line;
    if (isBlank(line) && !line.quoted) continue;
    if (line.quoted) return isHeader ? next - at : 0;
    isHeader ||= namesAuthor(line);
    folded = line.label === "" ? folded + 1 : 0;
    if (folded > FOLDED_LINES) return 0;
  }
  return 0;
}

const namesAuthor = (line: Line): boolean =>
  kindsIn(line)?.includes("from") === true && line.bare.includes("@");

/**
 * Whether a marked quote starts with a mail's labels: then it is the answered mail, not a passage that the writer
 * chose.
 */
function opensWithLabels(lines: readonly Line[], at: number): boolean {
  const start = nextFilled(lines, at);
  return markerFrom(lines, start) === "original" || headerBlockAt(lines, start);
}

/** The same, or with "On … wrote:". In running text, a line that lost its mark may have split the quote above that. */
const opensWithHeader = (lines: readonly Line[], at: number): boolean =>
  opensWithLabels(lines, at) ||
  ((isBlank(lines[at - 1]) || lines[at]?.answered === true) &&
    replyHeaderAt(lines, nextFilled(lines, at)) > 0);

/** Whether a client's line above the answered mail is further down in a quote: then all of it is that mail. */
function holdsHeader(lines: readonly Line[], start: number, end: number): boolean {
  for (let at = start + 1; at < end; at += 1)
    if (lines[at]?.answered === true && lines[at - 1]?.answered === false && replyHeaderAt(lines, at) > 0)
      return true;
  return false;
}

function wholeFrom(survey: Survey, lines: readonly Line[], at: number): Survey {
  const texts: number[] = [];
  for (let index = at; index < lines.length; index += 1) if (!isBlank(lines[index])) texts.push(index);
  return { ...survey, texts };
}

function onlyQuotes(lines: readonly Line[], survey: Survey, keep: boolean[]): NewPart {
  if (survey.quotes[0]?.headed === true) return { keep: keep.fill(false), method: "only_quote", chosen: [] };
  return { keep: lines.map(() => true), method: "whole", chosen: [] };
}

function addQuote(survey: Survey, quote: Quote): number {
  survey.quotes.push(quote);
  return quote.end;
}

function hasTextBetween(quotes: readonly Quote[], texts: readonly number[]): boolean {
  const first = quotes[0]?.end ?? 0;
  const last = quotes.at(-1)?.start ?? 0;
  return texts.some((text) => text >= first && text < last);
}

/**
 * Returns the end of a quote, including blank lines within it and the broken halves of its long lines. The line above the
 * answered mail, which some clients put into its quote, ends a quote above it.
 */
function quoteEnd(lines: readonly Line[], start: number, halves: ReadonlySet<number>): number {
  let end = start;
  for (let at = start; at < lines.length; ) {
    if (lines[at]?.quoted || halves.has(at)) {
      if (at > start && opensAnother(lines, at)) return end;
      at += 1;
      end = at;
      continue;
    }
    let next = at;
    while (next < lines.length && !lines[next]?.quoted && isBlank(lines[next])) next += 1;
    if (!lines[next]?.quoted || next === at) return end;
    at = next;
  }
  return end;
}

/**
 * Whether a line of the answered mail is certainly outside the quote above it, by two of three signs: a line between them
 * is no quote, the client didn't mark the quote above as the answered mail, and this line has no quote mark, as that
 * quote has. A mail may itself quote one below the same line; what stands above it there isn't this writer's choice.
 */
function opensAnother(lines: readonly Line[], at: number): boolean {
  const line = lines[at];
  if (line?.answered !== true) return false;
  let last = at - 1;
  while (last >= 0 && lines[last]?.quoted === false && isBlank(lines[last])) last -= 1;
  const above = lines[last];
  const unmarked = above?.text.startsWith(">") === true && !line.text.startsWith(">");
  const signs = [last < at - 1, above?.answered === false, unmarked].filter(Boolean).length;
  return signs > 1 && replyHeaderAt(lines, at) > 0;
}

function pipedAt(lines: readonly Line[], at: number): boolean {
  const line = lines[at];
  return line !== undefined && barOf(line) !== "";
}

function pipedEnd(lines: readonly Line[], start: number): number {
  let end = start;
  while (end < lines.length && (pipedAt(lines, end) || (isBlank(lines[end]) && pipedAt(lines, end + 1))))
    end += 1;
  return end;
}

/**
 * Returns the real start of the reply header found at `at`, since some lines above may belong to it. Yandex puts a
 * rule, "Кому: …;" and "Тема: …;" there; a header wrapped before its address leaves the name.
 */
function headerStart(lines: readonly Line[], at: number): number {
  if (isNameAbove(lines, at) || isReferenceAbove(lines, at)) return at - 1;
  let start = at;
  while (start > 0 && isListed(lines[start - 1] as Line)) start -= 1;
  return start < at && /^-{4,}$/.test(lines[start - 1]?.bare ?? "") ? start - 1 : at;
}

function isNameAbove(lines: readonly Line[], at: number): boolean {
  const above = lines[at - 1];
  if (!lines[at]?.bare.startsWith("<") || above === undefined || isBlank(above)) return false;
  return (
    at > 1 && isBlank(lines[at - 2]) && isNameShaped({ ...above, text: above.text.replace(/"|^-{2,}/g, "") })
  );
}

// "In message <id>," above "Ada writes:".
function isReferenceAbove(lines: readonly Line[], at: number): boolean {
  const above = lines[at - 1]?.bare ?? "";
  return above.length <= MAX_REFERENCE_CHARS && /^in (?:\p{L}+ ){0,2}<[^<>\s]+@[^<>\s]+>,$/u.test(above);
}

function isListed(line: Line): boolean {
  return line.bare.endsWith(";") && kindsIn(line) !== undefined;
}
