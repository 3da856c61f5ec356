import type { Schema } from "./schemas.ts";

const ID = "_01kab3x9t2m4v6w8y0z5";
const AGENT = "agent@letterslot.example";
const OWNER = "olga@owner.example";
const TIME = "2026-11-20T08:00:00.000Z";
const TEXT = "Please order paper for the printer.";
const DIGEST = "sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Returns a sample id for the documentation, by the prefix of its kind. */
const sampleId = (prefix: string): string => `${prefix}${ID}`;

/** The account's agent and its owner, as the documentation calls them. */
export const PEOPLE = { AGENT, OWNER, TIME } as const;

/** Values by the name of their field, where the schema alone would give a sample that says nothing. */
const VALUES: Record<string, unknown> = {
  account_id: sampleId("acct"),
  address: OWNER,
  after: "41",
  answers_task_id: "printer",
  answers_update_id: sampleId("upd"),
  api_key: "ls_4f0b…",
  api_key_id: sampleId("key"),
  approval_id: sampleId("apr"),
  approval_status: null,
  attachment_id: sampleId("att"),
  attachments: [],
  authority_id: sampleId("aut"),
  bcc: [],
  cc: [],
  challenge: "p3k9…",
  claim_token: "c7d1…",
  client_id: null,
  code: "482913",
  comment: null,
  consumer_id: sampleId("evc"),
  canary_id: sampleId("cnr"),
  passkey_id: sampleId("pky"),
  pairing_id: sampleId("par"),
  forwarding_id: sampleId("fwd"),
  rule_id: sampleId("rul"),
  rule_ids: [sampleId("rul")],
  expectation_id: sampleId("exp"),
  upload_id: sampleId("upl"),
  content_type: "application/pdf",
  cursor: "41",
  delivery_events: [],
  delivery_id: sampleId("whd"),
  digest: DIGEST,
  direction: "send",
  display_name: "Ada",
  docs_url: "http://localhost:8025/docs",
  draft_id: sampleId("dft"),
  email: OWNER,
  email_style: null,
  email_style_note: null,
  entry: "spammer.example",
  event_id: sampleId("evt"),
  event_type: "message.received",
  extracted_text: TEXT,
  filename: "invoice.pdf",
  forward_of: null,
  from: OWNER,
  from_name: "Olga",
  given_by: OWNER,
  headers: {},
  in_reply_to: null,
  inbox_display_name: "Ada",
  inbox_email: AGENT,
  inbox_id: sampleId("inb"),
  key_id: sampleId("key"),
  labels: ["received", "unread"],
  last_error: null,
  last_message_id: sampleId("msg"),
  link_host: "shop.example",
  message_id: sampleId("msg"),
  messages_in_last_hour: 21,
  name: "Olga",
  next_cursor: null,
  note: null,
  owner_email: OWNER,
  owner_id: sampleId("own"),
  parent_account_id: null,
  preview: TEXT,
  provider: null,
  q: "invoice",
  raw_text: "Yes, please.",
  recipient: OWNER,
  recipients: [OWNER],
  references: [],
  reply_to: null,
  restrictions: [],
  result: null,
  score: 0,
  secret: "whsec_9a…",
  send_at: null,
  send_error: null,
  sender: OWNER,
  session_id: sampleId("ses"),
  signals: [],
  size_bytes: 2_048,
  source: "default",
  status: "received",
  subject: "Printer",
  subject_id: sampleId("dft"),
  summary: "Send \u201cPrinter\u201d to olga@owner.example.",
  task_id: sampleId("tsk"),
  text: TEXT,
  thread_id: sampleId("thr"),
  title: "Paper is ordered",
  to: [AGENT],
  token: "t5x8…",
  trusted: true,
  type: "block",
  unsubscribed_at: null,
  update_id: sampleId("upd"),
  url: "https://agent.example/hook",
  username: "agent",
  value: true,
  webhook_id: sampleId("wh"),
  export_id: sampleId("exp"),
  domain_id: sampleId("dom"),
  workspace_id: sampleId("wsp"),
  workspace_inbox_id: sampleId("inb"),
  workspace: null,
};

/** Values that depend on the object that a field belongs to. */
const VALUES_OF_OBJECT: Record<string, Record<string, unknown>> = {
  account_export: {
    id: sampleId("exp"),
    status: "ready",
    url: "http://localhost:8025/api/v1/account/export/…/download",
  },
  allowlist_entry: { id: sampleId("ent") },
  api_key: { id: sampleId("key"), name: "Default", prefix: "ls_4f0b" },
  approval: { id: sampleId("apr"), digest: DIGEST },
  attachment: { id: sampleId("att"), url: "http://localhost:8025/api/v1/…" },
  authority: { id: sampleId("aut") },
  draft: { id: sampleId("dft"), approval_id: null, labels: [], to: [OWNER], from: AGENT },
  event: { id: sampleId("evt") },
  event_consumer: { id: sampleId("evc"), client_id: "crm-sync" },
  domain: { id: sampleId("dom"), domain: "agents.example.com", client_id: "agents", workspace_ids: [] },
  workspace: { id: sampleId("wsp"), name: "Acme", client_id: "customer-17" },
  inbox: { id: sampleId("inb"), email: AGENT, labels: ["team:support"], paused_at: null, expires_at: null },
  list_entry: { id: sampleId("ent") },
  message: { id: sampleId("msg"), message_id: "<1a2b@mail.example>" },
  owner: { id: sampleId("own"), digest: "immediate" },
  session: { id: sampleId("ses") },
  session_summary: { id: sampleId("ses") },
  suppression: { id: sampleId("ent"), address: "nomore@example.com" },
  task: { id: sampleId("tsk"), claim: null, answer: null },
  thread: { id: sampleId("thr"), labels: [] },
  update: { id: sampleId("upd"), task_id: "printer", text: "Two boxes arrive on Friday.", status: null },
  webhook: { id: sampleId("wh") },
  webhook_delivery: { id: sampleId("whd") },
};

/** Values for one sample: by field, and which optional fields it shows. */
interface SampleValues {
  fields: Record<string, unknown>;
  optional: Record<string, unknown>;
}

/** The value that samples give a field of this name; undefined where they follow the schema alone. */
export const namedValue = (name: string): unknown => VALUES[name];

/**
 * A sample of a schema without references. `values` go before those that all samples share; optional fields are
 * left out unless they are named.
 */
export function sampleOfSchema(schema: Schema, values: Record<string, unknown> = {}): unknown {
  return sampleOf(schema, "", { fields: { ...VALUES, ...values }, optional: values });
}

function sampleOf(schema: Schema, name: string, values: SampleValues): unknown {
  if (schema.const !== undefined) return schema.const;
  if (Object.hasOwn(values.fields, name) && fits(schema, values.fields[name])) return values.fields[name];
  const option = (schema.anyOf ?? schema.oneOf)?.find(({ type }) => type !== "null");
  if (option !== undefined) return sampleOf(option, name, values);
  if (schema.enum !== undefined) return schema.enum[0];
  const [type] = [schema.type].flat();
  if (type === "object") return objectSample(schema, values);
  if (type === "array") return schema.items === undefined ? [] : [sampleOf(schema.items, name, values)];
  if (type === "boolean") return false;
  if (type === "integer" || type === "number") return 1;
  if (type === "string") return textSample(schema, name);
  return null;
}

function textSample({ format }: Schema, name: string): string {
  if (format === "date-time") return TIME;
  return format === "date" ? TIME.slice(0, 10) : name;
}

/** Whether a value is one that the schema allows, as far as its type and its words say. */
function fits(schema: Schema, value: unknown): boolean {
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return options.some((option) => fits(option, value));
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum !== undefined) return schema.enum.includes(value);
  if (schema.format === "date-time" && value !== null)
    return typeof value === "string" && value.includes("T");
  const types = [schema.type ?? []].flat();
  return (
    types.length === 0 ||
    types.includes(typeOf(value)) ||
    (types.includes("integer") && Number.isInteger(value))
  );
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function objectSample({ properties = {}, required = [] }: Schema, { fields, optional }: SampleValues) {
  const kind = String(properties["object"]?.const);
  const values = { fields: { ...fields, ...VALUES_OF_OBJECT[kind] }, optional };
  const shown = Object.entries(properties).filter(
    ([name]) => required.includes(name) || Object.hasOwn(optional, name),
  );
  return Object.fromEntries(shown.map(([name, schema]) => [name, sampleOf(schema, name, values)]));
}
