import type { Storage } from "../src/ports/storage.ts";
import { createMemoryStorage } from "./memory-storage.ts";

/** An empty storage for a test, and whether it has calls in progress. */
interface TestStorage {
  storage: Storage;
  busy(): boolean;
}

/** The default storages of test services. */
interface TestStorages {
  open(): Promise<Storage>;
  /** Empties the storages that the running test has opened, so that they can be opened again. */
  recycle(): Promise<void>;
}

let storages: TestStorages | undefined;

/** Sets the storages that test services use by default, so that the same tests run on any storage. */
export function useTestStorage(given: TestStorages): void {
  storages = given;
}

/**
 * Ends the use of all services that the running test has created: the next ones store where they did. For tests of
 * many services, as a new storage takes longer than such a test.
 */
export async function recycleTestStorage(): Promise<void> {
  await storages?.recycle();
}

/** Opens the storage set by `useTestStorage`, or one in memory. */
export function createTestStorage(): TestStorage {
  return storages === undefined
    ? { storage: createMemoryStorage(), busy: () => false }
    : watched(storages.open());
}

/** Wraps a storage so that it can be used while it is opening, and counts calls in progress. */
function watched(opened: Promise<Storage>): TestStorage {
  let underWay = 0;
  // The callers of the storage get the error.
  opened.catch(() => undefined);

  const counted = async <T>(call: (storage: Storage) => Promise<T>): Promise<T> => {
    underWay++;
    try {
      return await call(await opened);
    } finally {
      underWay--;
    }
  };
  const storage: Storage = {
    get: (...given) => counted((each) => each.get(...given)),
    follow: (...given) => counted((each) => each.follow(...given)),
    find: (...given) => counted((each) => each.find(...given)),
    count: (...given) => counted((each) => each.count(...given)),
    search: (...given) => counted((each) => each.search(...given)),
    insert: (...given) => counted((each) => each.insert(...given)),
    update: (...given) => counted((each) => each.update(...given)),
    delete: (...given) => counted((each) => each.delete(...given)),
    transaction: (run) => counted((each) => each.transaction(run)),
    ping: () => counted((each) => each.ping()),
    close: () => counted((each) => each.close()),
  };
  return { storage, busy: () => underWay > 0 };
}
