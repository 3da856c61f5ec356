import { fail } from "../../catalogue/errors.ts";
import { isId } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { notFound } from "../../kernel/gate.ts";
import { takeSlot } from "../../kernel/rate.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { SuppressionRecord } from "../../model/suppressions.ts";
import type { StorageWriter } from "../../ports/storage.ts";
import { type Lifter, mayLift } from "./rules.ts";
import { normalizeSuppressed } from "./suppress.ts";

/** A phone number may be suppressed for several inboxes. */
const MAX_INBOXES = 1_000;

/**
 * Lifts the suppressions of an address, phone number or id, in the caller's transaction. Fails with
 * `suppression_not_found`, or with `suppression_locked` if `by` may not lift all of them.
 */
export async function liftSuppressions(
  work: StorageWriter,
  account_id: string,
  { named, by }: { named: string; by: Lifter },
  now: Date,
): Promise<Pick<SuppressionRecord, "id" | "address">> {
  const where = isId("ent", named)
    ? { id: named, account_id }
    : { account_id, address: normalizeSuppressed(named) };
  const found = await work.find("suppressions", { where, limit: MAX_INBOXES });
  const [first] = found;
  if (first === undefined) throw notFound("suppression_not_found", "ent", named);
  for (const each of found) {
    if (mayLift(each, by, false) && mayLift(each, by, true)) continue;
    if (mayLift(each, by, false) && (await isFirstLately(work, each, now))) continue;
    throw fail("suppression_locked", { message: REASONS[each.made_by](each.address) });
  }
  await work.delete("suppressions", { id: { in: found.map(({ id }) => id) } });
  return { id: first.id, address: first.address };
}

/** Whether no key has lifted the suppression of this address lately; records that one has now. */
async function isFirstLately(
  work: StorageWriter,
  { account_id, address }: SuppressionRecord,
  now: Date,
): Promise<boolean> {
  const name = `suppression-lift:${hashSecret(`${account_id} ${address}`)}`;
  const lease_ms = LIMITS.suppression_lift_ms;
  return (await takeSlot(work, { name, slots: 1, holder: account_id, lease_ms }, now)) !== undefined;
}

const REASONS: Record<SuppressionRecord["made_by"], (address: string) => string> = {
  bounce: (address) => `${address} bounced again: a key lifts that once in 30 days.`,
  complaint: (address) => `${address} complained about mail of this account.`,
  person: (address) => `${address} asked for no more messages.`,
  key: (address) => `${address} is suppressed.`,
};
