import type { Column, Shown } from "../frame/output.ts";

/** A column that shows a field of the record. */
const field = (name: string, title = name.replaceAll("_", " ")): Column => ({
  title,
  of: (record) => record[name],
});
const cut = (name: string, title?: string): Column => ({ ...field(name, title), cut: true });

/** A time to the minute, as UTC. */
export const minute = (time: unknown): string =>
  typeof time === "string" ? time.slice(0, 16).replace("T", " ") : "";

const when = (name: string, title = name.replace(/_at$/, "")): Column => ({
  title,
  of: (record) => minute(record[name]),
});

const whether = (title: string, of: (record: Shown) => string): Column => ({ title, of });

/** The columns of a table for each kind of record, by its `object`. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  inbox: [field("id"), field("email"), cut("display_name", "name"), field("status"), when("created_at")],
  message: [
    field("id"),
    whether("", ({ direction }) => (direction === "outbound" ? "→" : "←")),
    { title: "who", of: ({ direction, from, to }) => (direction === "outbound" ? to : from), cut: true },
    cut("subject"),
    field("status"),
    when("created_at", "time"),
  ],
  search_hit: [
    { title: "id", of: ({ message }) => (message as Shown)["id"] },
    { title: "from", of: ({ message }) => (message as Shown)["from"], cut: true },
    { title: "subject", of: ({ message }) => (message as Shown)["subject"], cut: true },
    { title: "time", of: ({ message }) => minute((message as Shown)["created_at"]) },
  ],
  thread: [field("id"), cut("subject"), field("message_count", "messages"), when("last_message_at", "last")],
  draft: [field("id"), cut("to"), cut("subject"), field("status"), when("send_at", "send at")],
  task: [
    field("id"),
    field("status"),
    whether("trusted", ({ trusted }) => (trusted === true ? "yes" : "no")),
    cut("sender", "from"),
    cut("subject"),
    when("created_at", "time"),
  ],
  owner: [field("id"), field("email"), field("status"), field("role"), when("created_at")],
  refusal: [
    when("last_at", "last"),
    field("operation"),
    field("status"),
    { title: "error", of: ({ error }) => (error as Shown)["code"] },
    field("count"),
    field("source", "by"),
    { title: "caller", of: ({ key_id, client_id }) => key_id ?? client_id },
  ],
  approval: [
    field("id"),
    field("status"),
    field("subject_type", "what"),
    cut("summary"),
    when("requested_at", "asked"),
    when("expires_at", "expires"),
  ],
  update: [field("id"), field("kind"), cut("title"), cut("text"), when("created_at", "time")],
  api_key: [
    field("id"),
    cut("name"),
    field("prefix"),
    field("inbox_id", "inbox"),
    { title: "may", of: ({ permissions }) => permissions ?? "everything", cut: true },
    when("last_used_at", "last used"),
    whether("works", ({ revoked_at }) => (revoked_at == null ? "yes" : "no")),
  ],
  webhook: [
    field("id"),
    cut("url"),
    { title: "events", of: ({ events }) => events ?? "all", cut: true },
    field("enabled"),
    field("last_delivery_status", "last"),
  ],
  webhook_delivery: [
    field("id"),
    field("event_type", "event"),
    field("status"),
    field("attempts"),
    field("last_status_code", "answer"),
    when("created_at", "time"),
  ],
  domain: [field("id"), field("domain"), field("status"), when("checked_at"), when("created_at")],
  phone_number: [
    field("id"),
    field("e164", "number"),
    field("status"),
    field("region"),
    field("inbox_id", "inbox"),
  ],
  available_phone_number: [field("phone_number", "number"), field("region"), cut("capabilities")],
  event: [field("sequence"), field("type"), field("inbox_id", "inbox"), when("created_at", "time")],
  workspace: [
    field("id"),
    cut("name"),
    field("inboxes_used", "inboxes"),
    field("inbox_quota", "of"),
    when("created_at"),
  ],
};

/** Fields that tables show of a record that has no columns of its own, if it has them. */
const USUAL = ["id", "name", "address", "entry", "email", "type", "status", "reason", "created_at"];

/** The columns in which records like this one are shown. */
export function columnsOf(record: Shown | undefined): readonly Column[] {
  const known = COLUMNS[String(record?.["object"])];
  if (known !== undefined || record === undefined) return known ?? [field("id")];
  const usual = USUAL.filter((name) => name in record);
  const names = usual.length > 0 ? usual : Object.keys(record).slice(0, USUAL.length);
  return names.map((name) => (name.endsWith("_at") ? when(name) : cut(name)));
}
