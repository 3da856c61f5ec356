const LESS = 60;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const SPACE = 32;

/** Tags where a line ends. */
const ENDS_LINE: ReadonlySet<string> = new Set(
  "address area article base blockquote br col dd div dl dt embed fieldset footer form frame h1 h2 h3 h4 h5 h6 header hr img input li link meta ol p param pre section source table td th tr track ul wbr".split(
    " ",
  ),
);

/**
 * Returns the words of HTML from a position on, for the rest after the last element that is read: no tags and no
 * comments, but a space at each line end, and every `<` as a character reference. Unclosed constructs are text. It
 * knows no elements, so no word is hidden by a tag that isn't read. Never throws; linear, without a string for each of
 * many words.
 */
export function restOf(source: string, from: number): string {
  const units = new Uint16Array(source.length - from);
  let length = 0;
  let widest = 0;
  let comments_end = true;
  let tags_end = true;
  for (let at = from; at < source.length; ) {
    const unit = source.charCodeAt(at);
    if (unit === LESS && tags_end && startsMarkup(source.charCodeAt(at + 1))) {
      const is_comment = comments_end && source.startsWith("!--", at + 1);
      const end = is_comment ? commentEnd(source, at) : tagEnd(source, at);
      if (end > at) {
        if (endsLine(source, at, end)) units[length++] = SPACE;
        at = end;
        continue;
      }
      if (is_comment) comments_end = false;
      else tags_end = false;
    }
    units[length++] = unit;
    widest |= unit;
    at += 1;
  }
  const shown = units.subarray(0, length);
  const text =
    widest < 256
      ? Buffer.from(shown).toString("latin1")
      : Buffer.from(shown.buffer, 0, 2 * length).toString("utf16le");
  return escapeLess(text);
}

/** A text with a character reference for every `<`. */
export function escapeLess(text: string): string {
  return text.includes("<") ? text.replace(/<+/g, ({ length }) => "&lt;".repeat(length)) : text;
}

/** Whether the tag between two positions ends a line. */
function endsLine(source: string, start: number, tag_end: number): boolean {
  const from = source.charCodeAt(start + 1) === SLASH ? start + 2 : start + 1;
  let end = from;
  while (end < tag_end && source.charCodeAt(end) > SPACE && !endsName(source.charCodeAt(end))) end += 1;
  return ENDS_LINE.has(source.slice(from, end).toLowerCase());
}

const endsName = (code: number): boolean => code === SLASH || code === GREATER;

/** Returns the end of the comment that starts at a position; negative if it has none. */
function commentEnd(source: string, start: number): number {
  const end = source.indexOf("-->", start + 2);
  return end < 0 ? -1 : end + 3;
}

/** Returns the end of the tag that starts at a position; negative if it has none. */
function tagEnd(source: string, start: number): number {
  let last = 0;
  for (let at = start + 1; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === GREATER) return at + 1;
    if (last === EQUALS && (code === DOUBLE_QUOTE || code === SINGLE_QUOTE)) {
      at = source.indexOf(source.charAt(at), at + 1);
      if (at < 0) return -1;
    }
    if (code > SPACE) last = code;
  }
  return -1;
}

const startsMarkup = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  code === SLASH ||
  code === BANG ||
  code === QUESTION;
