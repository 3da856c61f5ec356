import type { SearchDocument, SearchQuery, SearchTerm } from "@letterslot/core";
import type { Connection } from "./connection.ts";
import { rowNumberOf, rowOf, takeRow } from "./search-rows.ts";

const insertSql = `insert into "search" (rowid, scope, subject, text, sender, recipients, attachments) values (?, ?, ?, ?, ?, ?, ?)`;
const deleteSql = `delete from "search" where rowid = ?`;
const searchSql = `select (select "message_id" from "search_rows" where "id" = "search".rowid) as "message_id"
  from "search" where "search" match ? and rowid < ? order by rowid desc limit ? + 0`;

const LAST_ROW = 2n ** 63n - 1n;

/** A document in the form that the index takes. */
export interface IndexEntry {
  message_id: string;
  row: bigint;
  columns: string[];
}

/** Makes the entry of a document; throws when its ids are none. */
export function entryOf({ message_id, account_id, inbox_id, thread_id, fields }: SearchDocument): IndexEntry {
  const scope = [scopeWord(account_id), scopeWord(account_id, inbox_id), scopeWord(account_id, thread_id)];
  if (scope.includes(undefined)) throw new Error("the scope of a message is no id");
  const { subject, text, sender, recipients, attachments } = fields;
  const columns = [scope, subject, text, sender, recipients, attachments].map((words) => words.join(" "));
  return { message_id, row: rowNumberOf(message_id), columns };
}

/**
 * Puts entries into the index, all at once and in order of their rows: then the index takes them as one
 * piece.
 */
export function indexEntries(connection: Connection, entries: readonly IndexEntry[]): void {
  const inOrder = entries.toSorted((a, b) => (a.row < b.row ? -1 : Number(a.row > b.row)));
  for (const { message_id, columns } of inOrder) {
    const known = rowOf(connection, message_id);
    if (known !== undefined) connection.run(deleteSql, known);
    connection.run(insertSql, known ?? takeRow(connection, message_id), ...columns);
  }
}

/** Takes a message out of the index; one that isn't there is left alone. */
export function unindexDocument(connection: Connection, message_id: string): void {
  if (!isMessageId(message_id)) return;
  const row = rowOf(connection, message_id);
  if (row === undefined) return;
  connection.run(deleteSql, row);
  connection.run('delete from "search_rows" where "id" = ?', row);
}

/** Ids of the messages that hold all terms, newest first. */
export function searchIndex(connection: Connection, query: SearchQuery): string[] {
  const expression = expressionOf(query);
  if (expression === undefined) return [];
  const before = query.before === null ? LAST_ROW : beforeRow(connection, query.before);
  if (before === undefined) return [];
  const rows = connection.rows({ sql: searchSql, parameters: [expression, before, query.limit] });
  return rows.map((row) => row["message_id"] as string);
}

function beforeRow(connection: Connection, message_id: string): bigint | undefined {
  if (!isMessageId(message_id)) return undefined;
  return rowOf(connection, message_id) ?? rowNumberOf(message_id);
}

function isMessageId(message_id: string): boolean {
  try {
    rowNumberOf(message_id);
    return true;
  } catch {
    return false;
  }
}

/** The query in FTS5's language, or undefined when nothing can match. */
function expressionOf({ account_id, inbox_id, thread_id, terms }: SearchQuery): string | undefined {
  const scopes = [
    ...(inbox_id === null && thread_id === null ? [scopeWord(account_id)] : []),
    ...(inbox_id === null ? [] : [scopeWord(account_id, inbox_id)]),
    ...(thread_id === null ? [] : [scopeWord(account_id, thread_id)]),
  ].map((word) => (word === undefined ? undefined : `scope : "${word}"`));
  const parts = [...scopes, ...terms.map(termOf)];
  return parts.includes(undefined) ? undefined : parts.join(" AND ");
}

function termOf({ words, prefix, field }: SearchTerm): string | undefined {
  if (words.length === 0 || !words.every(isWord)) return undefined;
  const phrase = `"${words.join(" ")}"${prefix ? " *" : ""}`;
  // Scope words begin with an underscore, so that no other word is a beginning of theirs.
  return field === null ? phrase : `${field} : ${phrase}`;
}

/**
 * What the tokenizer would take as one word: core's words hold letters and digits, and nothing of the query
 * language.
 */
function isWord(word: string): boolean {
  return word !== "" && !/[\u0000-\u002f\u003a-\u0060\u007b-\u007f]/.test(word);
}

/**
 * One word for a place: words of an account begin alike, so the index holds them close together and short.
 */
function scopeWord(account_id: string, place_id?: string): string | undefined {
  const word = place_id === undefined ? `_${account_id}` : `_${account_id}_${place_id}`;
  return /^[a-z0-9_]+$/.test(word) ? word : undefined;
}
