import type { SearchDocument, SearchField, SearchQuery, SearchTerm } from "@letterslot/core";
import { documentScopes, isSearchTerm, queryScopes } from "@letterslot/sql";
import type { Statement } from "./database.ts";
import { quoteName } from "./schema.ts";

/** The fields in the order in which their words are stored. */
const FIELDS = ["subject", "text", "sender", "recipients", "attachments"] as const satisfies SearchField[];
/** Separates fields, so that no phrase spans two of them; no word contains it. */
const FIELD_SEPARATOR = "|";
/** A tsvector holds 1 MB. Words of one message beyond this many bytes are found only as part of a phrase. */
const MAX_VECTOR_BYTES = 900_000;
/** Common words are first searched in this many newest messages, before the index collects all matches. */
const RECENT_MESSAGES = 1_000;

/** The form of core's message ids. */
const MESSAGE_ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{20}$/;

/** The statements of the search index in a schema. */
export interface SearchStatements {
  index(document: SearchDocument): Statement;
  unindex(message_id: string): Statement;
  /** Statements that return ids, newest first. If one doesn't fill the page, the next one counts instead. */
  search(query: SearchQuery): Statement[];
}

/**
 * Words are stored twice: as lexemes without positions, for the index, and in their order, for phrases. (A
 * tsvector has at most 256 positions per word, so it would miss phrases late in a long text.) A lexeme is a
 * word in any field, a word prefixed with its field, or a scope; so one index serves searches in an account,
 * an inbox or a thread.
 */
export function createSearchStatements(schema: string): SearchStatements {
  const table = `${quoteName(schema)}."search"`;
  const indexSql = `insert into ${table} ("message_id", "account_id", "lexemes", "words") values ($1, $2, array_to_tsvector($3::text[]), $4)
    on conflict ("message_id") do update set "account_id" = excluded."account_id", "lexemes" = excluded."lexemes", "words" = excluded."words"`;
  const unindexSql = `delete from ${table} where "message_id" = $1`;

  return {
    index(document) {
      const { message_id, account_id, fields } = document;
      if (!MESSAGE_ID.test(message_id)) throw new Error("malformed message id");
      const lexemes = lexemesOf(documentScopes(document), fields);
      const words = FIELDS.map((field) => ` ${fields[field].join(" ")} `).join(FIELD_SEPARATOR);
      return { sql: indexSql, parameters: [message_id, account_id, lexemes, words] };
    },
    unindex: (message_id) => ({ sql: unindexSql, parameters: [message_id] }),
    search(query) {
      const expression = matchExpression(query);
      const { account_id, before, limit, terms } = query;
      if (expression === undefined || (before !== null && !MESSAGE_ID.test(before))) return [];
      const parameters: unknown[] = [expression];
      const bind = (value: unknown) => `$${parameters.push(value)}`;
      const older = before === null ? "" : ` and "message_id" < ${bind(before)}`;
      const phrases = terms.filter(({ words, field }) => words.length > 1 || field === "text");
      const matches = [
        `"lexemes" @@ $1::tsquery`,
        ...phrases.map((term) => phraseCondition(term, bind)),
      ].join(" and ");
      const page = `order by "message_id" desc limit ${bind(limit)}`;

      // The lexemes include the account's scope. `offset 0` is an optimizer fence: without it the planner may
      // walk through all messages by date in search of a rare word.
      const all = `select "message_id" from (select "message_id" from ${table} where ${matches}${older} offset 0) as "found" ${page}`;
      const statement = { sql: all, parameters: [...parameters], unprepared: true as const };
      const recent = `select "message_id", "lexemes", "words" from ${table} where "account_id" = ${bind(account_id)}${older}
        order by "message_id" desc limit ${RECENT_MESSAGES}`;
      const sql = `select "message_id" from (${recent}) as "recent" where ${matches} ${page}`;
      return [{ sql, parameters, unprepared: true }, statement];
    },
  };
}

function lexemesOf(scopes: string[], words: SearchDocument["fields"]): string[] {
  const lexemes = new Set(scopes);
  let bytes = 0;
  // The text comes last, so that a very long message loses only words of its text.
  for (const field of FIELDS.toSorted((a, b) => Number(a === "text") - Number(b === "text"))) {
    for (const word of words[field].join(" ").split(" ")) {
      if (word === "" || (lexemes.has(word) && lexemes.has(lexemeOf(field, word)))) continue;
      bytes += 2 * Buffer.byteLength(word) + 12;
      if (bytes > MAX_VECTOR_BYTES) return [...lexemes];
      lexemes.add(word).add(lexemeOf(field, word));
    }
  }
  return [...lexemes];
}

/**
 * The lexeme of a word in one field. Words never start with a colon, so a prefix search can't match these.
 * The text has no lexemes of its own, because nearly all words are in it.
 */
function lexemeOf(field: SearchField | null, word: string): string {
  return field === null || field === "text" ? word : `:${FIELDS.indexOf(field)}${word}`;
}

/** The query as a tsquery, or undefined when nothing can match. */
function matchExpression(query: SearchQuery): string | undefined {
  const scopes = queryScopes(query);
  if (scopes === undefined || !query.terms.every(isSearchTerm)) return undefined;
  return [...scopes.map((scope) => `'${scope}'`), ...query.terms.map(matchTerm)].join(" & ");
}

function matchTerm({ words, prefix, field }: SearchTerm): string {
  const lexemes = words.map((word) => `'${lexemeOf(field, word)}'`);
  return `${lexemes.join(" & ")}${prefix ? ":*" : ""}`;
}

/** Checks a phrase in the stored words, which have a space before and after each. */
function phraseCondition({ words, prefix, field }: SearchTerm, bind: (value: unknown) => string): string {
  const column =
    field === null ? `"words"` : `split_part("words", '${FIELD_SEPARATOR}', ${FIELDS.indexOf(field) + 1})`;
  return `strpos(${column}, ${bind(` ${words.join(" ")}${prefix ? "" : " "}`)}) > 0`;
}
