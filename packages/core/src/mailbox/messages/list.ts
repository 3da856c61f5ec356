import { idFloor } from "../../catalogue/ids.ts";
import { queryWords, searchWordsOf, shortenWord } from "../../mail/search-words.ts";
import type { MessageRecord, MessageTermRecord } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { rowsFor, term, termsOf } from "./terms.ts";

/** Filters on a list of messages; all must match. */
export interface MessageFilter {
  inbox_id: string;
  label?: string[] | undefined;
  direction?: MessageRecord["direction"] | undefined;
  from?: string | undefined;
  to?: string | undefined;
  envelope_to?: string | undefined;
  subject?: string | undefined;
  thread_id?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
  order: "asc" | "desc";
}

const BATCH_SIZE = 200;
const MAX_COUNTED = 2_000;
const MAX_SUBJECT_WORDS = 50;

/**
 * The matching messages after a position, in order. Scans the index of the rarest filter term and checks the
 * other filters on the messages, so the cost grows with the page, not with the inbox.
 */
export async function listMessages(
  storage: StorageReader,
  filter: MessageFilter,
  after: string | undefined,
  limit: number,
): Promise<MessageRecord[]> {
  const terms = filterTerms(filter);
  const scanned = await rarestRows(storage, filter, terms);
  const subject = subjectWords(filter);
  const found: MessageRecord[] = [];
  let position = after;
  for (;;) {
    const size = terms.length <= 1 && subject.length === 0 ? limit - found.length : BATCH_SIZE;
    const { messages, next } = await nextMessages(storage, filter, scanned, position, size);
    for (const message of messages) {
      if (!matches(message, filter, terms, subject)) continue;
      found.push(message);
      if (found.length === limit) return found;
    }
    if (next === undefined) return found;
    position = next;
  }
}

function filterTerms({ label = [], direction, from, to, envelope_to }: MessageFilter): string[] {
  return [
    ...label.map(term.label),
    ...(from === undefined ? [] : [term.from(from)]),
    ...(to === undefined ? [] : [term.to(to)]),
    ...(envelope_to === undefined ? [] : [term.envelope_to(envelope_to)]),
    ...(direction === undefined ? [] : [term.direction(direction)]),
  ];
}

/** The rows of the filter term with the fewest messages, or undefined to scan the thread or inbox itself. */
async function rarestRows(
  storage: StorageReader,
  { inbox_id, thread_id, to, envelope_to }: MessageFilter,
  terms: string[],
): Promise<readonly string[] | undefined> {
  if (thread_id !== undefined || terms.length === 0) return undefined;
  const inbox = (to ?? envelope_to) === undefined ? undefined : await storage.get("inboxes", inbox_id);
  const candidates = terms.map((word) => rowsFor(word, inbox?.email));
  if (candidates.length === 1) return candidates[0];
  const counts = await Promise.all(
    candidates.map(async (rows) => {
      const of_rows = await Promise.all(
        [...new Set(rows)].map((row) => storage.count("message_terms", { inbox_id, term: row }, MAX_COUNTED)),
      );
      return of_rows.reduce((sum, count) => sum + count, 0);
    }),
  );
  return candidates[counts.indexOf(Math.min(...counts))];
}

/** The next messages to look at, and the id to go on from: undefined after the last of them. */
async function nextMessages(
  storage: StorageReader,
  filter: MessageFilter,
  scanned: readonly string[] | undefined,
  position: string | undefined,
  limit: number,
): Promise<{ messages: MessageRecord[]; next: string | undefined }> {
  const { inbox_id, thread_id, order: direction } = filter;
  const range = idRange(filter, position);
  if (scanned === undefined) {
    const scope = thread_id === undefined ? { inbox_id } : { thread_id };
    const messages = await storage.find("messages", {
      where: { ...scope, ...(range === undefined ? {} : { id: range }) },
      order: { by: "id", direction },
      limit,
    });
    return { messages, next: messages.length < limit ? undefined : messages.at(-1)?.id };
  }
  const rows: MessageTermRecord[] = [];
  for (const row of scanned)
    rows.push(
      ...(await storage.find("message_terms", {
        where: { inbox_id, term: row, ...(range === undefined ? {} : { message_id: range }) },
        order: { by: "message_id", direction },
        limit,
      })),
    );
  const ids = firstIds(rows, direction, limit);
  const order = { by: "id", direction } as const;
  const messages =
    ids.length === 0 ? [] : await storage.find("messages", { where: { id: { in: ids } }, order, limit });
  // A message that was deleted meanwhile doesn't end the list.
  return { messages, next: ids.length < limit ? undefined : ids.at(-1) };
}

/** Returns the first messages in order, each once even if several of the rows are its own. */
function firstIds(
  rows: readonly MessageTermRecord[],
  direction: MessageFilter["order"],
  limit: number,
): string[] {
  const ids = [...new Set(rows.map(({ message_id }) => message_id))].sort();
  return (direction === "asc" ? ids : ids.toReversed()).slice(0, limit);
}

/** `before`, `after` and the page position as bounds on the ids, which sort by time. */
function idRange(
  { before, after, order }: MessageFilter,
  position: string | undefined,
): { lt?: string; gt?: string } | undefined {
  const upper = before === undefined ? undefined : idFloor("msg", new Date(before));
  const lower = after === undefined ? undefined : idFloor("msg", new Date(Date.parse(after) + 1));
  const lt = order === "desc" ? least(upper, position) : upper;
  const gt = order === "asc" ? greatest(lower, position) : lower;
  if (lt === undefined && gt === undefined) return undefined;
  return { ...(lt === undefined ? {} : { lt }), ...(gt === undefined ? {} : { gt }) };
}

const least = (a: string | undefined, b: string | undefined) =>
  a === undefined || (b !== undefined && b < a) ? b : a;
const greatest = (a: string | undefined, b: string | undefined) =>
  a === undefined || (b !== undefined && b > a) ? b : a;

/** Whether a message that is read by itself meets a filter. */
export function matchesFilter(message: MessageRecord, filter: MessageFilter): boolean {
  const { lt, gt } = idRange(filter, undefined) ?? {};
  if (filter.thread_id !== undefined && message.thread_id !== filter.thread_id) return false;
  if ((lt !== undefined && message.id >= lt) || (gt !== undefined && message.id <= gt)) return false;
  return matches(message, filter, filterTerms(filter), subjectWords(filter));
}

const subjectWords = ({ subject }: MessageFilter): string[] =>
  subject === undefined ? [] : queryWords(subject).map(shortenWord);

function matches(
  message: MessageRecord,
  { inbox_id }: MessageFilter,
  terms: string[],
  subject: string[],
): boolean {
  if (message.inbox_id !== inbox_id) return false;
  if (terms.length > 0) {
    const own = termsOf(message);
    if (!terms.every((word) => own.includes(word))) return false;
  }
  if (subject.length === 0) return true;
  const words = searchWordsOf(message.subject, MAX_SUBJECT_WORDS);
  return subject.every((word) => words.includes(word));
}
