import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { promisify } from "node:util";
import { storageKit, storageModelKit } from "@letterslot/core/conformance";
import { expect, test } from "vitest";
import { openNodeSqliteStorage, verbs } from "./node-sqlite-storage.ts";

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-sql-adapter-"));
  const path = join(folder, "mail.db");
  const opened = [openNodeSqliteStorage(path)];
  return {
    storage: opened[0] as (typeof opened)[0],
    async reopen() {
      const again = openNodeSqliteStorage(path);
      opened.push(again);
      return again;
    },
    async plan(table: Parameters<typeof verbs.findStatement>[0], query: unknown) {
      const database = new DatabaseSync(path, { readOnly: true });
      const { sql, parameters } = verbs.findStatement(
        table,
        query as Parameters<typeof verbs.findStatement>[1],
      );
      const rows = database.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
      database.close();
      const detail = rows.map((row) => row["detail"]).join("; ");
      return { scans: /\bSCAN (?!json_each)/.test(detail), sorts: detail.includes("TEMP B-TREE"), detail };
    },
    async close() {
      await Promise.all(opened.map((storage) => storage.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

storageKit({ test, open });
storageModelKit({ test, open });

test("a database from a newer version is refused", () => {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-sql-adapter-"));
  const path = join(folder, "mail.db");
  const database = new DatabaseSync(path);
  database.exec("create table migrations (version integer primary key, name text)");
  database.exec("insert into migrations values (99, 'newer')");
  database.close();
  expect(() => openNodeSqliteStorage(path)).toThrow("schema version 99");
  rmSync(folder, { recursive: true, force: true });
});

test("the program finds its mail again after reopening", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "index.ts")], {
    timeout: 100_000,
  });
  expect(stdout).toBe("found after reopening: Kept in SQLite\n");
});
