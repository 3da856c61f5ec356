import type { SearchDocument, SearchField, SearchQuery, SearchTerm } from "@letterslot/core";
import type { Statement } from "./database.ts";
import { identifier } from "./identifier.ts";

/** The fields in the order in which their words are kept. */
const fields = ["subject", "text", "sender", "recipients", "attachments"] as const satisfies SearchField[];
/** Stands between fields, where no phrase goes on: no word holds it. */
const FIELD_END = "|";
/**
 * A tsvector holds a megabyte; words of one message beyond this are found as part of a phrase only. In bytes.
 */
const VECTOR_BYTES = 900_000;

/**
 * Words that many messages hold are found among so many of the newest; the index then needn't gather all that
 * hold them.
 */
const RECENT = 1_000;

/** The form of a message id (core's `ids.ts`). */
const messageIdForm = /^[a-z]+_[0-9a-hjkmnp-tv-z]{20}$/;
/** What may stand in the name of a scope. */
const scopeForm = /^[a-z0-9_]+$/;

/** The statements of the search index in a schema. */
export interface SearchStatements {
  index(document: SearchDocument): Statement;
  unindex(message_id: string): Statement;
  /**
   * Statements that answer ids, newest first: if the first one doesn't fill the page, the next one answers.
   * None when nothing can match.
   */
  search(query: SearchQuery): Statement[];
}

/**
 * Words are kept twice: as lexemes without positions, for the index, and in their order, for phrases. (The
 * positions of a tsvector end at 256 for a word, so a phrase late in a long text would be missed.) A lexeme
 * is a word in any field, a word with the letter of its field, or a scope; so one index answers for an
 * account, an inbox or a thread without an extension.
 */
export function createSearchStatements(schema: string): SearchStatements {
  const table = `${identifier(schema)}."search"`;
  const indexSql = `insert into ${table} ("message_id", "account_id", "lexemes", "words") values ($1, $2, array_to_tsvector($3::text[]), $4)
    on conflict ("message_id") do update set "account_id" = excluded."account_id", "lexemes" = excluded."lexemes", "words" = excluded."words"`;
  const unindexSql = `delete from ${table} where "message_id" = $1`;

  return {
    index({ message_id, account_id, inbox_id, thread_id, fields: words }) {
      const scopes = [scopeOf(account_id), scopeOf(account_id, inbox_id), scopeOf(account_id, thread_id)];
      if (!messageIdForm.test(message_id) || scopes.includes(undefined))
        throw new Error("the ids of a document are none");
      const kept = fields.map((field) => ` ${words[field].join(" ")} `).join(FIELD_END);
      return {
        sql: indexSql,
        parameters: [message_id, account_id, lexemesOf(scopes as string[], words), kept],
      };
    },
    unindex: (message_id) => ({ sql: unindexSql, parameters: [message_id] }),
    search(query) {
      const expression = expressionOf(query);
      const { account_id, before, limit, terms } = query;
      if (expression === undefined || (before !== null && !messageIdForm.test(before))) return [];
      const parameters: unknown[] = [expression];
      const bind = (value: unknown) => `$${parameters.push(value)}`;
      const older = before === null ? "" : ` and "message_id" < ${bind(before)}`;
      const inRow = terms.filter(({ words, field }) => words.length > 1 || field === "text");
      const matches = [`"lexemes" @@ $1::tsquery`, ...inRow.map((term) => phraseCondition(term, bind))].join(
        " and ",
      );
      const page = `order by "message_id" desc limit ${bind(limit)}`;

      // The lexemes hold the account's scope too. The fence keeps the planner from walking through all
      // messages by date in the hope of a word that none of them may hold.
      const all = `select "message_id" from (select "message_id" from ${table} where ${matches}${older} offset 0) as "found" ${page}`;
      const statement = { sql: all, parameters: [...parameters], unprepared: true as const };
      const recent = `select "message_id", "lexemes", "words" from ${table} where "account_id" = ${bind(account_id)}${older}
        order by "message_id" desc limit ${RECENT}`;
      const sql = `select "message_id" from (${recent}) as "recent" where ${matches} ${page}`;
      return [{ sql, parameters, unprepared: true }, statement];
    },
  };
}

function lexemesOf(scopes: string[], words: SearchDocument["fields"]): string[] {
  const lexemes = new Set(scopes);
  let bytes = 0;
  // The long text comes last, so that a message of very many words loses those.
  for (const field of fields.toSorted((a, b) => Number(a === "text") - Number(b === "text"))) {
    for (const word of words[field]) {
      if (word === "" || (lexemes.has(word) && lexemes.has(lexemeOf(field, word)))) continue;
      bytes += 2 * Buffer.byteLength(word) + 12;
      if (bytes > VECTOR_BYTES) return [...lexemes];
      lexemes.add(word).add(lexemeOf(field, word));
    }
  }
  return [...lexemes];
}

/**
 * The lexeme of a word in one field. No word begins with a colon, so that none is a beginning of these. The
 * long text has none of its own: nearly all words are in it.
 */
function lexemeOf(field: SearchField | null, word: string): string {
  return field === null || field === "text" ? word : `:${fields.indexOf(field)}${word}`;
}

/** The query as a tsquery, or undefined when nothing can match. */
function expressionOf({ account_id, inbox_id, thread_id, terms }: SearchQuery): string | undefined {
  const scopes = [
    ...(inbox_id === null && thread_id === null ? [scopeOf(account_id)] : []),
    ...(inbox_id === null ? [] : [scopeOf(account_id, inbox_id)]),
    ...(thread_id === null ? [] : [scopeOf(account_id, thread_id)]),
  ].map((scope) => (scope === undefined ? undefined : `'${scope}'`));
  const parts = [...scopes, ...terms.map(termOf)];
  return parts.includes(undefined) ? undefined : parts.join(" & ");
}

function termOf({ words, prefix, field }: SearchTerm): string | undefined {
  if (words.length === 0 || !words.every(isWord)) return undefined;
  const lexemes = words.map((word) => `'${lexemeOf(field, word)}'`);
  return `${lexemes.join(" & ")}${prefix ? ":*" : ""}`;
}

/** Words in a row stand so in what is kept, a space before and after each. */
function phraseCondition({ words, prefix, field }: SearchTerm, bind: (value: unknown) => string): string {
  const place =
    field === null ? `"words"` : `split_part("words", '${FIELD_END}', ${fields.indexOf(field) + 1})`;
  return `strpos(${place}, ${bind(` ${words.join(" ")}${prefix ? "" : " "}`)}) > 0`;
}

/**
 * Core's words hold letters and digits; what holds anything else of ASCII is no word, and nothing of the
 * query language passes.
 */
function isWord(word: string): boolean {
  return word !== "" && !/[\u0000-\u002f\u003a-\u0060\u007b-\u007f]/.test(word);
}

/** One word for a place; words begin otherwise. */
function scopeOf(account_id: string, place_id?: string): string | undefined {
  const scope = place_id === undefined ? `_${account_id}` : `_${account_id}_${place_id}`;
  return scopeForm.test(scope) ? scope : undefined;
}
