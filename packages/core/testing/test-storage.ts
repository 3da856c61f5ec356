import type { Storage } from "../src/ports/storage.ts";
import { createMemoryStorage } from "./memory-storage.ts";

let make: () => Storage = createMemoryStorage;

/** Says what services for tests store in from now on, unless they are handed a storage: so the same tests run on any of them. */
export function useTestStorage(factory: () => Storage): void {
  make = factory;
}

/** An empty storage for a test. */
export function createTestStorage(): Storage {
  return make();
}
