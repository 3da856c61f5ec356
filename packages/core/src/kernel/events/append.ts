import type { MakeId } from "../../catalogue/ids.ts";
import type { EventRecord } from "../../model/feed.ts";
import { iso } from "../../model/fields.ts";
import type { Transaction } from "../../ports/storage.ts";
import { countForParent } from "../sub-account-bytes.ts";
import type { PendingEvent } from "../work.ts";
import { countMetrics } from "./count.ts";

/**
 * Writes an account's events with its next sequence numbers, and counts the bytes stored with them. Updating the
 * account's row first locks it, so numbers follow commit order.
 */
export async function appendEvents(
  tx: Transaction,
  { account_id, now, makeId, bytes = 0 }: { account_id: string; now: Date; makeId: MakeId; bytes?: number },
  events: readonly PendingEvent[],
): Promise<EventRecord[]> {
  const names = events.map(({ type }) => type);
  const [[account]] = await Promise.all([
    tx.update(
      "accounts",
      { id: account_id },
      { event_sequence: { add: events.length }, ...(bytes === 0 ? {} : { storage_bytes: { add: bytes } }) },
    ),
    countMetrics(tx, account_id, names, now),
  ]);
  if (account === undefined) throw new Error(`account ${account_id} is gone`);
  await countForParent(tx, account, bytes);
  const first = account.event_sequence - events.length + 1;
  const created_at = iso(now);
  const records = events.map((event, index) => ({
    id: makeId("evt"),
    account_id,
    sequence: first + index,
    created_at,
    message_id: null,
    ...event,
  }));
  tx.append("events", records);
  return records;
}
