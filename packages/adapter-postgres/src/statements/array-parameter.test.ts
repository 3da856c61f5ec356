import { afterAll, beforeAll, expect, test } from "vitest";
import { freshDatabase } from "../../test/fresh-database.ts";
import { createPostgresStorage, type PostgresStorage } from "../storage/postgres-storage.ts";
import { ArrayParameter, type ElementType } from "./array-parameter.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let storage: PostgresStorage;

beforeAll(async () => {
  database = await freshDatabase();
  storage = await createPostgresStorage({ connectionString: database.url });
});

afterAll(async () => {
  await storage.close();
  await database.drop();
});

const NASTY = ["", " ", "NULL", 'a "quoted" \\ word', "{,}", "ü€😀", "line\nbreak"];

test.each<[ElementType, unknown[], string, unknown[]?]>([
  ["text", [...NASTY, null], `"each"`],
  ["json", ['{"b":1,"a":"\\"x\\""}', "[]", null], `"each"::text`],
  ["bigint", [0, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, null], `"each"`],
  ["boolean", [true, false, null], `"each"`],
  ["bytea", [Buffer.from([0, 255]), new Uint8Array(0), null], `encode("each", 'hex')`, ["00ff", "", null]],
  ["text", [], `"each"`],
])("the server reads an array of %s as it was given", async (type, values, shown, expected = values) => {
  const { rows } = await storage.database.run({
    sql: `select ${shown} as "each" from unnest($1::${type}[]) as "each"`,
    parameters: [new ArrayParameter(type, values)],
  });
  expect(rows.map(({ each }) => each)).toEqual(expected);
});

test("a number that is none of the type's fails before anything is sent", () => {
  expect(() => new ArrayParameter("bigint", [1.5])).toThrow(RangeError);
});
