import { MAX_TEXT_CHARS, MAX_TEXT_LINES } from "./limits.ts";
import { type Line, plainLines, textLine } from "./line.ts";
import { headerEndIn, inlineHeaderAt } from "./reply-header.ts";

const DELIMITER = "-- ";

/**
 * The part of a text that the rules read, and the rest: split at MAX_TEXT_CHARS or MAX_TEXT_LINES, whichever
 * comes first.
 */
export function withinLimits(text: string): { head: string; rest: string } {
  if (text.length <= MAX_TEXT_LINES) return { head: text, rest: "" };
  let end = 0;
  for (let lines = 0; lines < MAX_TEXT_LINES && end < text.length; lines += 1) end = nextLine(text, end);
  end = Math.min(end, MAX_TEXT_CHARS);
  while (end < text.length && end > 0 && /[\r\n]/.test(text.charAt(end - 1))) end -= 1;
  return { head: text.slice(0, end), rest: text.slice(end) };
}

/** The lines of a plain text body. A reply header that shares a line with text gets its own line. */
export function textLines(text: string): Line[] {
  const lines: Line[] = [];
  const unified = text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", "\n") : text;
  const plain = plainLines(unified);
  let start = 0;
  for (const raw of unified.split("\n")) {
    const line = plain(start, trimmedEnd(raw));
    if (line === undefined) addLines(lines, raw);
    else lines.push(line);
    start += raw.length + 1;
  }
  return lines;
}

function addLines(lines: Line[], raw: string): void {
  const line = lineOf(raw);
  const start = inlineHeaderAt(line);
  if (start > 0) lines.push(lineOf(raw.slice(0, start)));
  addHeaderLines(lines, start > 0 ? lineOf(raw.slice(start)) : line);
}

function addHeaderLines(lines: Line[], line: Line): void {
  const end = headerEndIn(line);
  if (end < 0) lines.push(line);
  else lines.push(lineOf(line.text.slice(0, end)), lineOf(line.text.slice(end).replace(/^[\s>]+/, "")));
}

const lineOf = (raw: string): Line => textLine(trimmedEnd(raw));

/** A line without blanks at its end, but for the space after dashes that makes them the delimiter of RFC 3676 (4.3). */
const trimmedEnd = (raw: string): string => (raw === DELIMITER ? raw : raw.trimEnd());

function nextLine(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) return at + 1;
  }
  return text.length;
}
