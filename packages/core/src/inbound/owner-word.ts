import type { Services } from "../kernel/context.ts";
import { answeredMessageId } from "../letters/index.ts";
import { doubtOfWord, isNamed } from "../mail/sender/proof.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { Evidence } from "./evidence.ts";
import { isWrittenByAuthor, type TaskFacts, wasSeen } from "./rules.ts";
import type { Place, Sightings } from "./seen.ts";

/** What a mail answers, and why it does not count as its author's word; null when it counts. */
export interface Word {
  /** The stored letter. */
  letter_id: string;
  /** The address that the letter went to. */
  email: string | null;
  missing: string | null;
}

/** The letter's reply address as a place where signatures are seen; undefined for other mail. */
export function placeOfLetter({ letter, proof }: Evidence): Place | undefined {
  if (letter === undefined) return undefined;
  const named = proof !== null && isNamed(proof, (address) => address === letter.address);
  return { id: letter.record.hash, named };
}

/**
 * Decides whether a mail about one of our letters counts as the word of whom the letter went to. It names
 * what is missing otherwise. Undefined when the mail is about no letter.
 */
export async function readWord(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  evidence: Evidence,
  facts: Pick<TaskFacts, "authenticated" | "origin" | "held" | "marks">,
  seen: Sightings,
  now: Date,
): Promise<Word | undefined> {
  const { letter, proof, mail } = evidence;
  const place = placeOfLetter(evidence);
  if (letter === undefined || place === undefined) {
    const letter_id = await answeredMessageId(storage, inbox.id, mail);
    const missing = "It came to the inbox and not to the letter's reply address.";
    return letter_id === undefined ? undefined : { letter_id, email: null, missing };
  }
  const { message_id, email } = letter.record;
  const sent = message_id === null ? undefined : await storage.get("messages", message_id);
  if (sent?.message_id == null) return undefined;
  const word = { letter_id: sent.id, email };
  const no = (missing: string) => ({ ...word, missing });
  if (proof === null) return no("It was sent inside this service or injected.");
  if (proof.author !== email) return no("It comes from another address than the letter went to.");
  const answered = {
    reply_address: letter.address,
    message_id: sent.message_id,
    sent_at: Date.parse(letter.record.created_at),
  };
  const doubt = doubtOfWord(proof, answered, now.getTime());
  if (doubt !== null) return no(doubt);
  // Of a held mail nothing is carried out before it is released.
  if (!isWrittenByAuthor({ ...facts, held: false })) return no("It was sent automatically.");
  if (wasSeen([...seen.signatures, ...seen.message_ids], place))
    return no("Its signature or Message-ID was seen before.");
  if (!mail.extraction.own_words) return no("It has no words of its own: only a quote or a signature.");
  return { ...word, missing: null };
}
