import type { Services } from "../kernel/context.ts";
import { phraseAt, withoutGreeting, wordsOf } from "../mail/answers/answer-text.ts";
import { unsubscribeWords } from "../mail/answers/answer-words.ts";
import type { OwnerRecord } from "../model/owners.ts";

const courtesy = new Set([
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
 * Whether an owner's mail says that their updates should end, and nothing else: in answer to a letter of this
 * inbox, with a word that means leaving a mailing list. "Stop" is no such word: it is more likely about the
 * agent's work.
 */
export async function matchUnsubscribe(
  { storage }: Pick<Services, "storage">,
  { inbox_id, email }: OwnerRecord,
  mail: { in_reply_to: string | null; references: readonly string[]; from: readonly { name: string }[] },
  new_words: string,
): Promise<boolean> {
  const reference = mail.in_reply_to ?? mail.references.at(-1);
  if (
    reference === undefined ||
    !saysUnsubscribe(new_words, [mail.from[0]?.name ?? "", email.split("@")[0] ?? ""])
  )
    return false;
  return (
    (await storage.find("message_references", { where: { inbox_id, reference, own: true }, limit: 1 }))
      .length > 0
  );
}

/** Whether a text asks to be unsubscribed and says nothing else; `names` may sign it. */
export function saysUnsubscribe(text: string, names: readonly string[]): boolean {
  const words = wordsOf(withoutGreeting(text));
  const signers = new Set(names.flatMap(wordsOf));
  return unsubscribeWords.some((phrase) => {
    const taken = phraseAt(words, phrase);
    return taken > 0 && words.slice(taken).every((word) => courtesy.has(word) || signers.has(word));
  });
}
