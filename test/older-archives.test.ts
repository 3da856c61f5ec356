import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { SQLITE_SCHEMA } from "../packages/adapter-sqlite/src/schema.ts";
import { EXPORTED_KINDS } from "../packages/core/src/account/export/exported-kinds.ts";
import { importAccount } from "../packages/core/src/account/export/import/import-account.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { openZip } from "../packages/server/src/process/archive/zip.ts";
import { exported, imported, type Line, withLines } from "./support/archives.ts";
import { furnish } from "./support/furnished-account.ts";

/** Exports came with this migration: no archive is older. */
const FIRST_WITH_EXPORTS = 23;

test("an archive without the columns that migrations added since is taken in", async () => {
  const source = createTestService();
  const { account_id } = await furnish(source, "ada");
  const files = await exported(source, account_id);
  const added = SQLITE_SCHEMA.migrations.flatMap(({ name, sql }) =>
    [...sql.matchAll(/alter table "(\w+)" add column "(\w+)"/g)].map(([, table = "", column = ""]) => ({
      ...{ table, column, since: Number(name.slice(0, 4)) },
    })),
  );
  const later = added.filter(({ since }) => since > FIRST_WITH_EXPORTS);
  expect(later.length).toBeGreaterThan(5);
  const older = EXPORTED_KINDS.reduce((all, kind) => {
    const columns = new Set(later.filter(({ table }) => table === kind).map(({ column }) => column));
    return withLines(all, kind, (line) =>
      Object.fromEntries(Object.entries(line).filter(([column]) => !columns.has(column))),
    );
  }, files);
  const { records } = await imported(createTestService(), older);
  expect(records).toBeGreaterThan(50);
});

/** The archives of released versions, each written by the version that it is named after. */
const ARCHIVES = globSync("test/fixtures/archives/*.zip").toSorted();

test("there is an archive of each released version", () => {
  expect(ARCHIVES.length).toBeGreaterThan(0);
});

test.each(ARCHIVES)("%s is taken in", async (path) => {
  const archive = await openZip(path);
  const { records, missing_files } = await importAccount(createTestService().letterslot.services, archive);
  await archive.close();
  expect(records).toBeGreaterThan(50);
  expect(missing_files).toBe(0);
});

test("a nullable field that any of its records lacks is null, also within its values", async () => {
  const source = createTestService();
  const { account_id } = await furnish(source, "ada");
  const files = await exported(source, account_id);
  const older = EXPORTED_KINDS.reduce((all, kind) => withLines(all, kind, withoutNulls), files);
  const head = JSON.parse(files.get("account.json")?.toString() ?? "") as Line;
  older.set("account.json", Buffer.from(JSON.stringify(withoutNulls(head))));
  const [before, after] = [createTestService(), createTestService()];
  await imported(before, files);
  await imported(after, older);
  const again = async (service: typeof before) => {
    const exports = await exported(service, account_id);
    return ["messages", "drafts", "inboxes", "tasks", "approvals"].map((kind) =>
      exports.get(`${kind}.jsonl`)?.toString(),
    );
  };
  expect(await again(after)).toEqual(await again(before));
});

/** The same records without the fields that are null, at any depth. */
function withoutNulls(line: Line): Line {
  const without = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(without);
    return typeof value === "object" && value !== null ? withoutNulls(value as Line) : value;
  };
  const left = Object.entries(line).filter(([, value]) => value !== null);
  return Object.fromEntries(left.map(([name, value]) => [name, without(value)]));
}
