import type { SearchDocument, SearchField, SearchQuery, SearchTerm } from "../src/ports/search.ts";

/** The searched documents, by message id. */
export type SearchDocuments = Map<string, SearchDocument>;

/** Ids of the messages that match all terms, newest first, found by scanning every message of the account. */
export function searchDocuments(documents: SearchDocuments, query: SearchQuery): string[] {
  const found: string[] = [];
  for (const document of documents.values())
    if (inScope(document, query) && matches(document, query.terms)) found.push(document.message_id);
  found.sort((a, b) => (a < b ? 1 : -1));
  return found.slice(0, query.limit);
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

function matches(document: SearchDocument, terms: readonly SearchTerm[]): boolean {
  return terms.every((term) => {
    const fields =
      term.field === null
        ? Object.values(document.fields)
        : [document.fields[term.field satisfies SearchField]];
    return fields.some((words) => holds(words.flatMap(splitAtSpaces), term));
  });
}

const splitAtSpaces = (words: string): string[] => words.split(" ");

/** Whether the words of the term occur consecutively; with `prefix` the last one may be a prefix. */
function holds(words: readonly string[], { words: wanted, prefix }: SearchTerm): boolean {
  if (wanted.length === 0) return false;
  const last = wanted.length - 1;
  for (let start = 0; start + last < words.length; start++) {
    const fits = wanted.every((word, index) => {
      const there = words[start + index] as string;
      return prefix && index === last ? there.startsWith(word) : there === word;
    });
    if (fits) return true;
  }
  return false;
}
