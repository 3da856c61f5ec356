import { wordsOf } from "./mentions/word-runs.ts";
import { cleanHtml } from "./outgoing-html/index.ts";
import { type HtmlView, viewHtml } from "./screening/signals/html-view.ts";

/** So many words of difference aren't an editor's accident. */
const SOME_WORDS = 3;
const SHOWN_WORDS = 5;
/** The longest line that mail programs show beside the subject, which templates hide in the mail itself. */
const PREHEADER_CHARS = 250;

/** Templates show Outlook another form of their buttons, in comments. */
const HIDDEN_FROM_OUTLOOK = /mso-hide\s{0,3}:\s{0,3}all/gi;
/** Words that are looked for within others; of a mail with more, the further ones count as missing. */
const MAX_SOUGHT = 1_000;

const ADDRESS = /(?:https?:\/\/|mailto:|tel:|sms:)\S{1,2000}|www\.\S{1,500}|\S{1,64}@\S{1,255}/gi;
const SPLIT_WORD = /\p{L}[\u00ad\u034f\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]{1,20}(?=\p{L})/gu;
const OVERRIDE = /[\u202d\u202e]/;

/**
 * What of a mail some of its readers don't see, in a few words each: characters that hide or turn words, elements that
 * hide some, and words that only one of its text and its HTML as shown has. Addresses of links, alternative texts of
 * images, and the line that mail programs show beside the subject don't count.
 */
export function hiddenContent({ text, html }: { text: string | null; html: string | null }): string[] {
  const found: string[] = [];
  if (isDisguised(text ?? "")) found.push("characters that hide words of the text");
  if (html === null) return found;
  const read = html.replace(HIDDEN_FROM_OUTLOOK, "");
  const shown = cleanHtml(read, new Set()).text;
  const view = viewHtml(read);
  const all = partOf(view, "text ");
  if (isDisguised(`${view.visible}\n${all}`)) found.push("characters that hide words of the HTML");
  const line = view.preheader.replace(/[\s\p{Cf}\u034f\u00a0]+/gu, " ");
  const preheader = line.length <= PREHEADER_CHARS ? wordsOf(line) : [];
  const seen = wordsBeside(shown);
  const pale = wordsBeside(partOf(view, "text in the colour"));
  const concealed = [
    ...without(wordsBeside(`${view.visible}\n${all}`), seen, preheader),
    ...without(pale, wordsBeside(view.visible), preheader),
  ];
  if (isMuch(concealed)) found.push(`words that the HTML hides: ${beginning(concealed)}`);
  if (text === null || text.trim() === "") return found;
  const written = wordsBeside(text);
  const asides = [...preheader, ...wordsOf(partOf(view, "an image"))];
  const in_html = without(seen, written, asides, concealed);
  if (isMuch(in_html)) found.push(`words that only the HTML has: ${beginning(in_html)}`);
  const in_text = without(written, seen, [...asides, ...concealed]);
  if (isMuch(in_text)) found.push(`words that only the text has: ${beginning(in_text)}`);
  return found;
}

const isDisguised = (text: string): boolean =>
  OVERRIDE.test(text) || (text.match(SPLIT_WORD)?.length ?? 0) >= SOME_WORDS;

const partOf = ({ hidden }: HtmlView, how: string): string =>
  hidden.flatMap((each) => (each.how.startsWith(how) ? [each.text] : [])).join("\n");

/** The words of a text but those of addresses; single letters and digits number its lines. */
const wordsBeside = (text: string): string[] =>
  wordsOf(text.replace(ADDRESS, " ")).filter((word) => !/^[a-z0-9]$/.test(word));

/** The words that others don't have, not even run together, as they are where a tag stood between two. */
function without(words: readonly string[], ...others: readonly (readonly string[])[]): string[] {
  const known = new Set(others.flat());
  const missing = [...new Set(words)].filter((word) => !known.has(word));
  if (missing.length === 0) return [];
  const together = others.map((each) => each.join("")).join(" ");
  return missing.filter((word, nth) => nth >= MAX_SOUGHT || !together.includes(word));
}

/** Of scripts without blanks between words, two characters count as one. */
const isMuch = (words: readonly string[]): boolean =>
  words.reduce((sum, word) => sum + (word.length === 1 ? 0.5 : 1), 0) >= SOME_WORDS;

const beginning = (words: readonly string[]): string => `“${words.slice(0, SHOWN_WORDS).join(" ")} …”`;
