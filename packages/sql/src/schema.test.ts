import { tables } from "@letterslot/core/ports";
import { expect, test } from "vitest";
import {
  createTableStatements,
  type DataSteps,
  latestVersion,
  pendingMigrations,
  type Schema,
} from "./schema.ts";

function* change(): DataSteps {
  yield { sql: "change", parameters: [] };
}

const SCHEMA: Schema = {
  first: "0001-first",
  migrations: [
    { name: "0002-second", sql: "two" },
    { name: "0003-third", sql: "three", data: change },
  ],
  create: () => ["everything"],
};
const record = (version: number) => expect.objectContaining({ version });

test("an empty database gets the newest schema at once, and its migrations are recorded", () => {
  expect(pendingMigrations(SCHEMA, 0)).toEqual({
    statements: ["everything"],
    data: [],
    versions: [
      { version: 1, name: "0001-first" },
      { version: 2, name: "0002-second" },
      { version: 3, name: "0003-third" },
    ],
  });
});

test("an older database gets the migrations that it lacks", () => {
  expect(pendingMigrations(SCHEMA, 1)).toEqual({
    statements: ["two", "three"],
    data: [change],
    versions: [record(2), record(3)],
  });
  expect(pendingMigrations(SCHEMA, 2)).toEqual({
    statements: ["three"],
    data: [change],
    versions: [record(3)],
  });
  expect(pendingMigrations(SCHEMA, latestVersion(SCHEMA))).toEqual({
    statements: [],
    data: [],
    versions: [],
  });
});

test("a database from a newer program is refused", () => {
  expect(() => pendingMigrations(SCHEMA, 4)).toThrow(
    "schema version 4, but this program knows versions up to 3",
  );
});

test("tables are created with their columns, keys and indexes", () => {
  const statements = createTableStatements({
    types: { text: "text", integer: "bigint", boolean: "boolean", json: "json" },
    options: (table) => (table === "slots" ? "strict" : ""),
    rank: ({ name }) => (name === "name" ? 1 : 0),
  });
  expect(statements.filter((sql) => sql.includes('"slots"'))).toEqual([
    'create table "slots" (\n  "holder" text not null,\n  "expires_at" text not null,\n  "name" text not null,\n  primary key ("name")\n) strict',
    'create index "slots_expires_at" on "slots" ("expires_at")',
  ]);
  expect(statements).toContain(
    'create unique index "tasks_message_id" on "tasks" ("message_id") where "message_id" is not null',
  );
  const created = statements.filter((sql) => sql.startsWith("create table"));
  expect(created.length).toBe(Object.keys(tables).length);
});
