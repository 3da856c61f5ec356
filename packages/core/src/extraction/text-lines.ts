import { type Line, textLine } from "./line.ts";
import { headerEndIn, inlineHeaderAt } from "./reply-header.ts";

const DELIMITER = "-- ";

/** The lines of a plain text body. A reply header that shares its line with text gets a line of its own. */
export function textLines(text: string): Line[] {
  return text.split(/\r\n|\r|\n/).flatMap((raw) => {
    const line = lineOf(raw);
    const start = inlineHeaderAt(line);
    if (start > 0) return [lineOf(raw.slice(0, start)), ...headerLines(raw.slice(start))];
    return headerLines(raw);
  });
}

function headerLines(raw: string): Line[] {
  const line = lineOf(raw);
  const end = headerEndIn(line);
  return end < 0 ? [line] : [lineOf(raw.slice(0, end)), lineOf(raw.slice(end).replace(/^[\s>]+/, ""))];
}

// The blank after the dashes is what makes them the delimiter of RFC 3676 (4.3).
function lineOf(raw: string): Line {
  return textLine(raw === DELIMITER ? raw : raw.trimEnd());
}
