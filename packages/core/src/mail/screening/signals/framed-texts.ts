/** The most parts of a text that are looked at, and the length of each. */
const MAX_PARTS = 20;
const MAX_PART_CHARS = 1_500;

/** A line with a title between rules ("=== NOTE FOR THE READER ==="), and a rule alone. */
const TITLED_RULE =
  /(?:^|\n)[ \t>]{0,6}(?:[-=*#~_]{3,60}|<{2,9}|\[{2,9})[ \t]{0,3}[\p{L}\p{N}][^\n]{1,80}?[ \t]{0,3}(?:[-=*#~_]{3,60}|>{2,9}|\]{2,9})[ \t]{0,3}(?=\n)/gu;
/** What mail programs write so above the mail that they answer, forward or sign, and the end of such a part. */
const NO_TITLE =
  /original|forward|weitergeleitet|transfer|reenviad|encaminhad|inoltrat|begin pgp|signature|^[^\p{L}]*(?:end|ende|fin|fine)\b/iu;

/** The signs that open and close comments of pages, programs and templates. */
const COMMENT_PAIRS = [
  ["<!--", "-->"],
  ["/*", "*/"],
  ["{#", "#}"],
] as const;
/** Comments of Markdown, and elements that no page has, in the text that a reader sees. */
const COMMENTS: readonly RegExp[] = [
  /(?:^|\n)\[(?:\/\/|comment|_)[^\]\n]{0,20}\]: ?#? ?([^\n]{1,600})/g,
  /<([a-z][\w-]{2,30})>[^<]{10,1500}<\/\1>/gi,
];
const RULE_SIGNS = ["---", "===", "***", "###", "~~~", "___", "<<", "[["];
const COMMENT_SIGNS = ["<!--", "/*", "{#", "]:", "</"];
/** A text with none of these has no such part. */
export const FRAME_SIGNS: ReadonlySet<string> = new Set([...RULE_SIGNS, ...COMMENT_SIGNS]);

/**
 * Returns the parts of a text that are set apart from it as nobody sets apart what is said to a person: under a title
 * between rules, in comments, in elements of no page. Linear.
 */
export function framedTexts(text: string): string[] {
  const parts: string[] = [];
  for (const { index, 0: rule } of text.matchAll(TITLED_RULE)) {
    if (parts.length === MAX_PARTS) break;
    if (NO_TITLE.test(rule)) continue;
    const begin = index + rule.length;
    const part = text.slice(begin, begin + MAX_PART_CHARS);
    const end = part.search(/\n[ \t>]{0,6}[-=*#~_]{3}/);
    parts.push(end < 0 ? part : part.slice(0, end));
  }
  if (!COMMENT_SIGNS.some((sign) => text.includes(sign))) return parts;
  for (const [opener, closer] of COMMENT_PAIRS) addComments(parts, text, opener, closer);
  for (const pattern of COMMENTS)
    for (const [comment] of text.matchAll(pattern)) {
      if (parts.length === MAX_PARTS) return parts;
      parts.push(comment);
    }
  return parts;
}

/** Adds the comments between two signs that aren't too long, while there is room. Every closing sign is found but once. */
function addComments(parts: string[], text: string, opener: string, closer: string): void {
  let end = -1;
  for (let at = text.indexOf(opener); at >= 0 && parts.length < MAX_PARTS; ) {
    const begin = at + opener.length;
    // A comment has at least one character.
    if (end <= begin) end = text.indexOf(closer, begin + 1);
    if (end < 0) return;
    const is_comment = end - begin <= MAX_PART_CHARS;
    if (is_comment) parts.push(text.slice(at, end + closer.length));
    at = text.indexOf(opener, is_comment ? end + closer.length : at + 1);
  }
}
