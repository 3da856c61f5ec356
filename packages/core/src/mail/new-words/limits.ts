/** The rules read this much of a plain text; beyond it text stays as it is, unless history began before. */
export const MAX_TEXT_CHARS = 2_000_000;

/** And this many lines of it, since a line costs far more memory than its characters do. */
export const MAX_TEXT_LINES = 100_000;

/**
 * HTML beyond this many characters isn't read: a mail that long is a bulk mail, and its reply part comes
 * first.
 */
export const MAX_HTML_CHARS = 2_000_000;

/**
 * Elements nested deeper than this lose their tag and keep their text, so that no walk over the tree can
 * exhaust the stack.
 */
export const MAX_HTML_DEPTH = 200;

/**
 * Rules look at this much of a line; no header, marker or signature is longer, and it bounds what a pattern
 * can cost.
 */
export const MAX_RULE_CHARS = 400;

/**
 * A reply header that is folded takes at most this many lines ("On …", a long name, "<", the address, ">
 * wrote:").
 */
export const MAX_HEADER_LINES = 5;

/** How far below "From:" the other labels of a forwarded or quoted header block are looked for. */
export const MAX_BLOCK_LINES = 16;

/** A signature has at most this many lines that aren't blank. */
export const MAX_SIGNATURE_LINES = 14;

/** A line of a signature is at most this long; a longer one is prose. */
export const MAX_SIGNATURE_LINE_CHARS = 100;

/** A preview is at most this many characters (UTF-16 code units never cut a character in two). */
export const MAX_PREVIEW_CHARS = 200;

/** The rules are applied again until nothing changes, at most this often. */
export const MAX_PASSES = 8;

/** A line from HTML shows at most this many quote marks, so that deep quotes don't multiply the text. */
export const MAX_SHOWN_QUOTES = 8;
