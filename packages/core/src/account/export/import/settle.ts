import type { AnyRecord } from "../../../model/belonging.ts";
import type { RuleActions } from "../../../model/inbox-rules.ts";
import { type Decisions, type MessageAuth, NO_AUTH } from "../../../model/message-facts.ts";
import type { TableName } from "../../../model/tables.ts";
import type { TaskRecord } from "../../../model/tasks.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import type { WholeMessage } from "./read-archive.ts";

/** The options for settling records. */
export interface Settling {
  /** The time of the export. */
  exported_at: string;
  /** Owners stay verified and authorities are kept. */
  trust_owners: boolean;
}

/** Whether a rule would write to people, or hand out work. */
const isOutward = ({ auto_reply, assign, forward_to }: RuleActions): boolean =>
  [auto_reply, assign, forward_to].some((action) => action !== undefined);

type Settle = (record: AnyRecord, how: Settling) => AnyRecord;

/**
 * The changes to imported records that end what was under way in the exporting service: it may still run there, and
 * nothing may happen twice. They also withdraw people's confirmations, which were not given here. Idempotent.
 */
export const SETTLE: Partial<Record<TableName, Settle>> = {
  keys: (key, { exported_at }) => ({ ...key, revoked_at: key["revoked_at"] ?? exported_at }),
  webhooks: (webhook, { exported_at }) => ({
    ...webhook,
    header_names: [],
    enabled: false,
    disabled_at: webhook["disabled_at"] ?? exported_at,
    disabled_reason: "manual",
    previous_secret_expires_at: null,
  }),
  domains: (domain) => ({
    ...domain,
    ...{ status: "failed", verified_at: null, checked_at: null, next_check_at: null },
    ...{
      dns: { mode: "manual", provider: null, last_error: null },
      mail: { receiving: false, sending: false },
      receiving_from: null,
    },
    ...{ records: [], warnings: [], workspace_ids: [], missing_since: null, ownership_missing_since: null },
    ...{ previous_dkim_selector: null, previous_dkim_public_key: null, previous_dkim_until: null },
  }),
  // The provider has it on the account of the service that it was bought by.
  phone_numbers: (number, { exported_at }) => ({
    ...number,
    status: "released",
    released_at: number["released_at"] ?? exported_at,
  }),
  owners: (owner, { trust_owners }) =>
    trust_owners ? owner : { ...owner, status: "pending", verified_at: null },
  messages: (message) => settleMessage(message as unknown as WholeMessage),
  // All mail in it was received elsewhere.
  threads: (thread) => ({
    ...thread,
    claimed_until: null,
    untrusted: thread["received_at"] !== null || thread["untrusted"],
  }),
  drafts: (draft) => ({
    ...draft,
    ...SENDING[String(draft["send_status"])],
    ...{ message_id: null, asked_by_key_id: null },
    ...(draft["approval_status"] === "pending" ? { approval_status: "cancelled" } : {}),
  }),
  trash: (trashed, how) => settleTrash(trashed as TrashRecord, how),
  approvals: (approval, { exported_at }) => ({
    ...approval,
    imported: true,
    ...(approval["status"] === "pending" ? { status: "cancelled", decided_at: exported_at } : {}),
  }),
  tasks: (task) => ({
    ...task,
    ...UNTRUSTED,
    answer: null,
    auth: { ...(task["auth"] as MessageAuth), imported: true },
    ...(task["claim"] === null ? {} : { claim: null, status: "pending" }),
  }),
  // Who wrote it may do nothing here.
  inbox_rules: ({ actions, ...rule }) => ({
    ...{ ...rule, actions, key_id: null, grant_id: null, made_by: "key" },
    ...(isOutward(actions as RuleActions) ? { enabled: false, last_error: "It was imported." } : {}),
  }),
  // Neither the mailbox nor a person in charge said yes here.
  forwardings: (forwarding) => ({
    ...forwarding,
    ...(forwarding["status"] === "verified" ? { status: "pending", verified_at: null } : {}),
    ...{ approval_id: null, asked_by: null, asked_by_person: null, decided_by: null, hard_bounces: 0 },
  }),
  expectations: (expectation) =>
    expectation["status"] === "waiting" ? { ...expectation, status: "cancelled" } : expectation,
  events: (event) => ({ ...event, data: settleData(event["data"]) }),
  update_deliveries: (delivery) =>
    delivery["status"] === "queued" ? { ...delivery, status: "skipped", reason: MOVED } : delivery,
  deliveries: (delivery) =>
    delivery["status"] === "pending"
      ? { ...delivery, status: "failed", next_retry_at: null, last_error: MOVED }
      : delivery,
};

/**
 * A message keeps what it says and what was found of it; but no sender of it was checked here, no later mail is taken
 * for its copy, the provider's recordings aren't this service's, and a held one that is released says nothing for its
 * author.
 */
function settleMessage({ body, phone, auth, ...message }: WholeMessage): AnyRecord {
  const inbound = message.direction === "inbound";
  return {
    ...message,
    ...(UNDER_WAY.includes(message.status) ? { status: "failed" } : {}),
    ...{ authenticated: false, dedupe_key: null },
    // What failed elsewhere is no fault here.
    attention: message.labels.includes("held") ? "held" : null,
    auth: inbound ? { ...NO_AUTH, ...auth, imported: true } : null,
    phone: phone && { ...phone, provider_id: null, recording_id: null },
    body: {
      ...body,
      decisions: body.decisions && { ...withoutForwarder(body.decisions), doubt: IMPORTED },
    },
  };
}

/** Settles what lies in the trash as if it weren't there, because it may be restored here. */
function settleTrash(trashed: TrashRecord, how: Settling): AnyRecord {
  const { id, record, body } = trashed;
  const tasks = trashed.tasks.map((task) => SETTLE.tasks?.(task, how) as TaskRecord);
  if (body !== null) {
    const { body: settled, ...message } = settleMessage({ ...record, body } as unknown as WholeMessage);
    return { ...trashed, record: message, body: settled, tasks };
  }
  if (!id.startsWith("dft_")) return { ...trashed, record: SETTLE.threads?.(record, how), tasks: [] };
  // What it names besides its thread is checked only where it stands by itself.
  const draft = { ...SETTLE.drafts?.(record, how), approval_id: null, task_id: null, task_status: null };
  return { ...trashed, record: draft, tasks: [] };
}

const IMPORTED = "it was imported";

function withoutForwarder({ forwarded_by: _elsewhere, ...decisions }: Decisions): Decisions {
  if (decisions.word === undefined) return decisions;
  return { ...decisions, word: { ...decisions.word, missing: decisions.word.missing ?? "It was imported." } };
}

const UNTRUSTED = { trusted: false, imported: true, untrusted_reason: "imported" };

/** The data of an event, in which nothing is trusted, authenticated or approved, however deep it stands. */
function settleData(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settleData);
  if (typeof value !== "object" || value === null) return value;
  const settled: AnyRecord = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, settleData(each)]),
  );
  if (Object.hasOwn(settled, "trusted")) Object.assign(settled, UNTRUSTED);
  if (Object.hasOwn(settled, "authenticated")) settled["authenticated"] = false;
  if (["spf", "dkim", "dmarc"].some((check) => Object.hasOwn(settled, check))) settled["imported"] = true;
  if (Object.hasOwn(settled, "decided_by")) settled["imported"] = true;
  if (Object.hasOwn(settled, "answers_update_id") && Object.hasOwn(settled, "answer"))
    settled["answer"] = null;
  return settled;
}

/** Statuses of mail, texts and calls that have not ended. */
const UNDER_WAY = ["queued", "ringing"];
const MOVED = "The account was moved before it was delivered.";

/** Drafts that waited for their time, or were on their way. */
const SENDING: Record<string, AnyRecord> = {
  scheduled: { send_status: "draft", send_at: null },
  sending: {
    send_status: "failed",
    send_error: "The account was moved while it was being sent.",
  },
};
