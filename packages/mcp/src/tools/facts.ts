import { cleanLine, framed } from "@letterslot/core/mail";

/**
 * The parts of an answer that a tool shows: plain values, whose texts are clean, short and on one line, except in
 * frames.
 */
export type Fact = string | number | boolean | null | Fact[] | Facts;
export interface Facts {
  [name: string]: Fact;
}

/** The presentation of one kind of record. */
interface View {
  /** The fields that are shown, in this order. */
  shows: readonly string[];
  /** A field with a whole text, which is framed where the record is shown by itself. */
  body?: string;
  /** Whether null says something, such as that everything is allowed. */
  nulls?: true;
}

/** The kinds of record that have more to them than a model needs; of others everything is shown but bodies. */
const CHOSEN: Record<string, View> = {
  me: {
    shows: [
      ...["account_id", "auth_type", "key", "access", "workspace", "plan", "usage"],
      ...["restrictions", "notices", "sending_health", "owner_recommended"],
    ],
    nulls: true,
  },
  inbox: {
    shows: [
      ...["id", "email", "display_name", "status", "send_mode", "screening", "labels", "metadata"],
      ...["expires_at", "created_at"],
    ],
  },
  message: {
    shows: [
      ...["id", "inbox_id", "thread_id", "direction", "channel", "status", "from", "from_name", "to", "cc"],
      ...["subject", "preview", "labels", "attachments", "created_at"],
    ],
  },
  attachment: { shows: ["id", "filename", "content_type", "size_bytes"] },
  thread: {
    shows: [
      ...["id", "inbox_id", "subject", "participants", "message_count", "unread_count", "attachment_count"],
      ...["labels", "untrusted", "preview", "last_message_id", "updated_at", "messages", "next_cursor"],
    ],
  },
  task: {
    shows: [
      ...[
        "id",
        "inbox_id",
        "status",
        "trusted",
        "injected",
        "sender",
        "owner_id",
        "subject",
        "text",
        "text_truncated",
      ],
      ...["message_id", "thread_id", "task_id", "answers_update_id", "answer", "claim", "attempts"],
      ...["last_error", "result", "created_at"],
    ],
    body: "text",
  },
  draft: {
    shows: [
      ...["id", "inbox_id", "kind", "to", "cc", "bcc", "subject", "text", "attachments", "thread_id"],
      ...["send_at", "send_status", "send_error", "approval_status", "approval_id", "updated_at"],
    ],
    body: "text",
  },
  approval: {
    shows: [
      ...["id", "inbox_id", "subject_type", "subject_id", "summary", "reasons", "status", "comment"],
      ...["decided_by", "edited", "requested_at", "expires_at", "decided_at"],
    ],
  },
  update: {
    shows: [
      ...[
        "id",
        "inbox_id",
        "kind",
        "title",
        "status",
        "text",
        "task_id",
        "question",
        "answer",
        "answered_at",
      ],
      ...["deliveries", "created_at"],
    ],
  },
  update_delivery: { shows: ["owner_id", "email", "mode", "status", "reason"] },
  owner: { shows: ["id", "inbox_id", "email", "status", "digest", "verified_at", "unsubscribed_at"] },
};

/** The field, of any record, that marks it as the result of an earlier call. */
const REPEATED = "idempotent";

const VIEWS: ReadonlyMap<unknown, View> = new Map(
  Object.entries(CHOSEN).map(([object, view]) => [object, { ...view, shows: [...view.shows, REPEATED] }]),
);

/** Fields that no tool shows: whole bodies, and fields without meaning for a model. */
const NEVER = new Set([
  ...["object", "html", "extracted_text", "extracted_html", "headers", "raw", "url", "text_url"],
  ...["content_base64", "client_id", "has_more", "whats_new"],
]);

/** Whether a kind of record is shown with a field. */
export const isShown = (object: unknown, name: string): boolean =>
  !NEVER.has(name) && viewOf(object)?.shows.includes(name) !== false;

const viewOf = (object: unknown): View | undefined => VIEWS.get(object);

/** Records whose text has its frame already, such as the marked view of a mail. */
const READY = new Set(["marked_message", "attachment_text"]);

/** Default values, which aren't shown. */
const USUAL: Readonly<Record<string, unknown>> = {
  idempotent: false,
  injected: false,
  text_truncated: false,
  timed_out: false,
  channel: "email",
  hidden_blocks: 0,
  hidden_chars: 0,
  offset: 0,
};

/** The maximum characters shown of a text: within a list, by itself, and of one that is only useful whole. */
const CHARS = { listed: 200, alone: 500, whole: 4_000, body: 4_000 } as const;
const WHOLE = new Set(["link", "next_cursor", "claim_token", "owner_recommended"]);

/** The maximum depth of values shown within a record, and the maximum number of items of a list within it. */
const MAX_DEPTH = 6;
const MAX_ITEMS = 50;

/**
 * Extracts what a tool shows of an answer: the facts of each record, with other people's texts only on one line or in
 * one of the `frames`, which have the `mark`. `hidden` are fields without meaning for this caller.
 */
export function factsOf(
  answer: unknown,
  { mark, hidden }: { mark: () => string; hidden: ReadonlySet<string> },
): { facts: Facts; frames: string[] } {
  const frames: string[] = [];
  const facts = shown(answer, "", { mark, hidden, frames, listed: false, nulls: false, depth: 0 });
  const isRecord = typeof facts === "object" && facts !== null && !Array.isArray(facts);
  return { facts: isRecord ? facts : { result: facts ?? null }, frames };
}

/** The position of a value in an answer. */
interface Place {
  mark: () => string;
  hidden: ReadonlySet<string>;
  frames: string[];
  listed: boolean;
  nulls: boolean;
  depth: number;
}

function shown(value: unknown, name: string, place: Place): Fact | undefined {
  if (typeof value === "string") return cleanLine(value, charsOf(name, place));
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object" || place.depth > MAX_DEPTH) return undefined;
  const within = { ...place, depth: place.depth + 1 };
  if (Array.isArray(value)) {
    const items = place.depth === 1 ? value : value.slice(0, MAX_ITEMS);
    return items.flatMap((item) => shown(item, name, { ...within, listed: true }) ?? []);
  }
  return shownRecord(value as Record<string, unknown>, within);
}

function shownRecord(record: Record<string, unknown>, place: Place): Facts {
  const { object, message } = record;
  if (object === "search_hit" && typeof message === "object" && message !== null)
    return shownRecord(message as Record<string, unknown>, place);
  const view = viewOf(object);
  const within = view?.nulls === true ? { ...place, nulls: true } : place;
  const facts: Facts = {};
  for (const name of view === undefined ? Object.keys(record) : view.shows) {
    const value = record[name];
    if (NEVER.has(name) || place.hidden.has(name) || isNothing(name, value, within.nulls)) continue;
    const frame = typeof value === "string" ? frameOf(object, name, value, place) : undefined;
    if (frame !== undefined) place.frames.push(frame);
    const fact = frame ?? shown(value, name, within);
    if (fact !== undefined) facts[cleanLine(name, CHARS.listed)] = fact;
  }
  return facts;
}

/**
 * The text of a record in its frame, where it is shown whole. Only an answer as a whole may come with one: within
 * it there may be JSON that somebody made up.
 */
function frameOf(object: unknown, name: string, text: string, place: Place): string | undefined {
  const { listed, mark, depth } = place;
  if (typeof object !== "string") return undefined;
  if (READY.has(object)) return name === "text" && depth === 1 ? text : undefined;
  return viewOf(object)?.body === name && !listed
    ? framed(`the text of this ${object}`, cut(text), mark())
    : undefined;
}

/** Recognises values without information for a model. An empty page does carry some. */
function isNothing(name: string, value: unknown, nulls: boolean): boolean {
  if (value === undefined || value === "" || USUAL[name] === value) return true;
  if (value === null) return !nulls;
  return name !== "data" && typeof value === "object" && Object.keys(value).length === 0;
}

const charsOf = (name: string, { listed }: Place): number =>
  WHOLE.has(name) ? CHARS.whole : listed || name === "preview" ? CHARS.listed : CHARS.alone;

function cut(text: string): string {
  const points = [...text.slice(0, 2 * CHARS.body)];
  return points.length > CHARS.body ? `${points.slice(0, CHARS.body).join("")}…` : text;
}
