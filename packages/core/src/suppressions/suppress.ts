import { entriesFor } from "../allowlist/index.ts";
import { fail } from "../catalogue/errors.ts";
import type { MakeId } from "../catalogue/ids.ts";
import { iso } from "../model/fields.ts";
import type { MessageRecord } from "../model/messages.ts";
import type { SuppressionRecord } from "../model/suppressions.ts";
import type { StorageReader, StorageWriter } from "../ports/storage.ts";

/** The form in which an address is suppressed and looked up. */
export const suppressedForm = (address: string): string =>
  entriesFor(address)[0] ?? address.trim().toLowerCase();

/**
 * Suppresses an address because of a message that was sent to it; one that is suppressed already stays as it
 * is.
 */
export async function suppressAfter(
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
    address: suppressedForm(address),
    reason,
    source_message_id,
    created_at: iso(now),
  });
}

/** Fails with `recipient_suppressed` when the account doesn't write to one of the addresses. */
export async function checkSuppressions(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  recipients: readonly string[],
): Promise<void> {
  if (recipients.length === 0) return;
  const where = { account_id, address: { in: [...new Set(recipients.map(suppressedForm))] } };
  const [found] = await reader.find("suppressions", { where, limit: 1 });
  if (found === undefined) return;
  throw fail("recipient_suppressed", {
    param: "to",
    message: `${found.address} is suppressed, for this reason: ${found.reason}.`,
  });
}

/** Whether the account doesn't write to the address. */
export async function isSuppressed(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  address: string,
): Promise<boolean> {
  const where = { account_id, address: suppressedForm(address) };
  return (await reader.find("suppressions", { where, limit: 1 })).length > 0;
}
