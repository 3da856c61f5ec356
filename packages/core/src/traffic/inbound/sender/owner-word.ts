import type { Services } from "../../../kernel/context.ts";
import { doubtOfWord, isNamed } from "../../../mail/sender/proof.ts";
import { isReferredTo } from "../../../mailbox/messages/index.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { answeredMessageId } from "../../../owners/notifications/index.ts";
import type { Evidence } from "../evidence.ts";
import { isWrittenByAuthor, type TaskFacts, wasSeen } from "../rules.ts";
import { addressOf } from "./look-up-sender.ts";
import type { Place, Sightings } from "./seen-before.ts";

/** The letter that a mail answers, and in `missing` why it doesn't count as its author's word; null when it does. */
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
  const named = proof.kind === "person" && isNamed(proof, (address) => address === letter.address);
  return { id: letter.record.hash, named };
}

/**
 * Decides whether a mail about one of our letters counts as the word of the letter's recipient; names what is missing
 * if it doesn't. Undefined when the mail is about no letter.
 */
export async function readWord(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  evidence: Evidence,
  facts: Pick<TaskFacts, "proof" | "held" | "marks">,
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
  if (proof.kind === "inbox") return no("It was sent by an inbox of this service.");
  if (proof.kind === "none")
    return no(
      addressOf(mail) === email
        ? `${proof.reason.charAt(0).toUpperCase()}${proof.reason.slice(1)}.`
        : "It comes from another address than the letter went to.",
    );
  if (proof.author !== email) return no("It comes from another address than the letter went to.");
  const answered = {
    reply_address: letter.address,
    is_named_by: (id: string) => isReferredTo(sent, id),
    sent_at: Date.parse(letter.record.created_at),
  };
  const doubt = doubtOfWord(proof, answered, now.getTime());
  if (doubt !== null) return no(doubt);
  // Nothing in a held mail is carried out before it is released.
  if (!isWrittenByAuthor({ ...facts, held: false })) return no("It was sent automatically.");
  if (wasSeen([...seen.signatures, ...seen.message_ids], place))
    return no("Its signature or Message-ID was seen before.");
  if (!mail.extraction.own_words) return no("It has no words of its own: only a quote or a signature.");
  return { ...word, missing: null };
}
