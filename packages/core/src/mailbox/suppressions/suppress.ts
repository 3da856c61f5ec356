import { fail } from "../../catalogue/errors.ts";
import type { MakeId } from "../../catalogue/ids.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import { makerOf } from "../../model/suppressions.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import { isStronger } from "./rules.ts";

/** The normalized form in which a suppressed address is stored and looked up. */
export const normalizeSuppressed = (address: string): string => addressKey(address);

/**
 * Suppresses an address because of a message sent to it. An existing suppression is kept, unless this reason makes it
 * harder to lift: nobody gets rid of a complaint by suppressing the address first.
 */
export async function suppressBecauseOf(
  storage: StorageWriter,
  makeId: MakeId,
  message: Pick<MessageRecord, "id" | "account_id" | "inbox_id">,
  { address, reason }: { address: string; reason: "bounce" | "complaint" },
  now: Date,
): Promise<void> {
  const { id: source_message_id, account_id, inbox_id } = message;
  const cause = { inbox_id, reason, made_by: makerOf(reason), source_message_id, created_at: iso(now) };
  const { record, inserted } = await storage.insert("suppressions", {
    id: makeId("ent"),
    account_id,
    only_inbox_id: "",
    address: normalizeSuppressed(address),
    ...cause,
  });
  if (!inserted && isStronger(cause.made_by, record))
    await storage.update("suppressions", { id: record.id }, cause);
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
    made_by: makerOf("stop"),
    source_message_id,
    created_at: iso(now),
  });
}

/** Reverts the effect of STOP: the number texted START to that inbox. */
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
