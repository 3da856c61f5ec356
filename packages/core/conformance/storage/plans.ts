import assert from "node:assert/strict";
import { columnsOf, type TableName, tables } from "../../src/model/tables.ts";
import type { Find, Value } from "../../src/ports/storage.ts";
import type { StorageTest } from "./opened.ts";

/** Every declared index is used by its queries: no table scan, no sort. */
export function testPlans(test: StorageTest): void {
  // One test, since opening a storage takes longer than the plans of a table.
  test("queries of every table cost what their page costs", async ({ plan }) => {
    if (plan === undefined) return;
    const costly: string[] = [];
    for (const name of Object.keys(tables) as TableName[])
      for (const query of queriesOf(name)) {
        const { scans, sorts, detail } = await plan(name, query as Find<TableName>);
        if (scans || sorts) costly.push(`${name} ${JSON.stringify(query)}: ${detail}`);
      }
    assert.deepEqual(costly, []);
  });
}

interface Query {
  where: Record<string, unknown>;
  order?: { by: string; direction: "asc" | "desc" };
  limit: number;
}

function queriesOf(name: TableName): Query[] {
  const { key, unique, indexes } = tables[name];
  return [
    ...[key, ...unique].flatMap((columns) => lookUps(name, columns)),
    ...[key, ...indexes].flatMap((columns) => pages(name, columns)),
  ];
}

/** Look-ups by all columns of a key. */
function lookUps(name: TableName, columns: readonly string[]): Query[] {
  const { rest, last, sample } = samplesOf(name, columns);
  return [
    { where: { ...rest, [last]: sample }, limit: 2 },
    { where: { ...rest, [last]: { in: [sample, sample] } }, limit: 2 },
  ];
}

/** Pages ordered by the last column. An index may leave out records without a value in it: their page is never asked for. */
function pages(name: TableName, columns: readonly string[]): Query[] {
  const { rest, last, sample } = samplesOf(name, columns);
  return [
    ...lookUps(name, columns),
    { where: { ...rest, [last]: { lt: sample } }, order: { by: last, direction: "desc" }, limit: 50 },
    { where: { ...rest, [last]: { gt: sample } }, order: { by: last, direction: "asc" }, limit: 50 },
    ...(columns.length > 1 && !columnOf(name, last)?.nullable
      ? [{ where: rest, order: { by: last, direction: "desc" as const }, limit: 50 }]
      : []),
  ];
}

function samplesOf(name: TableName, columns: readonly string[]) {
  const last = columns.at(-1) as string;
  const rest = Object.fromEntries(columns.slice(0, -1).map((column) => [column, sampleOf(name, column)]));
  return { rest, last, sample: sampleOf(name, last) };
}

function sampleOf(name: TableName, column: string): Value {
  const type = columnOf(name, column)?.type;
  assert.ok(type === "text" || type === "integer", `${name}.${column} is no column to index`);
  return type === "integer" ? 1 : "sample";
}

const columnOf = (name: TableName, column: string) => columnsOf(name).find((known) => known.name === column);
