import type { AnyRecord } from "../model/belonging.ts";
import type { TableName } from "../model/tables.ts";
import { ANY_STATUS } from "../model/tasks.ts";

/** How the records of one account are found in a table: by the column that an index begins with. */
export type FoundBy = "account_id" | "inbox_id" | "update_id" | "webhook_id" | "list";

/** How a kind of record is exported. */
export interface ExportedKind {
  by: FoundBy;
  /** What else is true of all of them, where an index needs it to find them in order. */
  among?: Readonly<AnyRecord>;
  /** The column that the records are in order of, and how many are read at once, if not by the primary key. */
  paged?: { order: string; limit: number };
  /** Columns that no export has, because they are secret, or hashes of secrets. */
  secret?: readonly string[];
  /** What records get that were exported before there were these columns. */
  added?: Readonly<AnyRecord>;
}

/** Records whose texts can be long: no more are in memory at once. */
export const LONG = { order: "id", limit: 20 };

/**
 * Every table, with how its records are exported; null for those that aren't: sessions, grants and what letters
 * and codes are recognised by are secret or mean nothing elsewhere; jobs, counters and stored answers are soon over;
 * and what else is null follows from what is exported, and is made again at an import.
 */
export const EXPORTED: Record<TableName, ExportedKind | null> = {
  inboxes: { by: "account_id", added: { sms_tasks: false, voicemail_greeting: null } },
  addresses: { by: "account_id" },
  keys: { by: "account_id", secret: ["hash"] },
  authorities: { by: "account_id" },
  webhooks: {
    by: "account_id",
    secret: ["sealed_secret", "secret_hint", "sealed_previous_secret", "sealed_headers"],
  },
  consumers: { by: "account_id" },
  suppressions: { by: "account_id", added: { only_inbox_id: "" } },
  domains: {
    by: "account_id",
    // Public halves go with the keys: an import makes a key of its own.
    secret: [
      ...["sealed_dkim_key", "dkim_public_key", "sealed_dns_access"],
      ...["sealed_next_dkim_key", "next_dkim_public_key", "next_dkim_selector"],
    ],
  },
  phone_numbers: { by: "account_id", secret: ["held_inbox_id", "held_e164", "provider_id"] },
  sending_days: { by: "account_id" },
  metric_counts: { by: "account_id" },
  event_floors: { by: "account_id" },
  recipients: { by: "account_id" },
  list_entries: { by: "list" },
  owners: {
    by: "inbox_id",
    secret: ["code_hash", "code_expires_at", "code_tries", "link_hash", "link_expires_at"],
  },
  allowlist: { by: "inbox_id" },
  threads: { by: "inbox_id", paged: { order: "last_message_id", limit: 100 } },
  messages: { by: "inbox_id", paged: LONG, added: { phone: null } },
  awaited_references: { by: "inbox_id" },
  drafts: { by: "account_id", paged: LONG, added: { call_mode: null } },
  approvals: { by: "account_id" },
  tasks: { by: "account_id", among: { status: ANY_STATUS }, secret: ["claim_token"] },
  updates: { by: "inbox_id" },
  update_deliveries: { by: "update_id" },
  update_threads: { by: "inbox_id" },
  events: { by: "account_id" },
  deliveries: { by: "webhook_id" },

  // The account itself is in account.json, and the bodies are with their messages.
  accounts: null,
  message_bodies: null,
  // The account of a workspace has an export of its own.
  workspaces: null,
  // Made again from what they belong to.
  message_terms: null,
  message_references: null,
  blob_uses: null,
  attachment_texts: null,
  plan_usage: null,
  // Proven, and written, by this service alone.
  proven_domains: null,
  written_dns_records: null,
  // Secret, or about a person and not an account.
  approval_letters: null,
  update_letters: null,
  letter_secrets: null,
  sessions: null,
  session_challenges: null,
  remembered_browsers: null,
  recoveries: null,
  oauth_grants: null,
  oauth_clients: null,
  oauth_records: null,
  // Of the service itself.
  service_keys: null,
  // Soon over.
  jobs: null,
  idempotency: null,
  seen_signatures: null,
  exports: null,
  export_parts: null,
  counters: null,
  slots: null,
};

/** The kinds of record that an export has, in the order in which an import writes them. */
export const EXPORTED_KINDS = (Object.keys(EXPORTED) as TableName[]).filter(
  (kind) => EXPORTED[kind] !== null,
);

/** How an exported kind is exported. */
export function exportedKind(kind: TableName): ExportedKind {
  const exported = EXPORTED[kind];
  if (exported === null) throw new Error(`${kind} are not exported`);
  return exported;
}
