import { Event, type EventType } from "@letterslot/core";
import { z } from "zod";

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
}

const ID = "_01kab3x9t2m4v6w8y0z5";
const AGENT = "agent@letterslot.example";
const OWNER = "olga@owner.example";
const TIME = "2026-11-20T08:00:00.000Z";
const TEXT = "Please order paper for the printer.";

/** Values by the name of their field, where the schema alone would give a sample that says nothing. */
const VALUES: Record<string, unknown> = {
  account_id: `acct${ID}`,
  answers_task_id: "printer",
  answers_update_id: `upd${ID}`,
  approval_id: null,
  approval_status: null,
  attachments: [],
  bcc: [],
  cc: [],
  client_id: null,
  comment: null,
  delivery_events: [],
  email: OWNER,
  email_style: null,
  email_style_note: null,
  extracted_text: TEXT,
  forward_of: null,
  from: OWNER,
  from_name: "Olga",
  headers: {},
  in_reply_to: null,
  inbox_id: `inb${ID}`,
  labels: ["received", "unread"],
  messages_in_last_hour: 21,
  note: null,
  last_error: null,
  message_id: `msg${ID}`,
  owner_id: `own${ID}`,
  preview: TEXT,
  provider: null,
  raw_text: "Yes, please.",
  recipients: [OWNER],
  references: [],
  reply_to: null,
  result: null,
  score: 0,
  send_at: null,
  send_error: null,
  sender: OWNER,
  signals: [],
  size_bytes: 2_048,
  source: "default",
  status: "received",
  subject: "Printer",
  subject_id: `dft${ID}`,
  summary: "Send \u201cPrinter\u201d to olga@owner.example.",
  task_id: `tsk${ID}`,
  text: TEXT,
  thread_id: `thr${ID}`,
  to: [AGENT],
  trusted: true,
  unsubscribed_at: null,
  value: true,
  url: "https://agent.example/hook",
  webhook_id: `wh${ID}`,
};

const OUTBOUND = {
  direction: "outbound",
  from: AGENT,
  from_name: null,
  to: [OWNER],
  labels: ["sent"],
  safety: null,
  auth: null,
};
const DRAFT = { labels: [], to: [OWNER] };

/** Values that depend on the type of the event too. */
const VALUES_OF_TYPE: Partial<Record<EventType, Record<string, unknown>>> = {
  "message.held": {
    labels: ["received", "unread", "suspicious", "held"],
    extracted_text: null,
    preview: null,
  },
  "message.sent": { ...OUTBOUND, status: "sent" },
  "message.delivered": { ...OUTBOUND, status: "sent" },
  "message.failed": { ...OUTBOUND, status: "failed", reason: "550 5.1.1 No such user." },
  "message.bounced": { bounce_type: "hard" },
  "message.complained": { bounce_type: "abuse" },
  "task.received": { status: "pending", claim: null, answer: null, attempts: 0 },
  "task.updated": { status: "done", claim: null, answer: null, result: "Ordered." },
  "draft.created": DRAFT,
  "approval.requested": { status: "pending", decided_at: null, decided_by: null },
  "approval.decided": { status: "approved" },
  "inbox.security_changed": { screening: "off", previous: { screening: "hold" } },
  "owner.verified": { status: "verified" },
  "webhook.disabled": { consecutive_failures: 20, disabled_reason: "consecutive_failures" },
  "owner.unsubscribed": { status: "verified", unsubscribed_at: TIME },
};

/** Values that depend on the object that a field belongs to. */
const VALUES_OF_OBJECT: Record<string, Record<string, unknown>> = {
  approval: { id: `apr${ID}`, digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" },
  draft: { id: `dft${ID}` },
  event: { id: `evt${ID}` },
  message: { id: `msg${ID}`, message_id: "<1a2b@mail.example>" },
  owner: { id: `own${ID}` },
  task: { id: `tsk${ID}` },
};

/** Values for one sample: by field, and which optional fields it shows. */
interface Values {
  fields: Record<string, unknown>;
  optional: Record<string, unknown>;
}

let variants: Schema[] | undefined;

/** A sample of one type of event, generated from its schema. */
export function eventSample(type: EventType): Record<string, unknown> {
  variants ??= (z.toJSONSchema(Event, { reused: "inline" }) as Schema).oneOf ?? [];
  const schema = variants.find(({ properties }) => properties?.["type"]?.const === type);
  if (schema === undefined) throw new Error(`no schema for ${type}`);
  const optional = VALUES_OF_TYPE[type] ?? {};
  return objectSample(schema, { fields: { ...VALUES, ...optional }, optional });
}

function sampleOf(schema: Schema, name: string, values: Values): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Object.hasOwn(values.fields, name)) return values.fields[name];
  const option = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null");
  if (option !== undefined) return sampleOf(option, name, values);
  if (schema.enum !== undefined) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === "object") return objectSample(schema, values);
  if (type === "array") return schema.items === undefined ? [] : [sampleOf(schema.items, name, values)];
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return 1;
  if (type === "string") return schema.format === "date-time" ? TIME : name;
  return null;
}

function objectSample({ properties = {}, required = [] }: Schema, { fields, optional }: Values) {
  const kind = String(properties["object"]?.const);
  const values = { fields: { ...fields, ...VALUES_OF_OBJECT[kind] }, optional };
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || Object.hasOwn(optional, name),
  );
  return Object.fromEntries(shown.map(([name, schema]) => [name, sampleOf(schema, name, values)]));
}
