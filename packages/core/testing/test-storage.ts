import type { Storage } from "../src/ports/storage.ts";
import { createMemoryStorage } from "./memory-storage.ts";

/** An empty storage for a test, and whether calls of it are under way. */
interface TestStorage {
  storage: Storage;
  busy(): boolean;
}

let open: (() => Promise<Storage>) | undefined;

/**
 * Says what services for tests store in from now on, unless they are handed a storage: so the same tests run
 * on any of them.
 */
export function useTestStorage(factory: () => Promise<Storage>): void {
  open = factory;
}

/** A storage in memory, or one that `useTestStorage` said. */
export function createTestStorage(): TestStorage {
  return open === undefined ? { storage: createMemoryStorage(), busy: () => false } : watched(open());
}

/** A storage that can be used while it is being opened, and counts what is under way. */
function watched(opened: Promise<Storage>): TestStorage {
  let underWay = 0;
  // Whoever uses the storage is told what went wrong.
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
