import { createHash } from "node:crypto";
import type { Row } from "@letterslot/sql";
import type { ClientBase, CustomTypesConfig, QueryConfig, QueryResult } from "pg";
import { ArrayParameter } from "../statements/array-parameter.ts";
import type { Answer, Connection, Statement } from "./database.ts";

// Type OIDs of PostgreSQL.
const BOOLEAN = 16;
const JSON_TYPE = 114;
const INTEGERS = new Set([20, 21, 23]);

/** Our own parsers: an embedder may have changed pg's for the whole process. */
const TYPES: CustomTypesConfig = {
  getTypeParser(oid: number): (value: string) => unknown {
    if (oid === BOOLEAN) return (value) => value === "t";
    if (INTEGERS.has(oid)) return Number;
    if (oid === JSON_TYPE) return (value) => JSON.parse(value) as unknown;
    return (value) => value;
  },
};

const statementNames = new Map<string, string>();

/** A connection over a client of pg. `prepare`: whether statements are prepared under a name. */
export function connectionOf(client: ClientBase, prepare: boolean): Connection {
  return {
    async run(statement) {
      corkUntilNextTick(client);
      return answerOf(await client.query(configOf(statement, prepare)));
    },
  };
}

/** An undocumented part of pg's clients: the socket that they write to. */
interface WithSocket {
  connection?: { stream?: { cork?(): void; uncork?(): void } };
}

/** Sends all statements of one tick in one write, which costs more than the statements that it carries. */
function corkUntilNextTick(client: ClientBase): void {
  const stream = (client as WithSocket).connection?.stream;
  if (stream?.cork === undefined) return;
  stream.cork();
  process.nextTick(() => stream.uncork?.());
}

/** A statement as pg's query config. */
export function configOf({ sql, parameters, unprepared }: Statement, prepare: boolean): QueryConfig {
  // Without parameters pg uses the simple protocol, which needs no name.
  const named = prepare && unprepared === undefined && parameters.length > 0;
  const values = parameters.map((value) => (value instanceof ArrayParameter ? value.bytes : value));
  return { text: sql, values, types: TYPES, ...(named ? { name: nameOf(sql) } : {}) };
}

/** pg's result as an answer. */
export function answerOf({ rows, rowCount, command }: QueryResult): Answer {
  return { rows: rows as Row[], count: rowCount ?? 0, command };
}

/** The name of a prepared statement: the same for equal texts, on every connection. */
function nameOf(text: string): string {
  let name = statementNames.get(text);
  if (name === undefined) {
    name = `letterslot_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    statementNames.set(text, name);
  }
  return name;
}
