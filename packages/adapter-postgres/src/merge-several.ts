import { columnsOf, type TableName, tables } from "@letterslot/core";
import { type AskedStatement, onlyAdds, type Row, type SqlStatement } from "@letterslot/sql";
import { ArrayParameter } from "./array-parameter.ts";
import { createCommonTexts, createTextNumbers } from "./common-texts.ts";
import { isMergeable, readEach } from "./merge-reads.ts";
import { columnsAs } from "./record-columns.ts";
import { quoteName } from "./schema.ts";
import { type AppendManySql, alone, type MergedStatement, numberedTexts } from "./statement-parts.ts";

/** So many different statements are made; each stays prepared on every connection. */
const MAX_MERGED = 128;

/**
 * Merges what several transactions ask at once, whose statements are independent of each other's: reads of one text
 * are one part of a statement, whatever the number of those that ask, and so are inserts into one table, and
 * additions to numbers in one table.
 */
export function createMergeSeveral(
  schema: string,
  appendManySql: AppendManySql,
): (asked: readonly AskedStatement[]) => MergedStatement[] {
  const commonText = createCommonTexts(MAX_MERGED);
  const numberOf = createTextNumbers();

  /** Makes a part of statements of one kind; undefined where that can't be. */
  const partOf = (alike: readonly (readonly [number, AskedStatement])[]): Part | undefined => {
    const asked = alike.map(([number]) => number);
    const statements = alike.map(([, { statement }]) => statement);
    const access = statements[0]?.access;
    if (access === undefined) return undefined;
    if (access.does === "inserts")
      return canTellInserted(access.table, statements)
        ? { ...insertEach(appendManySql, access.table, statements), asked }
        : undefined;
    if (access.does === "changes")
      return onlyAdds(access) && tables[access.table].key.length === 1
        ? { ...addEach(schema, access.table, statements), asked }
        : undefined;
    const isShort = alike.every(([, { statement, limit = Number.POSITIVE_INFINITY }]) =>
      isMergeable({ ...statement, max_rows: limit }),
    );
    const read = isShort ? readEach(statements) : undefined;
    const deal = (rows: readonly PartRow[]) => dealt(asked.length, rows, ({ number }) => Number(number));
    return read && { ...read, asked, reads: true, deal };
  };

  return (asked) => {
    const [only] = asked;
    if (only !== undefined && asked.length === 1) return [alone(only, 0)];
    const alike = Map.groupBy(asked.entries(), ([, { statement }]) => kindOf(statement));
    const parts = [...alike.values()]
      .flatMap((each) => partOf(each) ?? [])
      .toSorted((one, other) => numberOf(one.sql) - numberOf(other.sql));
    const key = parts.map((part) => numberOf(part.sql)).join();
    const sql = parts.length === 0 ? undefined : commonText(key, () => mergeSql(parts));
    const merged = new Set(sql === undefined ? [] : parts.flatMap((part) => part.asked));
    const [reads, others] = [true, false].map((wanted) =>
      [...asked.entries()].flatMap(([number, each]) =>
        merged.has(number) || (each.statement.access?.does === "reads") !== wanted
          ? []
          : [alone(each, number)],
      ),
    ) as [MergedStatement[], MergedStatement[]];
    // A transaction's reads don't see what it writes beside them.
    return [...reads, ...(sql === undefined ? [] : [merge(sql, parts)]), ...others];
  };
}

/** Several statements as a part of one. */
interface Part extends SqlStatement {
  /** The numbers of those that asked. */
  asked: number[];
  /** Whether it is a read, whose rows say whom they answer. */
  reads: boolean;
  /** Gives each of those that asked its rows. */
  deal(rows: readonly PartRow[]): Row[][];
}

interface PartRow {
  number: unknown;
  row: Row;
}

/** Statements of one kind are one part. No two parts change the same table: only one of their changes would take effect. */
function kindOf({ sql, access }: SqlStatement): string {
  return access !== undefined && onlyAdds(access) ? `adds to ${access.table}` : sql;
}

/**
 * Whether the key of a row tells which of the inserts it is of. Of several with one key it is the first, unless that one's other
 * unique columns may be taken. A database may change a key that isn't Unicode.
 */
function canTellInserted(table: TableName, statements: readonly SqlStatement[]): boolean {
  const key: readonly string[] = tables[table].key;
  const keys = statements.map(({ access }) => key.map((name) => access?.where?.[name]));
  const arePlain = keys.flat().every((value) => typeof value !== "string" || value.isWellFormed());
  const areDistinct = new Set(keys.map((each) => JSON.stringify(each))).size === keys.length;
  return arePlain && (areDistinct || tables[table].unique.length === 0);
}

/** Inserts into a table; each row is the key of one that was inserted. */
function insertEach(
  appendManySql: AppendManySql,
  table: TableName,
  statements: readonly SqlStatement[],
): Omit<Part, "asked"> {
  const { sql, types } = appendManySql(table);
  const key: readonly string[] = tables[table].key;
  const rows = statements.map(({ parameters }) => parameters);
  const keyPlaces = key.map((name) => columnsOf(table).findIndex((column) => column.name === name));
  // Of several with one key the first one inserts.
  const placeOf = new Map(
    rows.map((row, place) => [JSON.stringify(keyPlaces.map((at) => row[at])), place] as const).toReversed(),
  );
  return {
    sql: `${sql} on conflict do nothing returning ${quoted(key)}`,
    parameters: columnsAs(types, rows),
    reads: false,
    deal: (inserted) =>
      dealt(rows.length, inserted, ({ row }) => placeOf.get(JSON.stringify(key.map((name) => row[name])))),
  };
}

/**
 * Additions to numbers of records, each of which is named by its key. Those to the same record are summed up: each is answered with
 * the record as it would be if they ran one after the other.
 */
function addEach(schema: string, table: TableName, statements: readonly SqlStatement[]): Omit<Part, "asked"> {
  const [key = ""] = tables[table].key as readonly string[];
  const additions = statements.map(({ access }) => ({
    id: access?.where?.[key] as string,
    amounts: new Map(
      Object.entries(access?.change ?? {}).map(([name, value]) => [name, (value as { add: number }).add]),
    ),
  }));
  const ids = [...new Set(additions.map(({ id }) => id))];
  const names = [...new Set(additions.flatMap(({ amounts }) => [...amounts.keys()]))].toSorted();
  const sumOf = (id: string, name: string) =>
    additions.reduce((sum, each) => sum + (each.id === id ? (each.amounts.get(name) ?? 0) : 0), 0);
  const sets = names.map(
    (name, index) =>
      `"${name}" = "${name}" + ($${index + 2}::bigint[])[array_position($1::text[], "${key}")]`,
  );
  return {
    sql: `update ${quoteName(schema)}."${table}" set ${sets.join(", ")} where "${key}" = any($1::text[]) returning ${quoted(
      columnsOf(table).map(({ name }) => name),
    )}`,
    parameters: [
      new ArrayParameter("text", ids),
      ...names.map(
        (name) =>
          new ArrayParameter(
            "bigint",
            ids.map((id) => sumOf(id, name)),
          ),
      ),
    ],
    reads: false,
    deal(rows) {
      const left = new Map(rows.map(({ row }) => [row[key], row]));
      // From the last one back: the record before an addition is that after it, less what it adds.
      const answers = additions.toReversed().map(({ id, amounts }) => {
        const after = left.get(id);
        if (after === undefined) return [];
        const before = { ...after };
        for (const [name, amount] of amounts) if (typeof before[name] === "number") before[name] -= amount;
        left.set(id, before);
        return [after];
      });
      return answers.toReversed();
    },
  };
}

/** The rows by the place of the one that asked for them. */
function dealt(
  count: number,
  rows: readonly PartRow[],
  placeOf: (row: PartRow) => number | undefined,
): Row[][] {
  const found: Row[][] = Array.from({ length: count }, () => []);
  for (const each of rows) found[placeOf(each) ?? -1]?.push(each.row);
  return found;
}

/** The parts as one statement; its rows have the number of their part. */
function mergeSql(parts: readonly Part[]): string {
  const texts = numberedTexts(parts);
  const writes = texts.flatMap((text, index) =>
    parts[index]?.reads ? [] : [`"part_${index}" as (${text})`],
  );
  const selects = texts.map((text, index) =>
    parts[index]?.reads
      ? `select ${index} as "part", "number", "row" from (${text}) as "read_${index}"`
      : `select ${index} as "part", null::integer as "number", to_json("part_${index}") as "row" from "part_${index}"`,
  );
  return `${writes.length === 0 ? "" : `with ${writes.join(", ")} `}${selects.join(" union all ")}`;
}

function merge(sql: string, parts: readonly Part[]): MergedStatement {
  return {
    statement: { sql, parameters: parts.flatMap(({ parameters }) => parameters) },
    asked: parts.flatMap(({ asked }) => asked),
    rowsOf({ rows }) {
      const byPart = Map.groupBy(rows as unknown as readonly (PartRow & { part: unknown })[], ({ part }) =>
        Number(part),
      );
      return parts.flatMap(({ deal }, index) => deal(byPart.get(index) ?? []));
    },
  };
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
