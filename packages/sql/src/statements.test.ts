import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import { describe, expect, test } from "vitest";
import type { AnyTables, SqlDialect } from "./sql-dialect.ts";
import { createStatements } from "./statements.ts";

const SQLITE_DIALECT: SqlDialect = {
  builder: new Kysely<AnyTables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  encode: { boolean: Number, json: (value) => JSON.stringify(value) },
  decode: { boolean: (value) => value === 1, json: (value) => JSON.parse(String(value)) as unknown },
  skips_locked: false,
  counts_inserts: true,
  limit: (parameter) => parameter,
  oneOf: (column, values) => sql<SqlBool>`${column} in (select value from json_each(${values}))`,
  encodeList: (values) => JSON.stringify(values),
  contains: (column, value) =>
    sql<SqlBool>`exists (select 1 from json_each(${column}) where value = ${value})`,
  encodeElement: (value) => value,
};

const POSTGRES_DIALECT: SqlDialect = {
  builder: new Kysely<AnyTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (database) => new PostgresIntrospector(database),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }).withSchema("mail"),
  encode: { json: (value) => JSON.stringify(value) },
  decode: { integer: Number },
  skips_locked: true,
  limit: (parameter) => parameter,
  oneOf: (column, values) => sql<SqlBool>`${column} = any(${values})`,
  encodeList: (values) => values,
  contains: (column, value) => sql<SqlBool>`${column} @> ${value}::jsonb`,
  encodeElement: (value) => JSON.stringify([value]),
};

const SLOT = { name: "s:0", holder: "me", expires_at: "2026-01-01T00:00:00.000Z" };

describe("statements", () => {
  const statements = createStatements(SQLITE_DIALECT);

  test("equal shapes have the same text, whatever the values", () => {
    const find = (id: string, limit: number) =>
      statements.find("jobs", { where: { id, lease: null, attempts: { lt: limit } }, limit });
    const first = find("a", 1);
    const second = find("b", 2);
    expect(second.sql).toBe(first.sql);
    expect([first.parameters, second.parameters]).toEqual([
      ["a", 1, 1],
      ["b", 2, 2],
    ]);
  });

  test("null changes the text, the length of a list does not", () => {
    const text = (lease: string | null) => statements.find("jobs", { where: { lease }, limit: 1 }).sql;
    expect(text(null)).toContain('"lease" is null');
    expect(text("x")).toContain('"lease" = ?');
    const list = (ids: string[]) => statements.find("jobs", { where: { id: { in: ids } }, limit: 1 });
    expect(list(["a", "b", "c"]).sql).toBe(list(["a", "b"]).sql);
    expect(list(["a", "b"]).parameters).toEqual(['["a","b"]', 1]);
  });

  test("a list of one value is looked up by equality, an empty one finds nothing", () => {
    const list = (ids: string[]) => statements.find("jobs", { where: { id: { in: ids } }, limit: 1 });
    expect(list(["a"]).sql).toContain('where "id" = ? limit ?');
    expect([list(["a"]).parameters, list(["b", "b"]).parameters]).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
    expect(list([]).sql).toBe(list(["a", "b"]).sql);
    expect(list([]).parameters).toEqual(["[]", 1]);
    const ofJson = statements.find("jobs", { where: { payload: { in: [{ x: 1 }] } }, limit: 1 });
    expect(ofJson.parameters).toEqual(['{"x":1}', 1]);
  });

  test("an insert has a parameter for each column in their order, and returns no row where affected ones are counted", () => {
    const { name, ...rest } = SLOT;
    expect(statements.insert("slots", { ...rest, name })).toEqual({
      sql: 'insert into "slots" ("name", "holder", "expires_at") values (?, ?, ?) on conflict do nothing',
      parameters: Object.values(SLOT),
      access: { table: "slots", does: "inserts", where: SLOT },
    });
  });

  test("a statement says what it does with which records", () => {
    const [where, change] = [{ id: "a" }, { lease: "x" }];
    const about = { table: "jobs", where };
    expect(statements.find("jobs", { where, limit: 1 }).access).toEqual({ ...about, does: "reads" });
    expect(statements.count("jobs", where, 1).access).toEqual({ ...about, does: "reads" });
    expect(statements.delete("jobs", where).access).toEqual({ ...about, does: "changes" });
    expect(statements.update("jobs", where, change).access).toEqual({ ...about, does: "changes", change });
  });

  test("an update sets values and adds to numbers", () => {
    const { sql: text, parameters } = statements.update(
      "jobs",
      { id: "a" },
      { attempts: { add: 2 }, payload: { x: 1 }, lease: null },
    );
    expect(text).toContain('set "attempts" = "attempts" + ?, "payload" = ?, "lease" = ? where "id" = ?');
    expect(parameters).toEqual([2, '{"x":1}', null, "a"]);
    expect(statements.update("jobs", { id: "a" }, { attempts: 2 }).sql).toContain('"attempts" = ?');
  });

  test("unknown names never reach the text", () => {
    const hostile = '"; drop table jobs; --';
    expect(() => statements.find("jobs", { where: { [hostile]: 1 }, limit: 1 })).toThrow("has no column");
    expect(() => statements.find("jobs", { where: { id: { [hostile]: 1 } }, limit: 1 })).toThrow(
      "unknown operator",
    );
    expect(() =>
      statements.find("jobs", { where: {}, order: { by: hostile, direction: "asc" }, limit: 1 }),
    ).toThrow("has no column");
    expect(() => statements.update("jobs", {}, { [hostile]: 1 })).toThrow("has no column");
    expect(() => statements.append("slots", { ...SLOT, [hostile]: 1 })).toThrow("missing or unknown columns");
  });

  test("missing or undefined columns and undefined conditions are refused", () => {
    const { holder: _, ...missing } = SLOT;
    expect(() => statements.append("slots", missing)).toThrow("missing or unknown columns: holder");
    expect(() => statements.append("slots", { ...SLOT, holder: undefined })).toThrow(
      "slots.holder is missing",
    );
    expect(() => statements.delete("slots", { name: undefined })).toThrow(
      "the condition on name is undefined",
    );
    expect(() => statements.delete("slots", { name: { lt: undefined } })).toThrow(
      "the condition on name is undefined",
    );
    expect(() => statements.delete("slots", { name: {} })).toThrow("the condition on name is empty");
  });

  test("rows are decoded by column type", () => {
    const row = {
      message_id: "m",
      text: null,
      html: "{}",
      extracted_html: null,
      headers: '{"a":"b"}',
      extraction: null,
      decisions: null,
    };
    expect(statements.recordOf("message_bodies", row)).toMatchObject({
      html: "{}",
      headers: { a: "b" },
      extraction: null,
    });
  });
});

describe("lists whose values are looked up one by one", () => {
  const statements = createStatements({
    ...POSTGRES_DIALECT,
    typed: (value, { type }, list) => sql`${value}::${sql.raw(list ? `${type}[]` : type)}`,
  });
  const newest = { by: "message_id", direction: "desc" } as const;

  test("each value of a list is a look-up of its own, and its rows are ordered with the others'", () => {
    const where = { inbox_id: "i", term: { in: ["a", "b", "a", "c"] } };
    const { sql: text, parameters } = statements.find("message_terms", { where, order: newest, limit: 5 });
    expect(text.replace(/select "inbox_id".* from/, "select … from")).toBe(
      'select "found".* from (values ($1::text), ($2::text), ($3::text), ($4::text)) as "wanted_0" ("value")' +
        ' cross join lateral (select … from "mail"."message_terms"' +
        ' where "term" = "wanted_0"."value" and "inbox_id" = $5 order by "message_id" desc limit $6) as "found"' +
        ' order by "message_id" desc limit $7',
    );
    expect(parameters).toEqual(["a", "b", "c", null, "i", 5, 5]);
  });

  test("lists of all lengths make few texts", () => {
    const texts = Array.from({ length: 100 }, (_, more) => {
      const ids = [...Array(more + 2).keys()].map((index) => `id_${index}`);
      return statements.find("messages", { where: { id: { in: ids } }, limit: 1 }).sql;
    });
    expect(new Set(texts).size).toBe(4);
    expect(texts.at(-1)).toContain('from unnest($1::text[]) as "wanted_0" ("value") cross join lateral');
  });

  test.each([
    ["which no index begins with", { inbox_id: "i", own: { in: [true, false] } }, "message_references"],
    ["behind a range in its index", { inbox_id: { gte: "i" }, term: { in: ["a", "b"] } }, "message_terms"],
    ["behind a column that isn't asked for", { term: { in: ["a", "b"] } }, "message_terms"],
  ] as const)("a list %s is one condition", (_, where, table) => {
    expect(statements.find(table, { where, limit: 5 }).sql).toMatch(/ = any\(\$\d\)/);
  });

  test("two lists are looked up in all combinations", () => {
    const where = { list: { in: ["l", "m"] }, entry: { in: ["x", "y"] } };
    const { sql: text, parameters } = statements.find("list_entries", { where, limit: 4 });
    expect(text).toContain(
      'as "wanted_0" ("value") cross join (values ($3::text), ($4::text)) as "wanted_1"',
    );
    expect(text).toContain('where "list" = "wanted_0"."value" and "entry" = "wanted_1"."value" limit $5');
    expect(parameters).toEqual(["l", "m", "x", "y", 4, 4]);
  });

  test("records that others hold are skipped by one condition, as each look-up would take as many", () => {
    const find = { where: { id: { in: ["a", "b"] } }, limit: 5, skip_locked: true };
    expect(statements.find("jobs", find).sql).toContain('"id" = any($1)');
  });
});

describe("pages of a few values", () => {
  const statements = createStatements({ ...SQLITE_DIALECT, merges_lists: true });
  const newest = { by: "id", direction: "desc" } as const;

  test("are merged from those of each value", () => {
    const where = { account_id: "a", status: { in: ["x", "y", "x"] }, id: { lt: "t" } };
    const { sql: text, parameters } = statements.find("tasks", { where, order: newest, limit: 5 });
    const page =
      'select * from (select … where "status" = ? and "account_id" = ? and "id" < ? order by "id" desc limit ?)';
    expect(text.replaceAll(/\(select "id".*? from "tasks"/g, "(select …")).toBe(
      `${page} union all ${page} order by "id" desc limit ?`,
    );
    expect(parameters).toEqual(["x", "a", "t", 5, "y", "a", "t", 5, 5]);
  });

  test.each([
    ["in an order that no index goes on with", { account_id: "a", status: { in: ["x", "y"] } }, "updated_at"],
    ["of a list in no index", { account_id: "a", attempts: { in: [1, 2] } }, "id"],
    [
      "with a further condition than the index's",
      { account_id: "a", status: { in: ["x", "y"] }, attempts: 1 },
      "id",
    ],
    ["of many values", { account_id: "a", status: { in: [..."abcdefghi"] } }, "id"],
  ] as const)("%s are one condition", (_, where, by) => {
    const { sql: text } = statements.find("tasks", { where, order: { by, direction: "desc" }, limit: 5 });
    expect(text).not.toContain("union all");
  });
});

describe("statements for PostgreSQL", () => {
  const statements = createStatements(POSTGRES_DIALECT);

  test("parameters are numbered and tables are qualified with their schema", () => {
    const { sql: text, parameters } = statements.find("jobs", {
      where: { id: { in: ["a", "b"] }, lease: { not: "x" }, attempts: { gte: 1, lt: 3 } },
      order: { by: "id", direction: "desc" },
      limit: 5,
    });
    expect(text).toMatch(/^select "id", .* from "mail"\."jobs" where/);
    expect(text).toContain(
      '"id" = any($1) and "lease" is distinct from $2 and "attempts" >= $3 and "attempts" < $4 order by "id" desc limit $5',
    );
    expect(parameters).toEqual([["a", "b"], "x", 1, 3, 5]);
  });

  test("rows locked by another writer are skipped on request", () => {
    const find = { where: {}, order: { by: "id", direction: "asc" }, limit: 5 } as const;
    expect(statements.find("jobs", { ...find, skip_locked: true }).sql).toMatch(
      /order by "id" asc limit \$1 for update skip locked$/,
    );
    expect(statements.find("jobs", find).sql).not.toContain("locked");
  });

  test("an insert skips a conflict and tells whether it inserted", () => {
    expect(statements.insert("slots", SLOT)).toEqual({
      sql: 'insert into "mail"."slots" ("name", "holder", "expires_at") values ($1, $2, $3) on conflict do nothing returning "name"',
      parameters: Object.values(SLOT),
      access: { table: "slots", does: "inserts", where: SLOT },
    });
  });

  test("records that name each other are joined, each as JSON of its columns", () => {
    const rowAsJson: SqlDialect["rowAsJson"] = (table) => sql`to_json(${table})`;
    const joining = createStatements({ ...POSTGRES_DIALECT, rowAsJson });
    const statement = joining.follow("proven_domains", "d.example", [["domain_id", "domains"]]);
    expect(statement?.parameters).toEqual(["d.example"]);
    expect(statement?.sql).toMatch(
      /^select to_json\("step_0"\) as "step_0", to_json\("step_1"\) as "step_1" from \(select .* from "mail"."proven_domains" where "domain" = \$1\) as "step_0" left join lateral \(select .* from "mail"."domains" where "id" = "step_0"."domain_id"\) as "step_1" on true$/,
    );
    expect(() => joining.follow("proven_domains", "d.example", [['hostile"', "domains"]])).toThrow(
      "no column",
    );
    expect(createStatements(POSTGRES_DIALECT).follow("slots", "a", [])).toBeUndefined();
  });

  test("a count stops at its limit", () => {
    expect(statements.count("slots", { holder: "me" }, 10)).toEqual({
      sql: 'select count(*) as "count" from (select 1 as "one" from "mail"."slots" where "holder" = $1 limit $2) as "matching"',
      parameters: ["me", 10],
      access: { table: "slots", does: "reads", where: { holder: "me" } },
    });
  });
});
