import { columnsOf, type TableName } from "@letterslot/core";
import type { AskedStatement, BufferedWrite, Row, SqlStatement } from "@letterslot/sql";
import { createCommonTexts, createTextNumbers } from "./common-texts.ts";
import type { Answer, Statement } from "./database.ts";
import { quoteName } from "./schema.ts";
import type { SearchStatements } from "./search-index.ts";

/** A statement that does the work of several. */
export interface MergedStatement {
  statement: Statement;
  /** The numbers of the statements that were asked in it, and the rows of each, in the same order. */
  asked: readonly number[];
  rowsOf(answer: Answer): Row[][];
}

/** Merges what a transaction writes and asks at once; in one statement where that is common. */
export type MergeStatements = (
  writes: readonly BufferedWrite[],
  asked?: readonly AskedStatement[],
) => MergedStatement[];

const COLUMN_TYPES = { text: "text", integer: "bigint", boolean: "boolean", json: "json" } as const;

/** Up to this many statements beside core's tables are common in one batch: a mail and a few attachments. */
const COMMON_OTHERS = 4;
/** A mail is one insert, and one for each of its signatures that is remembered. */
const COMMON_INSERTS = 6;
/** Rows of a merged statement come as JSON, which costs more than it saves where they are many. */
const MAX_ROWS = 50;
/** So many different statements are made of what transactions ask; each stays prepared on every connection. */
const MAX_MERGED = 128;

/**
 * Merges statements because one costs client and server more than its rows do. Records of a table become
 * one insert, and all of them parts of one `with`. Such a statement fails when it writes a row twice, so
 * later index changes of a message replace earlier ones, and one statement runs for all of its key.
 */
export function createMergeStatements(schema: string, search: SearchStatements): MergeStatements {
  const written = new Map<string, string>();
  const appendSql = new Map<TableName, string>();
  const commonText = createCommonTexts(MAX_MERGED);
  const numberOf = createTextNumbers();

  const appendAll = (table: TableName, appends: readonly SqlStatement[]): SqlStatement => {
    const [first] = appends;
    if (first !== undefined && appends.length === 1) return first;
    const sql = appendSql.get(table) ?? appendManySql(schema, table);
    appendSql.set(table, sql);
    const columns =
      first?.parameters.map((_, column) => appends.map(({ parameters }) => parameters[column])) ?? [];
    return { sql, parameters: columns };
  };

  /** The statements of buffered writes; `rare`: such a set comes back too rarely to be worth preparing. */
  const partsOf = (writes: readonly BufferedWrite[]): { parts: SqlStatement[]; rare: boolean } => {
    const appends = new Map<TableName, SqlStatement[]>();
    const indexed = new Map<string, SqlStatement>();
    const others = new Map<string, SqlStatement>();
    for (const write of writes) {
      if ("append" in write) {
        const each = appends.get(write.table);
        if (each === undefined) appends.set(write.table, [write.append]);
        else each.push(write.append);
      } else if ("statement" in write) others.set(write.key, write.statement);
      else if ("index" in write) indexed.set(write.index.message_id, search.index(write.index));
      else indexed.set(write.unindex, search.unindex(write.unindex));
    }
    return {
      parts: [
        ...[...appends].map(([table, each]) => appendAll(table, each)),
        ...others.values(),
        ...indexed.values(),
      ],
      rare: indexed.size > 1 || others.size > COMMON_OTHERS,
    };
  };

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

  return (writes, asked = []) => {
    const { parts: further, rare } = partsOf(writes);
    const [only] = asked;
    if (only !== undefined && asked.length === 1 && further.length === 0) return [alone(only, 0)];
    const numbered = [...asked.entries()];
    const inserts = numbered.filter(([, { statement }]) => statement.access?.does === "inserts");
    const keyOf = (parts: readonly SqlStatement[]) => parts.map(({ sql }) => numberOf(sql)).join();

    const all = [...asked.map(({ statement }) => statement), ...further];
    const isShort = asked.every(({ limit = 0 }) => limit <= MAX_ROWS);
    if (inserts.length < asked.length && isShort && !rare) {
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

    // Not all in one: what changes records, and so locks them, comes last.
    const others = numbered.filter(([, { statement }]) => statement.access?.does !== "inserts");
    const [reads, changes] = [others.filter(isRead), others.filter((each) => !isRead(each))];
    const beside = [...inserts.map(([, { statement }]) => statement), ...further];
    const key = `${inserts.length} ${keyOf(beside)}`;
    const isCommon = !rare && inserts.length <= COMMON_INSERTS;
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
}

const isRead = ([, { statement }]: readonly [number, AskedStatement]): boolean =>
  statement.access?.does === "reads";

function alone({ statement, limit }: AskedStatement, number: number): MergedStatement {
  const { sql, parameters } = statement;
  return {
    statement: limit === undefined ? { sql, parameters } : { sql, parameters, max_rows: limit },
    asked: [number],
    rowsOf: ({ rows }) => [rows],
  };
}

function rowsByPart(rows: readonly Row[], count: number): Row[][] {
  const found: Row[][] = Array.from({ length: count }, () => []);
  for (const { part, row } of rows) found[Number(part)]?.push((row ?? {}) as Row);
  return found;
}

/** An insert of any number of records, with one array parameter per column. */
function appendManySql(schema: string, table: TableName): string {
  const columns = columnsOf(table);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${COLUMN_TYPES[type]}[]`).join(", ");
  return `insert into ${quoteName(schema)}."${table}" (${names}) select * from unnest(${arrays})`;
}

/** Merges statements into one, numbering their parameters consecutively. The first ones are asked for their rows. */
function mergeSql(parts: readonly SqlStatement[], asked: readonly AskedStatement[]): string {
  let before = 0;
  const texts = parts.map(({ sql, parameters }) => {
    const shift = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
  });
  const last = asked.length === 0 ? (texts.pop() ?? "") : asked.map(rowsSql).join(" union all ");
  if (texts.length === 0) return last;
  return `with ${texts.map((text, index) => `"part_${index}" as (${text})`).join(", ")} ${last}`;
}

/** The rows of a part as JSON, since those of different tables have no columns in common; of an insert only whether there is one. */
function rowsSql({ statement }: AskedStatement, index: number): string {
  const row = statement.access?.does === "inserts" ? "null::json" : `to_json("part_${index}")`;
  return `select ${index} as "part", ${row} as "row" from "part_${index}"`;
}
