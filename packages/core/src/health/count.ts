import { fail } from "../catalogue/errors.ts";
import type { StorageReader, StorageWriter } from "../ports/storage.ts";
import {
  dayOf,
  describeHealth,
  healthDays,
  judgeHealth,
  type SendingCounts,
  type SendingHealth,
} from "./rules.ts";

/** Adds sent, bounced and complaining recipients to the counts of today (UTC). */
export async function countSending(
  storage: StorageWriter,
  account_id: string,
  counts: Partial<SendingCounts>,
  now: Date,
): Promise<void> {
  const { sent = 0, bounced = 0, complained = 0 } = counts;
  if (sent + bounced + complained === 0) return;
  const day = dayOf(now);
  const change = { sent: { add: sent }, bounced: { add: bounced }, complained: { add: complained } };
  const add = () => storage.update("sending_days", { account_id, day }, change);
  if ((await add()).length > 0) return;
  const { inserted } = await storage.insert("sending_days", { account_id, day, sent, bounced, complained });
  if (!inserted) await add();
}

/** An account's sending health over the last seven days. */
export async function sendingHealth(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  now: Date,
): Promise<SendingHealth> {
  const days = healthDays(now);
  return judgeHealth(
    await reader.find("sending_days", { where: { account_id, day: { in: days } }, limit: days.length }),
  );
}

/** Fails with `sending_paused` while an account's bounce or complaint rate is too high. */
export async function checkSendingHealth(
  reader: Pick<StorageReader, "find">,
  account_id: string,
  now: Date,
): Promise<void> {
  const health = await sendingHealth(reader, account_id, now);
  if (health.state === "paused") throw fail("sending_paused", { message: describeHealth(health) });
}
