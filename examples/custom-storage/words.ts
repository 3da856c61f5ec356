import type { SearchDocument, SearchQuery, SearchTerm } from "@letterslot/core/ports";

/** Returns the ids of documents in scope that contain all terms, newest first. Core has split the words. */
export function search(documents: Iterable<SearchDocument>, query: SearchQuery): string[] {
  const found: string[] = [];
  for (const document of documents) {
    if (inScope(document, query) && query.terms.every((term) => hasTerm(document, term)))
      found.push(document.message_id);
  }
  return found.sort((a, b) => (a < b ? 1 : -1)).slice(0, query.limit);
}

function inScope(
  document: SearchDocument,
  { account_id, inbox_id, thread_id, before }: SearchQuery,
): boolean {
  if (document.account_id !== account_id) return false;
  if (inbox_id !== null && document.inbox_id !== inbox_id) return false;
  if (thread_id !== null && document.thread_id !== thread_id) return false;
  return before === null || document.message_id < before;
}

function hasTerm(document: SearchDocument, term: SearchTerm): boolean {
  const fields = term.field === null ? Object.values(document.fields) : [document.fields[term.field]];
  return fields.some((given) => {
    // Many words may come in one string.
    const words = given.flatMap((joined) => joined.split(" "));
    return words.some((_, start) => occursAt(words, start, term));
  });
}

/** Whether a term's words occur in sequence at `start`; with `prefix` the last word may be longer. */
function occursAt(words: readonly string[], start: number, { words: wanted, prefix }: SearchTerm): boolean {
  return wanted.every((word, index) => {
    const found = words[start + index];
    return prefix && index === wanted.length - 1 ? found?.startsWith(word) === true : found === word;
  });
}
