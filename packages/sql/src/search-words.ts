import type { SearchDocument, SearchQuery, SearchTerm } from "@letterslot/core/ports";

/**
 * Words for the places that a message is in: its account, inbox and thread. They start with an underscore,
 * as no word of a mail does. Throws when an id is malformed.
 */
export function documentScopes({ account_id, inbox_id, thread_id }: SearchDocument): string[] {
  const scopes = [scopeWord(account_id), scopeWord(account_id, inbox_id), scopeWord(account_id, thread_id)];
  if (scopes.includes(undefined)) throw new Error("a search document has malformed ids");
  return scopes as string[];
}

/** The scope words that a query's messages must all have; undefined when nothing can match. */
export function queryScopes({ account_id, inbox_id, thread_id }: SearchQuery): string[] | undefined {
  const places = [inbox_id, thread_id].filter((id) => id !== null);
  const scopes =
    places.length === 0 ? [scopeWord(account_id)] : places.map((id) => scopeWord(account_id, id));
  return scopes.includes(undefined) ? undefined : (scopes as string[]);
}

/**
 * Whether a term has only words as core cuts them: letters and digits, no other ASCII. So nothing of a
 * database's query language gets through.
 */
export function isSearchTerm({ words }: SearchTerm): boolean {
  return (
    words.length > 0 && words.every((word) => /^[^\u0000-\u002f\u003a-\u0060\u007b-\u007f]+$/.test(word))
  );
}

/** Scope words of an account share a prefix, so an index stores them close together. */
function scopeWord(account_id: string, place_id?: string): string | undefined {
  const word = place_id === undefined ? `_${account_id}` : `_${account_id}_${place_id}`;
  return /^[a-z0-9_]+$/.test(word) ? word : undefined;
}
