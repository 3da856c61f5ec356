/**
 * The words of one message, as core split them (`mail/search-words.ts`); the database indexes them unchanged. Many
 * words may come in one string, separated by spaces, which takes a hundredth of the memory.
 */
export interface SearchDocument {
  message_id: string;
  account_id: string;
  inbox_id: string;
  thread_id: string;
  fields: Record<SearchField, string[]>;
}

/** The parts of a message that are searched. */
export type SearchField = "subject" | "text" | "sender" | "recipients" | "attachments";

/**
 * One condition of a search: a word, a phrase (several consecutive words) or a prefix (of the last word), in one field
 * or any.
 */
export interface SearchTerm {
  words: string[];
  prefix: boolean;
  field: SearchField | null;
}

/**
 * A search in one account, newest first; all terms must match. `before` is a message id: only older messages
 * match.
 */
export interface SearchQuery {
  account_id: string;
  inbox_id: string | null;
  thread_id: string | null;
  terms: SearchTerm[];
  before: string | null;
  limit: number;
}
