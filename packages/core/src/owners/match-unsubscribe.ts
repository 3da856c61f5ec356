import type { Services } from "../kernel/context.ts";
import { answeredMessageId, signaturesOf } from "../letters/index.ts";
import { phraseAt, plainWords, withoutGreeting } from "../mail/answers/answer-text.ts";
import { UNSUBSCRIBE_WORDS } from "../mail/answers/answer-words.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { ParsedMail } from "../model/parsed-mail.ts";

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
 * Whether an owner's mail only asks to unsubscribe: it replies to a letter of this inbox and uses an
 * unsubscribe word. "Stop" is not one of them, as it more likely refers to the agent's work.
 */
export async function matchUnsubscribe(
  { storage }: Pick<Services, "storage">,
  owner: OwnerRecord,
  mail: Pick<ParsedMail, "in_reply_to" | "references" | "from">,
  new_words: string,
): Promise<boolean> {
  if (!saysUnsubscribe(new_words, signaturesOf(mail, owner))) return false;
  return (await answeredMessageId(storage, owner.inbox_id, mail)) !== undefined;
}

/** Whether a text asks to unsubscribe and says nothing else; it may be signed with one of `names`. */
export function saysUnsubscribe(text: string, names: readonly string[]): boolean {
  const words = plainWords(withoutGreeting(text));
  const signers = new Set(names.flatMap(plainWords));
  return UNSUBSCRIBE_WORDS.some((phrase) => {
    const taken = phraseAt(words, phrase);
    return taken > 0 && words.slice(taken).every((word) => POLITE_WORDS.has(word) || signers.has(word));
  });
}
