import { createIds, type MakeId } from "../src/catalogue/ids.ts";
import type { RecordOf } from "../src/model/tables.ts";

/** The creation time of the kits' records. */
export const MADE_AT = "2026-01-01T00:00:00.000Z";

/** Creates ids that are a millisecond apart. */
export function createKitIds(): MakeId {
  let now = Date.parse(MADE_AT);
  return createIds(() => now++);
}

/** A job; its id comes from `name`. */
export function jobOf(name: string | number, change: Partial<RecordOf<"jobs">> = {}): RecordOf<"jobs"> {
  return {
    id: `job_${String(name).padStart(4, "0")}`,
    kind: "message.send",
    due_at: MADE_AT,
    subject_id: "msg_1",
    payload: {},
    attempts: 0,
    lease: null,
    created_at: MADE_AT,
    ...change,
  };
}

/** An inbox; its id and address come from `name`. */
export function inboxOf(
  name: string | number,
  change: Partial<RecordOf<"inboxes">> = {},
): RecordOf<"inboxes"> {
  return {
    id: `inb_${String(name).padStart(4, "0")}`,
    account_id: "acct_1",
    username: `box${name}`,
    domain: "example.com",
    email: `box${name}@example.com`,
    imported_at: null,
    expects_until: null,
    has_rules: false,
    forwards_all: false,
    display_name: null,
    created_at: MADE_AT,
    require_sender_auth: true,
    labels: [],
    expires_at: null,
    status: "active",
    paused_at: null,
    metadata: {},
    client_id: null,
    screening: "observe",
    send_mode: "direct",
    outbound: { untrusted: null, content: null, new_recipients: null },
    effective_send_mode: "direct",
    effective_outbound: { untrusted: "observe", content: "observe", new_recipients: "observe" },
    owner_copy: "off",
    reply_guard: false,
    approve_with: "session",
    sending_paused_at: null,
    sms_tasks: false,
    release_by: "key",
    voicemail_greeting: null,
    ...change,
  };
}

/** An account without events. */
export function accountOf(name: string | number): RecordOf<"accounts"> {
  return {
    id: `acct_${name}`,
    parent_account_id: null,
    created_at: MADE_AT,
    event_sequence: 0,
    storage_bytes: 0,
    sub_account_bytes: 0,
    plan: null,
    suspended_at: null,
    deleted_at: null,
    claimed: false,
    first_owner_email: null,
    lifecycle_emails: "on",
    owner_email_style: null,
    owner_email_style_note: null,
    send_mode_floor: "direct",
    receipt_head: null,
    letters_live_until: "",
  };
}

/** An event of an account. */
export function eventOf(account_id: string, sequence: number, id: string): RecordOf<"events"> {
  return {
    id,
    account_id,
    sequence,
    inbox_id: null,
    message_id: null,
    type: "message.received",
    created_at: MADE_AT,
    data: { sequence },
  };
}

/** A counter at `count`. */
export function counterOf(name: string, count = 0): RecordOf<"counters"> {
  return { name, count, expires_at: MADE_AT };
}
