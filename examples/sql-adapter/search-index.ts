import type { SearchDocument, SearchField, SearchQuery } from "@letterslot/core/ports";
import { documentScopes, isSearchTerm, queryScopes, type SqlStatement } from "@letterslot/sql";

/** One row per message: each field as ` word word word `, so that a phrase is a substring. */
export const SEARCH_TABLE = `create table "search" (
  "message_id" text primary key, "scopes" text not null,
  "subject" text not null, "text" text not null, "sender" text not null,
  "recipients" text not null, "attachments" text not null
) strict`;

const FIELDS: SearchField[] = ["subject", "text", "sender", "recipients", "attachments"];
/** Separates fields in a search of all of them; no word contains it. */
const SEPARATOR = "'|'";

/** Adds a message to the index, or replaces it. */
export function indexStatement(document: SearchDocument): SqlStatement {
  const words = FIELDS.map((field) => padded(document.fields[field]));
  return {
    sql: 'insert or replace into "search" values (?, ?, ?, ?, ?, ?, ?)',
    parameters: [document.message_id, padded(documentScopes(document)), ...words],
  };
}

/** Removes a message from the index. */
export function unindexStatement(message_id: string): SqlStatement {
  return { sql: 'delete from "search" where "message_id" = ?', parameters: [message_id] };
}

/**
 * Finds the ids of messages, newest first; undefined when nothing can match. It reads every row: a real
 * adapter uses the full-text index of its database.
 */
export function searchStatement(query: SearchQuery): SqlStatement | undefined {
  const scopes = queryScopes(query);
  if (scopes === undefined || !query.terms.every(isSearchTerm)) return undefined;
  const parameters: unknown[] = [];
  const contains = (column: string, text: string) => {
    parameters.push(text);
    return `instr(${column}, ?) > 0`;
  };
  const everything = FIELDS.map((field) => `"${field}"`).join(` || ${SEPARATOR} || `);
  const conditions = [
    ...scopes.map((scope) => contains('"scopes"', padded([scope]))),
    ...query.terms.map(({ words, prefix, field }) =>
      contains(field === null ? everything : `"${field}"`, ` ${words.join(" ")}${prefix ? "" : " "}`),
    ),
  ];
  if (query.before !== null) {
    conditions.push('"message_id" < ?');
    parameters.push(query.before);
  }
  parameters.push(query.limit);
  return {
    sql: `select "message_id" from "search" where ${conditions.join(" and ")} order by "message_id" desc limit ?`,
    parameters,
  };
}

function padded(words: readonly string[]): string {
  return ` ${words.join(" ")} `;
}
