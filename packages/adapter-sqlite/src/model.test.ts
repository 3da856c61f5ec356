import { join } from "node:path";
import { storageModelKit } from "@letterslot/core/conformance";
import { test, vi } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

vi.setConfig({ testTimeout: 60_000 });

storageModelKit({
  test,
  async open() {
    const { folder, remove } = await temporaryFolder();
    const storage = createSqliteStorage({ path: join(folder, "mail.db") });
    const close = async () => {
      await storage.close();
      await remove();
    };
    return { storage, close };
  },
});
