import type { AnyRecord } from "../../model/belonging.ts";
import { NO_OUTBOUND, type Outbound, type SendMode, settleOutbound } from "../../model/outbound.ts";
import { makerOf, type SuppressionRecord } from "../../model/suppressions.ts";
import type { TableName } from "../../model/tables.ts";
import { ANY_STATUS } from "../../model/tasks.ts";

/** The leading index column by which an account's records are found in a table. */
export type FoundBy = "account_id" | "inbox_id" | "update_id" | "webhook_id" | "place" | "list";

/** The way a kind of record is exported. */
export interface ExportedKind {
  by: FoundBy;
  /** A further condition that holds for all of them, where an index needs it to return them in order. */
  among?: Readonly<AnyRecord>;
  /** The column to order by, and the batch size, if not by the primary key. */
  paged?: { order: string; limit: number };
  /** Columns that no export has, because they are secret, hashes of secrets, or say something of others. */
  secret?: readonly string[];
  /** Values for columns added after the records were exported; nullable columns get null automatically. */
  added?: Readonly<AnyRecord>;
  /** The same, computed from the record itself. */
  derived?: (record: AnyRecord) => Readonly<AnyRecord>;
}

/** The batch size for records with potentially long texts, which limits the memory used. */
export const LONG = { order: "id", limit: 20 };

/**
 * Every table, with how its records are exported, or null if they aren't: sessions, grants and the data by which
 * letters and codes are recognised are secret or mean nothing elsewhere; jobs, counters and stored answers are
 * short-lived; and the rest is derived from exported records and rebuilt on import.
 */
export const EXPORTED: Record<TableName, ExportedKind | null> = {
  inboxes: {
    by: "account_id",
    secret: ["imported_at", "expects_until"],
    added: {
      sms_tasks: false,
      owner_copy: "off",
      reply_guard: false,
      approve_with: "session",
      outbound: NO_OUTBOUND,
      has_rules: false,
      forwards_all: false,
    },
    derived: ({ send_mode, outbound = NO_OUTBOUND, release_by }) => ({
      release_by: release_by ?? (send_mode === "direct" ? "key" : "authority"),
      ...settleOutbound({ send_mode: send_mode as SendMode, outbound: outbound as Outbound }, "direct"),
    }),
  },
  trashed_inboxes: { by: "account_id" },
  // Whether a person has an address here, and which inbox of another account an entry names, is for nobody else to know.
  addresses: { by: "account_id", secret: ["kind", "domain"] },
  keys: { by: "account_id", secret: ["hash"] },
  authorities: { by: "account_id" },
  webhooks: {
    by: "account_id",
    secret: ["sealed_secret", "secret_hint", "sealed_previous_secret", "sealed_headers"],
  },
  consumers: { by: "account_id" },
  suppressions: {
    by: "account_id",
    added: { only_inbox_id: "" },
    derived: ({ reason }) => ({ made_by: makerOf(reason as SuppressionRecord["reason"]) }),
  },
  domains: {
    by: "account_id",
    added: { receiving_from: null },
    // Public halves go with the keys: an import makes a key of its own.
    secret: [
      ...["sealed_dkim_key", "dkim_public_key", "sealed_dns_access"],
      ...["sealed_next_dkim_key", "next_dkim_public_key", "next_dkim_selector"],
    ],
  },
  phone_numbers: { by: "account_id", secret: ["held_inbox_id", "held_e164", "provider_id"] },
  sending_days: { by: "account_id" },
  sending_reports: { by: "account_id" },
  metric_counts: { by: "account_id" },
  event_floors: { by: "account_id" },
  recipients: { by: "account_id" },
  // Hashes of what others wrote, which say nothing elsewhere.
  outside_mentions: null,
  // Only the scanner that found a value knows it again.
  remembered_values: null,
  list_entries: { by: "list", secret: ["names"], added: { made_by: "key" } },
  owners: {
    by: "inbox_id",
    secret: [
      ...["code_hash", "code_expires_at", "code_tries", "code_voided_at"],
      ...["link_hash", "link_expires_at"],
    ],
    added: { unreachable_since: null, hard_bounces: 0 },
  },
  allowlist: { by: "inbox_id", secret: ["names"], added: { made_by: "key" } },
  threads: {
    by: "inbox_id",
    paged: { order: "last_message_id", limit: 100 },
    added: { folder: "inbox" },
    secret: ["claim_token"],
  },
  messages: {
    by: "inbox_id",
    paged: LONG,
    added: { unaddressed: [], envelope_to: null, more_reply_to: [], owner_copies: [] },
  },
  trash: { by: "inbox_id", paged: LONG },
  awaited_references: { by: "inbox_id" },
  drafts: { by: "account_id", paged: LONG },
  approvals: { by: "account_id", added: { imported: false, reasons: [], edited: false, versions: [] } },
  receipts: { by: "account_id", paged: { order: "approval_id", limit: 100 } },
  tasks: {
    by: "account_id",
    among: { status: ANY_STATUS },
    secret: ["claim_token"],
    added: { imported: false },
    derived: ({ message_id, origin }) => ({ origin: origin ?? (message_id === null ? "answer" : "mail") }),
  },
  // Nobody here was sent the question.
  updates: { by: "inbox_id", secret: ["waiting_id"] },
  expectations: { by: "inbox_id" },
  contact_metadata: { by: "account_id" },
  inbox_rules: { by: "inbox_id" },
  forwardings: {
    by: "inbox_id",
    secret: ["code_hash", "code_tries", "link_hash", "confirmed_at"],
  },
  update_deliveries: { by: "update_id" },
  update_threads: { by: "inbox_id" },
  events: { by: "account_id" },
  deliveries: { by: "webhook_id" },
  // The sightings of its inboxes, so that mail that arrived there is recognised again.
  seen_signatures: { by: "place" },

  // The account itself is in account.json, and the bodies are with their messages.
  accounts: null,
  message_bodies: null,
  // The account of a workspace has an export of its own.
  workspaces: null,
  // Made again from what they belong to.
  message_terms: null,
  message_references: null,
  contacts: null,
  contact_cursors: null,
  blob_uses: null,
  attachment_places: null,
  attachment_texts: null,
  plan_usage: null,
  // Proven, and written, by this service alone.
  proven_domains: null,
  written_dns_records: null,
  receiving_notices: null,
  // Told by others, for 90 days; new ones come to whoever the domain names.
  domain_reports: null,
  // Secret, or about a person and not an account.
  canaries: null,
  approval_letters: null,
  // Drafts and messages have what was asked for and sent.
  approval_versions: null,
  update_letters: null,
  letter_secrets: null,
  letters: null,
  sessions: null,
  session_challenges: null,
  passkeys: null,
  passkey_challenges: null,
  remembered_browsers: null,
  recoveries: null,
  pairings: null,
  refusals: null,
  relay_ids: null,
  oauth_grants: null,
  oauth_clients: null,
  oauth_records: null,
  // Of the service itself.
  service_keys: null,
  known_keys: null,
  // Soon over.
  uploads: null,
  file_links: null,
  jobs: null,
  idempotency: null,
  exports: null,
  export_parts: null,
  counters: null,
  slots: null,
};

/** The kinds of record that an export has, in the order in which an import writes them. */
export const EXPORTED_KINDS = (Object.keys(EXPORTED) as TableName[]).filter(
  (kind) => EXPORTED[kind] !== null,
);

/** Returns how a kind is exported; throws for one that isn't. */
export function exportedKind(kind: TableName): ExportedKind {
  const exported = EXPORTED[kind];
  if (exported === null) throw new Error(`${kind} are not exported`);
  return exported;
}
