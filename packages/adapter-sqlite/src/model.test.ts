import { join } from "node:path";
import { storageModelKit } from "@letterslot/core/conformance";
import { test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

storageModelKit({
  test: (name, run) => test(name, { timeout: 60_000 }, run),
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
