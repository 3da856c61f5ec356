import { phraseAt, plainWords, withoutGreeting } from "../mail/answers/answer-text.ts";
import { UNSUBSCRIBE_WORDS } from "../mail/answers/answer-words.ts";

const POLITE_WORDS = new Set([
  "please",
  "thanks",
  "thank",
  "you",
  "bitte",
  "danke",
  "gracias",
  "por",
  "favor",
  "merci",
  "obrigado",
  "obrigada",
  "grazie",
  "спасибо",
  "пожалуйста",
]);

/**
 * Whether a text asks to unsubscribe and says nothing else; it may be signed with one of `names`. "Stop" is
 * not one of the words, as it more likely refers to the agent's work.
 */
export function saysUnsubscribe(text: string, names: readonly string[]): boolean {
  const words = plainWords(withoutGreeting(text));
  const signers = new Set(names.flatMap(plainWords));
  return UNSUBSCRIBE_WORDS.some((phrase) => {
    const taken = phraseAt(words, phrase);
    return taken > 0 && words.slice(taken).every((word) => POLITE_WORDS.has(word) || signers.has(word));
  });
}
