import { test } from "vitest";
import { storageKit } from "../conformance/index.ts";
import { createMemoryStorage } from "./memory-storage.ts";

storageKit({
  test,
  async open() {
    const storage = createMemoryStorage();
    return { storage, close: () => storage.close() };
  },
});
