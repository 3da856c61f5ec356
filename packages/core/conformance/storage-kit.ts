import { type Kit, withFresh } from "./kit.ts";
import { testDurability } from "./storage/durability.ts";
import { testFeed } from "./storage/feed.ts";
import { testReading } from "./storage/get-and-find.ts";
import { testWriting } from "./storage/insert-update-delete.ts";
import type { OpenedStorage } from "./storage/opened.ts";
import { testPlans } from "./storage/plans.ts";
import { testSearch } from "./storage/search.ts";
import { testTransactions } from "./storage/transaction.ts";

/**
 * Checks every promise of the storage port, including under concurrent writers. Each test opens a fresh,
 * empty storage.
 */
export function storageKit(kit: Kit<OpenedStorage>): void {
  const test = withFresh(kit);
  testReading(test);
  testWriting(test);
  testTransactions(test);
  testFeed(test);
  testSearch(test);
  testDurability(test);
  testPlans(test);
}
