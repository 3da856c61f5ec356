import { join } from "node:path";
import { storageKit } from "@letterslot/core/conformance";
import { createVerbs } from "@letterslot/sql";
import Database from "better-sqlite3";
import { test } from "vitest";
import { copyAsAfterCrash, temporaryFolder } from "../test/temporary-folder.ts";
import { sqliteDialect } from "./sqlite-dialect.ts";
import { createSqliteStorage } from "./sqlite-storage.ts";

const verbs = createVerbs(sqliteDialect);

storageKit({
  test,
  async open() {
    const { folder, remove } = await temporaryFolder();
    const path = join(folder, "mail.db");
    const opened = [createSqliteStorage({ path, exclusive: true })];
    return {
      storage: opened[0] as (typeof opened)[number],
      async reopen() {
        const copy = join(folder, "copy.db");
        await copyAsAfterCrash(path, copy);
        const again = createSqliteStorage({ path: copy });
        opened.push(again);
        return again;
      },
      async plan(table, query) {
        const database = new Database(path, { readonly: true });
        const { sql, parameters } = verbs.findStatement(table, query);
        const lines = database.prepare(`explain query plan ${sql}`).all(parameters) as { detail: string }[];
        database.close();
        const detail = lines.map((line) => line.detail).join("; ");
        return { scans: /\bSCAN (?!json_each)/.test(detail), sorts: detail.includes("TEMP B-TREE"), detail };
      },
      async close() {
        for (const storage of opened) await storage.close();
        await remove();
      },
    };
  },
});
