import type { Transaction } from "../ports/storage.ts";

/**
 * Notes, in the transaction that deletes them, up to which number an account's events are gone because of
 * their age.
 */
export async function raiseFloor(tx: Transaction, account_id: string, sequence: number): Promise<void> {
  const { inserted } = await tx.insert("event_floors", { account_id, sequence });
  if (!inserted) await tx.update("event_floors", { account_id, sequence: { lt: sequence } }, { sequence });
}
