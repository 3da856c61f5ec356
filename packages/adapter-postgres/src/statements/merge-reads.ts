import type { Row } from "@letterslot/sql";
import type { Answer, Statement } from "../connections/database.ts";
import { createCommonTexts, createTextNumbers } from "./common-texts.ts";

/** Several reads as one statement. */
export interface MergedReads {
  statement: Statement;
  /** The answers to the reads, in their order. */
  answersOf(answer: Answer): Answer[];
}

/** Merges reads that come together; undefined where they are better sent one by one. */
export type MergeReads = (reads: readonly Statement[]) => MergedReads | undefined;

/** Reads of more rows are sent alone: those of a merged statement are all answered when the last one is. */
const MAX_ROWS = 50;
/** The maximum number of different merged statements; each stays prepared on every connection. */
const MAX_MERGED = 64;

const TYPES: Record<string, string> = { string: "text", number: "bigint", boolean: "boolean" };

/**
 * Reads of one text become one look-up for each set of their parameters, and such look-ups parts of one
 * `union all`. Rows come as JSON, since those of different tables have no columns in common.
 */
export function createMergeReads(): MergeReads {
  const textOf = createCommonTexts(MAX_MERGED);
  const numberOf = createTextNumbers();

  return (reads) => {
    const parts = partsOf(reads, numberOf);
    const alone = parts.every(({ asked }) => asked.length === 1);
    const key = `${alone ? "alone" : "many"} ${parts.map((part) => part.key).join()}`;
    const sql = textOf(key, () => (alone ? aloneSql(parts) : manySql(parts)));
    if (sql === undefined) return undefined;
    const parameters = alone
      ? parts.flatMap(({ asked }) => asked[0]?.parameters ?? [])
      : parts.map(({ asked }) => JSON.stringify(asked.map(parametersOf)));
    return {
      statement: { sql, parameters },
      answersOf({ rows, command }) {
        const found: Row[][] = reads.map(() => []);
        for (const { part, number, row } of rows)
          found[parts[Number(part)]?.asked[Number(number)]?.read ?? -1]?.push(row as Row);
        return found.map((each) => ({ rows: each, count: each.length, command }));
      },
    };
  };
}

/** The reads of one text. */
interface Part {
  key: string;
  sql: string;
  types: string[];
  asked: { read: number; parameters: readonly unknown[] }[];
}

/** The reads by their texts, in the same order whichever came first. */
function partsOf(reads: readonly Statement[], numberOf: (text: string) => number): Part[] {
  const parts = new Map<string, Part>();
  for (const [read, { sql, parameters }] of reads.entries()) {
    const types = parameters.map(typeOf);
    const key = `${numberOf(sql)} ${types.join(" ")}`;
    const part = parts.get(key) ?? { key, sql, types, asked: [] };
    parts.set(key, part);
    part.asked.push({ read, parameters });
  }
  return [...parts.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const typeOf = (value: unknown): string => TYPES[typeof value] ?? "text";

const parametersOf = ({ parameters }: { parameters: readonly unknown[] }, number: number) => ({
  number,
  ...Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value])),
});

/** One read of each text. */
function aloneSql(parts: readonly Part[]): string {
  let before = 0;
  const selects = parts.map(({ sql, types }, index) => {
    const shift = before;
    before += types.length;
    const read = sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`);
    return `select ${index} as "part", 0 as "number", to_json("found") as "row" from (${read}) as "found"`;
  });
  return selects.join(" union all ");
}

/**
 * A read for each set of parameters in a JSON array: their number is unknown to the planner, so that one plan
 * serves any.
 */
const manySql = (parts: readonly Part[]): string => parts.map(eachSql).join(" union all ");

function eachSql({ sql, types }: Pick<Part, "sql" | "types">, index: number): string {
  const columns = types.map((type, position) => `"p${position + 1}" ${type}`);
  const read = sql.replace(/\$(\d+)/g, '"asked"."p$1"');
  return (
    `select ${index} as "part", "asked"."number", to_json("found") as "row"` +
    ` from json_to_recordset($${index + 1}::json) as "asked" (${['"number" integer', ...columns].join(", ")})` +
    ` cross join lateral (${read}) as "found"`
  );
}

/** Whether a read may be merged with others: it takes no locks, and is of few rows and plain parameters. */
export function isMergeable({ sql, parameters, max_rows = Number.POSITIVE_INFINITY }: Statement): boolean {
  return (
    max_rows <= MAX_ROWS &&
    sql.startsWith("select ") &&
    !sql.includes(" for update") &&
    parameters.every((value) => value === null || Object.hasOwn(TYPES, typeof value))
  );
}
