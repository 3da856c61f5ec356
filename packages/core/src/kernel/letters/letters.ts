import { LIMITS } from "../../catalogue/limits.ts";
import type { AccountRecord } from "../../model/accounts.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { LetterSecretRecord } from "../../model/letter-secrets.ts";
import type { LetterRecord } from "../../model/letters.ts";
import type { StorageReader, StorageWriter, Transaction } from "../../ports/storage.ts";
import { hashSecret } from "../secrets.ts";
import type { LetterSecret } from "./letter-secrets.ts";

/** A newly created letter. */
export interface NewLetter
  extends Pick<LetterRecord, "kind" | "account_id" | "inbox_id" | "stored_message_id"> {
  /** The Message-ID that it is sent with. */
  message_id: string;
  /** The address that it is sent to. */
  to: string;
  owner_id: string | null;
  /** The id of the record that its code is checked against. */
  subject_id?: string | null;
  secrets: readonly LetterSecret[];
}

/**
 * Registers a letter with the hashes of its secrets, in the transaction that queues it or before it leaves. There is no
 * other way to make one: `sendLetter` and `mailFromNoReply` call it.
 */
export function registerLetter(
  tx: Pick<Transaction, "append">,
  { to, owner_id, secrets, ...letter }: NewLetter,
  now: Date,
): void {
  const { account_id, inbox_id, stored_message_id } = letter;
  const [email, created_at] = [addressKey(to), iso(now)];
  const message_id = messageIdKey(letter.message_id);
  tx.append("letters", [
    {
      subject_id: null,
      ...letter,
      message_id,
      message_id_readable: stored_message_id !== null,
      email,
      created_at,
      expires_at: iso(new Date(now.getTime() + LIMITS.letters_kept_ms)),
    },
  ]);
  tx.append(
    "letter_secrets",
    secrets.map(({ secret, kind, subject_id = null, expires_at = null }) => ({
      hash: hashSecret(secret),
      kind,
      account_id,
      inbox_id,
      owner_id,
      email,
      message_id: stored_message_id,
      letter_id: message_id,
      subject_id,
      created_at,
      expires_at: expires_at === null ? null : iso(expires_at),
      struck_at: null,
    })),
  );
}

/** Returns a Message-ID as letters are registered under it, since mail servers may change its case. */
export const messageIdKey = (message_id: string): string => message_id.trim().toLowerCase();

/** Registered letters, and the stored secrets by which some of them were found. */
export interface FoundLetters {
  letters: LetterRecord[];
  secrets: LetterSecretRecord[];
}

/**
 * Finds the registered letters that have one of these secrets (a link's word, or a reply address's id) or Message-IDs,
 * with at most two reads, and none when nothing is asked for. Secrets of letters that were created before letters were
 * registered, or that are no longer registered, appear only in `secrets`.
 */
export async function lettersOf(
  { storage }: { storage: Pick<StorageReader, "find"> },
  { secrets, message_ids }: { secrets: readonly string[]; message_ids: readonly string[] },
): Promise<FoundLetters> {
  const hashes = [...new Set(secrets.map((secret) => hashSecret(secret)))];
  const found =
    hashes.length === 0
      ? []
      : await storage.find("letter_secrets", { where: { hash: { in: hashes } }, limit: hashes.length });
  const ids = [
    ...new Set([
      ...message_ids.map(messageIdKey),
      ...found.flatMap(({ letter_id }) => (letter_id === null ? [] : [letter_id])),
    ]),
  ];
  const letters =
    ids.length === 0
      ? []
      : await storage.find("letters", { where: { message_id: { in: ids } }, limit: ids.length });
  return { letters, secrets: found };
}

/** Returns the latest time until which a letter's links may act alone; undefined when none does. */
export function actsAloneUntil(secrets: readonly LetterSecret[], now: Date): Date | undefined {
  const ends = secrets
    .filter(({ kind }) => kind === "confirm" || kind === "answer")
    .map(({ acts_until }) => acts_until?.getTime() ?? Number.POSITIVE_INFINITY);
  const latest = now.getTime() + LIMITS.letters_kept_ms;
  return ends.length === 0 ? undefined : new Date(Math.min(Math.max(...ends), latest));
}

/**
 * Records in accounts until when a code, or a link that acts alone, may be valid in a letter to one of their people.
 * Every inbound mail reads the accounts of its inbox anyway, so the check costs it nothing.
 */
export async function noteLiveLetter(
  storage: Pick<StorageWriter, "update">,
  account_ids: readonly string[],
  until: Date,
): Promise<void> {
  const letters_live_until = iso(until);
  if (account_ids.length > 0)
    await storage.update(
      "accounts",
      { id: { in: account_ids }, letters_live_until: { lt: letters_live_until } },
      { letters_live_until },
    );
}

/**
 * Whether a code, or a link that acts alone, may be valid in a letter to a person of an account or of its parent. It
 * may still say yes for a while after the last one was used up, but never no while one is valid.
 */
export const livesForAccount = (
  accounts: readonly (Pick<AccountRecord, "letters_live_until"> | undefined)[],
  now: Date,
): boolean => accounts.some((account) => account !== undefined && account.letters_live_until > iso(now));
