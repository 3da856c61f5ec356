import type { SearchDocument, TableName } from "@letterslot/core/ports";
import type { AskedStatement, BufferedWrite, Row, SqlStatement } from "@letterslot/sql";
import type { Statement } from "../connections/database.ts";
import type { SearchStatements } from "../search/search-index.ts";
import { createCommonTexts, createTextNumbers } from "./common-texts.ts";
import { columnsAs } from "./record-columns.ts";
import { alone, createAppendManySql, type MergedStatement, numberedTexts } from "./statement-parts.ts";

/** Merges statements, into one where that is common. */
export interface MergeStatements {
  /** Merges the writes and queries that a transaction has ready at once. */
  together(writes: readonly BufferedWrite[], asked?: readonly AskedStatement[]): MergedStatement[];
  /** Merges the writes of a group's transactions: one insert for each table, whatever the number of its records. */
  ofGroup(writes: readonly BufferedWrite[]): MergedStatement[];
}

/** A mail is one insert, and one for each of its signatures that is remembered. */
const COMMON_INSERTS = 6;
/** Rows of a merged statement come as JSON, which costs more than it saves where they are many. */
const MAX_ROWS = 50;
/** The maximum number of different merged statements; each stays prepared on every connection. */
const MAX_MERGED = 128;

/**
 * Merges statements because one costs client and server more than its rows do. Records of a table become
 * one insert, and all of them parts of one `with`. Such a statement fails when it writes a row twice, so
 * later index changes of a message replace earlier ones, and one statement runs for all of its key.
 */
export function createMergeStatements(schema: string, search: SearchStatements): MergeStatements {
  const written = new Map<string, string>();
  const appendManySql = createAppendManySql(schema);
  const commonText = createCommonTexts(MAX_MERGED);
  const numberOf = createTextNumbers();

  const appendAll = (table: TableName, appends: readonly SqlStatement[]): SqlStatement => {
    const { sql, types } = appendManySql(table);
    const rows = appends.map(({ parameters }) => parameters);
    return { sql, parameters: columnsAs(types, rows) };
  };
  const append = (table: TableName, appends: readonly SqlStatement[]): SqlStatement => {
    const [first] = appends;
    return first !== undefined && appends.length === 1 ? first : appendAll(table, appends);
  };

  /** The statements of buffered writes; of a group's, their texts depend on the tables alone. */
  const partsOf = (writes: readonly BufferedWrite[], ofGroup: boolean): SqlStatement[] => {
    const { appends, others, indexed } = sorted(writes);
    const documents = [...indexed.values()].filter((document) => document !== undefined);
    const gone = [...indexed.keys()].filter((id) => indexed.get(id) === undefined);
    return [
      ...[...appends]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([table, each]) => (ofGroup ? appendAll(table, each) : append(table, each))),
      // In the order of their keys: two that write the same rows don't wait for each other.
      ...combined(others.toSorted(({ key: one = "" }, { key: other = "" }) => (one < other ? -1 : 1))),
      ...(documents.length === 0 ? [] : [search.index(documents)]),
      ...(gone.length === 0 ? [] : [search.unindex(gone)]),
    ];
  };

  const keyOf = (parts: readonly SqlStatement[]) => parts.map(({ sql }) => numberOf(sql)).join();
  const merge = (
    sql: string,
    parts: readonly SqlStatement[],
    asked: readonly number[],
    rare: boolean,
  ): MergedStatement => {
    const statement: Statement = { sql, parameters: parts.flatMap(({ parameters }) => parameters) };
    if (rare) statement.unprepared = true;
    return { statement, asked, rowsOf: ({ rows }) => rowsByPart(rows, asked.length) };
  };

  const ofGroup = (writes: readonly BufferedWrite[]): MergedStatement[] => {
    const parts = partsOf(writes, true);
    const sql = commonText(`group ${keyOf(parts)}`, () => mergeSql(parts, []));
    return [merge(sql ?? mergeSql(parts, []), parts, [], sql === undefined)];
  };

  const together: MergeStatements["together"] = (writes, asked = []) => {
    const further = partsOf(writes, false);
    const [only] = asked;
    if (only !== undefined && asked.length === 1 && further.length === 0) return [alone(only, 0)];
    const numbered = [...asked.entries()];
    const inserts = numbered.filter(([, { statement }]) => statement.access?.does === "inserts");
    const all = [...asked.map(({ statement }) => statement), ...further];
    const isShort = asked.every(({ limit = 0 }) => limit <= MAX_ROWS);
    if (inserts.length < asked.length && isShort) {
      const sql = commonText(keyOf(all), () => mergeSql(all, asked));
      if (sql !== undefined)
        return [
          merge(
            sql,
            all,
            numbered.map(([number]) => number),
            false,
          ),
        ];
    }

    // Not all in one: statements that change records, and so lock them, come last.
    const others = numbered.filter(([, { statement }]) => statement.access?.does !== "inserts");
    const [reads, changes] = [others.filter(isRead), others.filter((each) => !isRead(each))];
    const beside = [...inserts.map(([, { statement }]) => statement), ...further];
    const key = `${inserts.length} ${keyOf(beside)}`;
    const isCommon = inserts.length <= COMMON_INSERTS;
    const merged = () => {
      const sql =
        written.get(key) ??
        mergeSql(
          beside,
          inserts.map(([, each]) => each),
        );
      if (isCommon) written.set(key, sql);
      return merge(
        sql,
        beside,
        inserts.map(([number]) => number),
        !isCommon,
      );
    };
    return [
      ...reads.map(([number, each]) => alone(each, number)),
      ...(beside.length === 0 ? [] : [merged()]),
      ...changes.map(([number, each]) => alone(each, number)),
    ];
  };
  return { together, ofGroup };
}

/** Sorts buffered writes by table and kind; of those with the same key, keeps the last one. */
function sorted(writes: readonly BufferedWrite[]) {
  const appends = new Map<TableName, SqlStatement[]>();
  /** Documents by message; undefined for those to be removed. */
  const indexed = new Map<string, SearchDocument | undefined>();
  const keyed = new Map<string, OtherWrite>();
  const unkeyed: OtherWrite[] = [];
  for (const write of writes) {
    if ("append" in write) {
      const each = appends.get(write.table);
      if (each === undefined) appends.set(write.table, [write.append]);
      else each.push(write.append);
    } else if ("statement" in write) {
      if (write.key === undefined) unkeyed.push(write);
      else keyed.set(write.key, write);
    } else if ("index" in write) indexed.set(write.index.message_id, write.index);
    else indexed.set(write.unindex, undefined);
  }
  return { appends, others: [...keyed.values(), ...unkeyed], indexed };
}

type OtherWrite = Extract<BufferedWrite, { statement: SqlStatement }>;

/** One statement for those of one text, where their writer can make one. */
function combined(writes: readonly OtherWrite[]): SqlStatement[] {
  return [...Map.groupBy(writes, ({ statement }) => statement.sql).values()].flatMap((alike) => {
    const statements = alike.map(({ statement }) => statement);
    const combine = alike[0]?.combine;
    return combine === undefined ? statements : [combine(statements.map(({ parameters }) => parameters))];
  });
}

const isRead = ([, { statement }]: readonly [number, AskedStatement]): boolean =>
  statement.access?.does === "reads";

function rowsByPart(rows: readonly Row[], count: number): Row[][] {
  const found: Row[][] = Array.from({ length: count }, () => []);
  for (const { part, row } of rows) found[Number(part)]?.push((row ?? {}) as Row);
  return found;
}

/** Merges statements into one that returns the rows of the first ones. */
function mergeSql(parts: readonly SqlStatement[], asked: readonly AskedStatement[]): string {
  const texts = numberedTexts(parts);
  const last = asked.length === 0 ? (texts.pop() ?? "") : asked.map(rowsSql).join(" union all ");
  if (texts.length === 0) return last;
  return `with ${texts.map((text, index) => `"part_${index}" as (${text})`).join(", ")} ${last}`;
}

/** The rows of a part as JSON, since those of different tables have no columns in common; of an insert only whether there is one. */
function rowsSql({ statement }: AskedStatement, index: number): string {
  const row = statement.access?.does === "inserts" ? "null::json" : `to_json("part_${index}")`;
  return `select ${index} as "part", ${row} as "row" from "part_${index}"`;
}
