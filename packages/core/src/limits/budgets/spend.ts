import type { AccountCaller } from "../../kernel/access/caller.ts";
import { type Cap, count, countedSoFar } from "../../kernel/rate.ts";
import { addressKey } from "../../model/address.ts";
import type { BudgetLeft } from "../../model/budgets.ts";
import { iso } from "../../model/fields.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { StorageReader, StorageWriter } from "../../ports/storage.ts";
import {
  allOpenFrom,
  type Budgeted,
  type CountedLimit,
  checkDomains,
  checkHours,
  endOfDay,
  overLimit,
  type Recipients,
} from "./rules.ts";

const DAY_MS = 24 * 3600_000;
const COUNTED: readonly CountedLimit[] = ["sends_per_day", "new_recipients_per_day"];

/** Returns the id of the requesting key; null for a person or an app, to whom no budget applies. */
export const askingKey = (caller: AccountCaller): string | null =>
  caller.type === "key" ? caller.key.id : null;

/** Returns a key and all of its ancestors, itself first, as they are stored now. */
export async function lineageOf(reader: StorageReader, key_id: string | null): Promise<KeyRecord[]> {
  const lineage: KeyRecord[] = [];
  for (let id = key_id; id !== null; id = lineage.at(-1)?.parent_key_id ?? null) {
    const key = await reader.get("keys", id);
    if (key === undefined) break;
    lineage.push(key);
  }
  return lineage;
}

/**
 * Counts a mail that is sent now against the key that requested it and all its ancestors, and notes its recipients,
 * in the transaction that stores the mail: a rollback undoes the count. Fails with `budget_exceeded` or
 * `recipient_outside_budget`.
 */
export async function spendBudget(
  work: StorageWriter,
  key_id: string | null,
  { account_id, ...mail }: Recipients & { account_id: string },
  now: Date,
): Promise<void> {
  const addresses = addressesOf(mail);
  const [budgeted, added] = await Promise.all([
    budgetsOver(work, key_id),
    noteRecipients(work, account_id, addresses, now),
  ]);
  checkDomains(budgeted, mail);
  checkHours(budgeted, now, now);
  const amounts = { sends_per_day: addresses.length, new_recipients_per_day: added };
  for (const key of budgeted) {
    for (const limit of COUNTED) {
      const cap = capOf(key, limit);
      if (cap === undefined || amounts[limit] === 0) continue;
      const { within } = await count(work, cap, now, amounts[limit]);
      if (!within) throw overLimit(budgeted, key, limit, now);
    }
  }
}

/**
 * Checks a mail that waits for its time or an owner, and is counted when it is sent: fails if its budgets would
 * certainly refuse it then, or, without a time, now. Fails as `spendBudget` does.
 */
export async function checkBudget(
  reader: StorageReader,
  key_id: string | null,
  { account_id, send_at, ...mail }: Recipients & { account_id: string; send_at: string | null },
  now: Date,
): Promise<void> {
  const budgeted = await budgetsOver(reader, key_id);
  if (budgeted.length === 0) return;
  checkDomains(budgeted, mail);
  checkHours(budgeted, send_at === null ? now : new Date(send_at), now);
  if (send_at !== null) return;
  const addresses = addressesOf(mail);
  const known = await knownOf(reader, account_id, addresses);
  const amounts = {
    sends_per_day: addresses.length,
    new_recipients_per_day: addresses.length - known.size,
  };
  for (const key of budgeted) {
    for (const limit of COUNTED) {
      const cap = capOf(key, limit);
      if (cap === undefined || amounts[limit] === 0) continue;
      if ((await countedSoFar(reader, cap, now)) + amounts[limit] > cap.max)
        throw overLimit(budgeted, key, limit, now);
    }
  }
}

/** Returns what is left today of the budgets over a key; null when there are none. */
export async function budgetLeft(
  reader: StorageReader,
  key_id: string,
  now: Date,
): Promise<BudgetLeft | null> {
  const budgeted = await budgetsOver(reader, key_id);
  if (budgeted.length === 0) return null;
  const opens_at = allOpenFrom(budgeted, now);
  const left = async (limit: CountedLimit) => {
    const caps = budgeted.flatMap((each) => capOf(each, limit) ?? []);
    const each = await Promise.all(caps.map(async (cap) => cap.max - (await countedSoFar(reader, cap, now))));
    return caps.length === 0 ? null : Math.max(0, Math.min(...each));
  };
  return {
    ...budgeted.find(({ id }) => id === key_id)?.budget,
    sends_left: await left("sends_per_day"),
    new_recipients_left: await left("new_recipients_per_day"),
    opens_at: opens_at.getTime() === now.getTime() ? null : iso(opens_at),
    resets_at: iso(endOfDay(now)),
  };
}

async function budgetsOver(reader: StorageReader, key_id: string | null): Promise<Budgeted[]> {
  const lineage = await lineageOf(reader, key_id);
  return lineage.flatMap(({ id, budget }) => (budget === null ? [] : { id, budget }));
}

function capOf({ id, budget }: Budgeted, limit: CountedLimit): Cap | undefined {
  const max = budget[limit];
  return max === undefined ? undefined : { name: `budget:${limit}:${id}`, max, window_ms: DAY_MS };
}

/** Notes that an account wrote to these addresses, and returns how many it had never written to. */
async function noteRecipients(
  storage: StorageWriter,
  account_id: string,
  addresses: readonly string[],
  now: Date,
): Promise<number> {
  const known = await knownOf(storage, account_id, addresses);
  let added = 0;
  for (const address of addresses) {
    if (known.has(address)) continue;
    const { inserted } = await storage.insert("recipients", {
      ...{ account_id, address, first_at: iso(now) },
      ...{ left_at: null, approved_at: null, inbox_id: null },
    });
    if (inserted) added += 1;
  }
  return added;
}

/** Remembers the recipients of a mail that a person approved: they aren't new to the account any more. */
export async function rememberRecipients(
  work: StorageWriter,
  { account_id, inbox_id, ...mail }: Recipients & { account_id: string; inbox_id: string },
  now: Date,
): Promise<void> {
  const remembered = { approved_at: iso(now), inbox_id };
  for (const address of addressesOf(mail)) {
    const record = { account_id, address, first_at: iso(now), left_at: null, ...remembered };
    const { inserted } = await work.insert("recipients", record);
    if (!inserted) await work.update("recipients", { account_id, address }, remembered);
  }
}

async function knownOf(
  reader: StorageReader,
  account_id: string,
  addresses: readonly string[],
): Promise<Set<string>> {
  const where = { account_id, address: { in: [...addresses] } };
  const known = await reader.find("recipients", { where, limit: addresses.length });
  return new Set(known.map(({ address }) => address));
}

/** The recipients of a mail, each mailbox once, in the order in which every sender takes them. */
const addressesOf = ({ to, cc, bcc }: Recipients): string[] =>
  [...new Set([...to, ...cc, ...bcc].map(addressKey))].sort();
