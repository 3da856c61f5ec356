import type { AnyRecord } from "../model/belonging.ts";
import type { TableName } from "../model/tables.ts";

/** What an import makes of a record. */
export interface Settling {
  /** When the export was made. */
  exported_at: string;
  /** Owners stay verified, and authorities are given. */
  trust_owners: boolean;
}

type Settle = (record: AnyRecord, how: Settling) => AnyRecord;

/**
 * What was under way in the service that the account comes from is not under way here: it may still run there, and
 * nothing may happen twice. What people confirmed there, nobody confirmed here. Settling again changes nothing.
 */
export const SETTLE: Partial<Record<TableName, Settle>> = {
  keys: (key, { exported_at }) => ({ ...key, revoked_at: key["revoked_at"] ?? exported_at }),
  webhooks: (webhook, { exported_at }) => ({
    ...webhook,
    header_names: [],
    enabled: false,
    disabled_at: webhook["disabled_at"] ?? exported_at,
    disabled_reason: webhook["disabled_reason"] ?? "manual",
    previous_secret_expires_at: null,
  }),
  domains: (domain) => ({
    ...domain,
    ...{ status: "failed", verified_at: null, checked_at: null, next_check_at: null },
    ...{
      dns: { mode: "manual", provider: null, last_error: null },
      mail: { receiving: false, sending: false },
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
  messages: (message) =>
    UNDER_WAY.includes(String(message["status"])) ? { ...message, status: "failed" } : message,
  drafts: (draft) => ({
    ...draft,
    ...SENDING[String(draft["send_status"])],
    ...(draft["approval_status"] === "pending" ? { approval_status: "cancelled" } : {}),
  }),
  approvals: (approval, { exported_at }) =>
    approval["status"] === "pending"
      ? { ...approval, status: "cancelled", decided_at: exported_at }
      : approval,
  tasks: (task) => (task["claim"] === null ? task : { ...task, claim: null, status: "pending" }),
  update_deliveries: (delivery) =>
    delivery["status"] === "queued" ? { ...delivery, status: "skipped", reason: MOVED } : delivery,
  deliveries: (delivery) =>
    delivery["status"] === "pending"
      ? { ...delivery, status: "failed", next_retry_at: null, last_error: MOVED }
      : delivery,
};

/** Statuses of mail, texts and calls that have not ended. */
const UNDER_WAY = ["queued", "ringing"];
const MOVED = "The account was moved before it was delivered.";

/** Drafts that waited for their time, or were on their way. */
const SENDING: Record<string, AnyRecord> = {
  scheduled: { send_status: "draft", send_at: null },
  sending: {
    send_status: "failed",
    send_error: "The account was moved while it was being sent.",
    message_id: null,
  },
};
