/** Characters of plain text that the rules read; text beyond stays, unless history started before it. */
export const MAX_TEXT_CHARS = 2_000_000;

/** Lines of plain text that the rules read: a line takes far more memory than its characters. */
export const MAX_TEXT_LINES = 50_000;

/** HTML beyond this isn't read: mail this long is bulk mail, and its reply part comes first. */
export const MAX_HTML_CHARS = 2_000_000;

/**
 * Elements of an HTML body that are parsed: their number, not their size, determines the cost. The rest is one run of
 * text.
 */
export const MAX_HTML_ELEMENTS = 20_000;

/** Runs of text between them: comments split text, too. */
export const MAX_HTML_RUNS = 2 * MAX_HTML_ELEMENTS;

/** Lines of HTML; preformatted text beyond them continues in the last one. */
export const MAX_HTML_LINES = 20_000;

/** Elements nested deeper lose their tag and keep their text, so that no tree walk can exhaust the stack. */
export const MAX_HTML_DEPTH = 200;

/**
 * Characters of a line that rules examine. No header, marker or signature is longer, and it bounds the cost
 * of patterns.
 */
export const MAX_RULE_CHARS = 400;

/** Maximum lines of a folded reply header ("On …", a long name, "<", the address, "> wrote:"). */
export const MAX_HEADER_LINES = 5;

/** The lines below "From:" that are searched for the other labels of a quoted or forwarded header. */
export const MAX_BLOCK_LINES = 16;

/** Maximum non-blank lines of a signature. */
export const MAX_SIGNATURE_LINES = 14;

/** Maximum length of a signature line; a longer one is prose. */
export const MAX_SIGNATURE_LINE_CHARS = 100;

/** Maximum length of a preview, in UTF-16 code units; characters are never split. */
export const MAX_PREVIEW_CHARS = 200;

/** Maximum number of times the rules are applied until nothing changes. */
export const MAX_PASSES = 8;

/** Quote marks shown per line of HTML, so that deep quotes don't multiply the text. */
export const MAX_SHOWN_QUOTES = 8;

/** Characters of the answered mail that a reply is compared with. */
export const MAX_PARENT_CHARS = 100_000;

/** Words of the answered mail that a reply is compared with, for each of its two texts. */
export const MAX_PARENT_WORDS = 20_000;

/** Characters of a reply that are compared with the answered mail; the rest is judged without it. */
export const MAX_COMPARED_CHARS = 200_000;
