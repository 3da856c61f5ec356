import { inAllLanguages } from "../words/index.ts";

const GREETINGS = inAllLanguages("greetings");

const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
const MAX_CHARS = 2_000;
const MAX_GREETING_WORDS = 5;

/** The words of a text: lower case, half width, without punctuation. Apostrophes within words stay. */
export function plainWords(text: string): string[] {
  const plain = text.slice(0, MAX_CHARS).normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return plain.match(/[\p{L}\p{M}\p{N}]+(?:'[\p{L}\p{M}\p{N}]+)*/gu) ?? [];
}

/**
 * Returns the number of words that a phrase takes up at that position; 0 when it isn't there. Scripts without spaces
 * are compared by character.
 */
export function phraseAt(words: readonly string[], phrase: string, at = 0): number {
  const wanted = plainWords(phrase);
  if (UNSPACED.test(phrase)) return beginsUnspaced(words[at] ?? "", wanted.join("")) ? 1 : 0;
  return wanted.length > 0 && wanted.every((word, index) => words[at + index] === word) ? wanted.length : 0;
}

/**
 * Whether a phrase starts an unspaced word. Too many other words start with the same single character, so it must stand
 * alone or before a particle.
 */
function beginsUnspaced(word: string, phrase: string): boolean {
  if (phrase.length > 1) return word.startsWith(phrase);
  return word === phrase || (word.startsWith(phrase) && /^[吧啊呀的了哦]/u.test(word.slice(1)));
}

/** Whether a phrase occurs anywhere among the words. */
export function holdsPhrase(words: readonly string[], phrase: string): boolean {
  if (UNSPACED.test(phrase)) return words.some((word) => word.includes(phrase));
  return words.some((_, at) => phraseAt(words, phrase, at) > 0);
}

/** Returns an owner's words without the greeting line. */
export function withoutGreeting(text: string): string {
  const said = text.slice(0, MAX_CHARS).trim();
  const end = /[\n,!。，！、]/.exec(said)?.index ?? -1;
  if (end === -1) return said;
  const first = plainWords(said.slice(0, end));
  const greets =
    first.length <= MAX_GREETING_WORDS && GREETINGS.some((greeting) => phraseAt(first, greeting) > 0);
  return greets ? said.slice(end + 1).trim() : said;
}
