import type { SearchDocument, SearchField, SearchQuery, SearchTerm } from "@letterslot/core/ports";
import { documentScopes, isSearchTerm, queryScopes } from "@letterslot/sql";
import type { Statement } from "../connections/database.ts";
import { quoteName } from "../schema.ts";
import { ArrayParameter } from "../statements/array-parameter.ts";
import { columnsAs, unnestSql } from "../statements/record-columns.ts";

/** The fields in the order in which their words are stored. */
const FIELDS = ["subject", "text", "sender", "recipients", "attachments"] as const satisfies SearchField[];
/** Separates fields, so that no phrase spans two of them; no word contains it. */
const FIELD_SEPARATOR = "|";
/** A tsvector holds 1 MB. Words of one message beyond this many bytes are found only as part of a phrase. */
const MAX_VECTOR_BYTES = 900_000;
/** The number of newest messages from which word frequency is estimated; reading them takes half a millisecond. */
const SAMPLED_MESSAGES = 60;
/** Common words are searched in this many newest messages, before the index collects all matches. */
const RECENT_MESSAGES = 1_000;
/** A match that the index collects costs a quarter of a message whose words are compared. */
const MATCHES_PER_MESSAGE = 4;
/** About so many messages are on a page of the table: their words are mostly elsewhere. */
const MESSAGES_PER_PAGE = 8;
const PAGE_BYTES = 8_192;
/** Sorts after all message ids. */
const AFTER_ALL = "~";

/** The form of core's message ids. */
const MESSAGE_ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{20}$/;

/** The statements of the search index in a schema. */
export interface SearchStatements {
  /** Writes the words of messages, each of which is there once. */
  index(documents: readonly SearchDocument[]): Statement;
  unindex(message_ids: readonly string[]): Statement;
  /** The ways to search; undefined when nothing can match. */
  search(query: SearchQuery): SearchWays | undefined;
}

/** Statements that return ids. */
export interface SearchWays {
  /**
   * Among a few of the newest messages, or by the index where that costs less than to look at more of them; the
   * column `sampled` tells which.
   */
  first: Statement;
  /** Among many of the newest messages. */
  recent: Statement;
  /** By the index. */
  all: Statement;
}

/**
 * Words are stored twice: as lexemes without positions, for the index, and in their order, for phrases. (A
 * tsvector has at most 256 positions per word, so it would miss phrases late in a long text.) A lexeme is a
 * word in any field, a word prefixed with its field, or a scope; so one index serves searches in an account,
 * an inbox or a thread.
 */
export function createSearchStatements(schema: string): SearchStatements {
  const table = `${quoteName(schema)}."search"`;
  // A lexeme has no space, and one text is cheaper to send and to read than an array of arrays would be.
  const indexSql = `insert into ${table} ("message_id", "account_id", "lexemes", "words")
    select "message_id", "account_id", array_to_tsvector(string_to_array("lexemes", ' ')), "words"
    from ${unnestSql(["text", "text", "text", "text"])} as "document" ("message_id", "account_id", "lexemes", "words")
    on conflict ("message_id") do update set "account_id" = excluded."account_id", "lexemes" = excluded."lexemes", "words" = excluded."words"`;
  const unindexSql = `delete from ${table} where "message_id" = any($1::text[])`;

  return {
    index(documents) {
      return { sql: indexSql, parameters: columnsAs(["text", "text", "text", "text"], documents.map(rowOf)) };
    },
    unindex: (message_ids) => ({ sql: unindexSql, parameters: [new ArrayParameter("text", message_ids)] }),
    search(query) {
      const expression = matchExpression(query);
      const { account_id, before, limit, terms } = query;
      if (expression === undefined || (before !== null && !MESSAGE_ID.test(before))) return undefined;
      const parameters: unknown[] = [expression];
      const bind = (value: unknown) => `$${parameters.push(value)}`;
      const phrases = terms.filter(({ words, field }) => words.length > 1 || field === "text");
      const matches = [
        `"lexemes" @@ $1::tsquery`,
        ...phrases.map((term) => phraseCondition(term, bind)),
      ].join(" and ");
      const rows = bind(limit);
      const older = bind(before ?? AFTER_ALL);

      // The lexemes include the account's scope. `offset 0` is an optimizer fence: without it the planner may
      // walk through all messages by date, or all older ones, in search of a rare word.
      const all = `select "message_id" from (select "message_id" from ${table} where ${matches} offset 0) as "found"
        where "message_id" < ${older} order by "message_id" desc limit ${rows}`;
      const ofAll = [...parameters];
      const account = bind(account_id);
      // Both columns are compared at once: of one account the planner expects few messages in a table that was
      // not analysed, and would sort them all.
      const among = (count: number) => `select "message_id" from (
          select "account_id", "message_id", "lexemes", "words" from ${table} where ("account_id", "message_id") < (${account}, ${older})
          order by "account_id" desc, "message_id" desc limit ${count}
        ) as "recent" where ${matches} order by "account_id" desc, "message_id" desc limit ${rows}`;
      const first = `with "sample" as materialized (${among(SAMPLED_MESSAGES)}), "next" as materialized (
          select ${asksIndexSql("count(*)", `pg_relation_size('${table}')`, rows)} as "by_index" from "sample"
        ) select "message_id", true as "sampled" from "sample" where not (select "by_index" from "next")
        union all select "message_id", false from (${all}) as "indexed" where (select "by_index" from "next")`;
      // There are too many texts with phrases to keep each prepared. The others have one good plan for any words.
      const kept = phrases.length === 0 ? {} : { unprepared: true as const };
      return {
        first: { sql: first, parameters, ...kept },
        recent: { sql: among(RECENT_MESSAGES), parameters, ...kept },
        all: { sql: all, parameters: ofAll, ...kept },
      };
    },
  };
}

/**
 * Decides whether to search the index after `found` matches in the sample, or more of the newest messages: the index
 * collects all matches, which are many for common words; rare words have few matches among the newest messages.
 */
export function asksIndexSql(found: string, table_bytes: string, limit: string): string {
  const share = `(${found}::float8 / ${SAMPLED_MESSAGES})`;
  const compared = `(${limit}::bigint / ${share})`;
  const matches = `(${table_bytes} / ${PAGE_BYTES} * ${MESSAGES_PER_PAGE} * ${share})`;
  return `case when ${found} = 0 then true when ${found} >= ${limit}::bigint then false
    else ${compared} > ${RECENT_MESSAGES} or ${matches} <= ${MATCHES_PER_MESSAGE} * ${compared} end`;
}

function rowOf(document: SearchDocument): unknown[] {
  const { message_id, account_id, fields } = document;
  if (!MESSAGE_ID.test(message_id)) throw new Error("malformed message id");
  const lexemes = lexemesOf(documentScopes(document), fields).join(" ");
  const words = FIELDS.map((field) => ` ${fields[field].join(" ")} `).join(FIELD_SEPARATOR);
  return [message_id, account_id, lexemes, words];
}

/** About how many characters a document's words have. */
export const charactersOf = ({ fields }: SearchDocument): number =>
  Object.values(fields)
    .flat()
    .reduce((sum, words) => sum + words.length, 1);

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
