import type { SearchDocument, SearchQuery, SearchTerm } from "@letterslot/core/ports";
import { documentScopes, isSearchTerm, queryScopes } from "@letterslot/sql";
import type { Connection } from "../connection.ts";
import { findRow, idToRow, insertFirst, insertRow } from "./search-rows.ts";

const INSERT_SQL = `insert into "search" (rowid, scope, subject, text, sender, recipients, attachments) values (?, ?, ?, ?, ?, ?, ?)`;
const DELETE_SQL = `delete from "search" where rowid = ?`;
const SEARCH_SQL = `select (select "message_id" from "search_rows" where "id" = "search".rowid) as "message_id"
  from "search" where "search" match ? and rowid < ? order by rowid desc limit ? + 0`;

const MAX_ROW = 2n ** 63n - 1n;

/** A document in the form of an index row. */
export interface IndexEntry {
  message_id: string;
  row: bigint;
  columns: string[];
}

/** Converts a document; throws when its ids are malformed. */
export function entryOf(document: SearchDocument): IndexEntry {
  const { subject, text, sender, recipients, attachments } = document.fields;
  const fields = [documentScopes(document), subject, text, sender, recipients, attachments];
  const columns = fields.map((words) => words.join(" "));
  return { message_id: document.message_id, row: idToRow(document.message_id), columns };
}

/** Adds entries to the index in order of their rows, so that FTS5 writes them as one segment. */
export function indexEntries(connection: Connection, entries: readonly IndexEntry[]): void {
  const inOrder = entries.toSorted((a, b) => (a.row < b.row ? -1 : Number(a.row > b.row)));
  for (const { message_id, row, columns } of inOrder) {
    const free = insertFirst(connection, message_id, row);
    connection.run(INSERT_SQL, free ? row : rowToFill(connection, message_id), ...columns);
  }
}

/** The row of a message, emptied if it has one already. */
function rowToFill(connection: Connection, message_id: string): bigint {
  const existing = findRow(connection, message_id);
  if (existing === undefined) return insertRow(connection, message_id);
  connection.run(DELETE_SQL, existing);
  return existing;
}

/** Removes a message from the index, if it is there. */
export function unindexDocument(connection: Connection, message_id: string): void {
  if (!isMessageId(message_id)) return;
  const row = findRow(connection, message_id);
  if (row === undefined) return;
  connection.run(DELETE_SQL, row);
  connection.run('delete from "search_rows" where "id" = ?', row);
}

/** Ids of the messages that match all terms, newest first. */
export function searchIndex(connection: Connection, query: SearchQuery): string[] {
  const expression = matchExpression(query);
  if (expression === undefined) return [];
  const before = query.before === null ? MAX_ROW : rowBefore(connection, query.before);
  if (before === undefined) return [];
  const rows = connection.rows({ sql: SEARCH_SQL, parameters: [expression, before, query.limit] });
  return rows.map((row) => row["message_id"] as string);
}

function rowBefore(connection: Connection, message_id: string): bigint | undefined {
  if (!isMessageId(message_id)) return undefined;
  return findRow(connection, message_id) ?? idToRow(message_id);
}

function isMessageId(message_id: string): boolean {
  try {
    idToRow(message_id);
    return true;
  } catch {
    return false;
  }
}

/** The query in FTS5's language, or undefined when nothing can match. */
function matchExpression(query: SearchQuery): string | undefined {
  const scopes = queryScopes(query);
  if (scopes === undefined || !query.terms.every(isSearchTerm)) return undefined;
  return [...scopes.map((scope) => `scope : "${scope}"`), ...query.terms.map(matchTerm)].join(" AND ");
}

function matchTerm({ words, prefix, field }: SearchTerm): string {
  const phrase = `"${words.join(" ")}"${prefix ? " *" : ""}`;
  return field === null ? phrase : `${field} : ${phrase}`;
}
