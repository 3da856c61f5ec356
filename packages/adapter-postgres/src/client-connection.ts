import { createHash } from "node:crypto";
import type { Row } from "@letterslot/sql";
import type { ClientBase, CustomTypesConfig, QueryConfig, QueryResult } from "pg";
import type { Answer, Connection, Statement } from "./database.ts";

const BOOLEAN = 16;
const JSON_TYPE = 114;
const INTEGERS = new Set([20, 21, 23]);

/** Our own reading of columns: an embedder may have set pg's parsers for the whole process. */
const types: CustomTypesConfig = {
  getTypeParser(oid: number): (value: string) => unknown {
    if (oid === BOOLEAN) return (value) => value === "t";
    if (INTEGERS.has(oid)) return Number;
    if (oid === JSON_TYPE) return (value) => JSON.parse(value) as unknown;
    return (value) => value;
  },
};

const names = new Map<string, string>();

/** A connection over a client of pg. `prepare`: whether statements are kept prepared under a name. */
export function connectionOf(client: ClientBase, prepare: boolean): Connection {
  return {
    async run(statement) {
      gatherPackets(client);
      return answerOf(await client.query(configOf(statement, prepare)));
    },
  };
}

/** What pg doesn't tell of its clients: the socket that they write to. */
interface Wired {
  connection?: { stream?: { cork?(): void; uncork?(): void } };
}

/**
 * Statements that are given in a row go to the server in one write: each write costs more than the statement
 * that it carries.
 */
function gatherPackets(client: ClientBase): void {
  const stream = (client as Wired).connection?.stream;
  if (stream?.cork === undefined) return;
  stream.cork();
  process.nextTick(() => stream.uncork?.());
}

/** A statement in pg's words. */
export function configOf({ sql, parameters, unprepared }: Statement, prepare: boolean): QueryConfig {
  // Without parameters pg sends a simple query, which needs no name.
  const named = prepare && unprepared === undefined && parameters.length > 0;
  return { text: sql, values: parameters, types, ...(named ? { name: nameOf(sql) } : {}) };
}

/** What pg answered. */
export function answerOf({ rows, rowCount, command }: QueryResult): Answer {
  return { rows: rows as Row[], count: rowCount ?? 0, command };
}

/** A prepared statement's name: the same text has the same one, on every connection. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `letterslot_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    names.set(text, name);
  }
  return name;
}
