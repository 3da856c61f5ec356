import { fail } from "../catalogue/errors.ts";
import type { MakeId } from "../catalogue/ids.ts";
import { addressKey } from "../model/address.ts";
import { iso } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { SuppressionRecord } from "../model/suppressions.ts";
import type { StorageReader, StorageWriter } from "../ports/storage.ts";

/** The normalized form in which a suppressed address is stored and looked up. */
export const normalizeSuppressed = (address: string): string => addressKey(address);

/** Suppresses an address because of a message sent to it. An existing suppression is kept unchanged. */
export async function suppressBecauseOf(
  storage: StorageWriter,
  makeId: MakeId,
  message: Pick<MessageRecord, "id" | "account_id" | "inbox_id">,
  { address, reason }: Pick<SuppressionRecord, "address" | "reason">,
  now: Date,
): Promise<void> {
  const { id: source_message_id, account_id, inbox_id } = message;
  await storage.insert("suppressions", {
    id: makeId("ent"),
    account_id,
    inbox_id,
    only_inbox_id: "",
    address: normalizeSuppressed(address),
    reason,
    source_message_id,
    created_at: iso(now),
  });
}

/**
 * Suppresses a phone number for the inbox that it texted STOP to; a second STOP changes nothing. `source_message_id`
 * is null where the text was not stored.
 */
export async function suppressNumber(
  storage: StorageWriter,
  makeId: MakeId,
  { id: inbox_id, account_id }: Pick<InboxRecord, "id" | "account_id">,
  { number, source_message_id }: { number: string; source_message_id: string | null },
  now: Date,
): Promise<void> {
  await storage.insert("suppressions", {
    id: makeId("ent"),
    account_id,
    inbox_id,
    only_inbox_id: inbox_id,
    address: number,
    reason: "stop",
    source_message_id,
    created_at: iso(now),
  });
}

/** Takes back what STOP did: the number texted START to that inbox. */
export async function unsuppressNumber(
  storage: StorageWriter,
  { id, account_id }: Pick<InboxRecord, "id" | "account_id">,
  number: string,
): Promise<void> {
  await storage.delete("suppressions", { account_id, address: number, only_inbox_id: id });
}

/** Fails with `recipient_suppressed` when the owner of a phone number answered STOP to this inbox. */
export async function checkNumberSuppressed(
  reader: Pick<StorageReader, "find">,
  { id, account_id }: Pick<InboxRecord, "id" | "account_id">,
  number: string,
): Promise<void> {
  const where = { account_id, address: number, only_inbox_id: id };
  const [found] = await reader.find("suppressions", { where, limit: 1 });
  if (found === undefined) return;
  throw fail("recipient_suppressed", {
    param: "to",
    message: `The owner of ${number} answered STOP to this inbox.`,
    fix: "Don't text this number; its owner can text START to take that back.",
  });
}

/** Fails with `recipient_suppressed` when one of the addresses is suppressed. */
export async function checkSuppressions(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  recipients: readonly string[],
): Promise<void> {
  if (recipients.length === 0) return;
  const where = { account_id, address: { in: [...new Set(recipients.map(normalizeSuppressed))] } };
  const [found] = await reader.find("suppressions", { where, limit: 1 });
  if (found === undefined) return;
  throw fail("recipient_suppressed", {
    param: "to",
    message: `${found.address} is suppressed. Reason: ${found.reason}.`,
  });
}

/** Whether the account has suppressed the address. */
export async function isSuppressed(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  address: string,
): Promise<boolean> {
  const where = { account_id, address: normalizeSuppressed(address) };
  return (await reader.find("suppressions", { where, limit: 1 })).length > 0;
}
