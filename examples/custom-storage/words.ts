import type { SearchDocument, SearchQuery, SearchTerm } from "@letterslot/core";

/**
 * Ids of the documents in scope that hold all terms, newest first. Core has cut the words; a storage only
 * looks for them.
 */
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
  return fields.some((words) => words.some((_, start) => standsAt(words, start, term)));
}

/** The words of a term stand in a row; with `prefix` the last one may go on. */
function standsAt(words: readonly string[], start: number, { words: wanted, prefix }: SearchTerm): boolean {
  return wanted.every((word, index) => {
    const there = words[start + index];
    return prefix && index === wanted.length - 1 ? there?.startsWith(word) === true : there === word;
  });
}
