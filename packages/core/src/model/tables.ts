import { z } from "zod";
import { AccountRecord } from "./accounts.ts";
import { AllowlistRecord } from "./allowlist.ts";
import { ApprovalLetterRecord, ApprovalRecord, ApprovalVersionRecord } from "./approvals.ts";
import { GrantRecord, OAuthClientRecord, OAuthRecord } from "./apps.ts";
import { AttachmentPlaceRecord, AttachmentTextRecord, BlobUseRecord } from "./attachments.ts";
import { RecipientRecord } from "./budgets.ts";
import { CanaryRecord } from "./canaries.ts";
import { ConsumerRecord } from "./consumers.ts";
import { ContactCursorRecord, ContactMetadataRecord, ContactRecord } from "./contacts.ts";
import { CounterRecord, PlanUsageRecord, SlotRecord } from "./counters.ts";
import { DomainReportRecord } from "./domain-reports.ts";
import { DomainRecord, ProvenDomainRecord, ReceivingNoticeRecord, WrittenDnsRecord } from "./domains.ts";
import { DraftRecord } from "./drafts.ts";
import { ExpectationRecord } from "./expectations.ts";
import { ExportPartRecord, ExportRecord } from "./exports.ts";
import { EventFloorRecord, EventRecord } from "./feed.ts";
import { FileLinkRecord } from "./file-links.ts";
import { ForwardingRecord } from "./forwardings.ts";
import { SendingDayRecord, SendingReportRecord } from "./health.ts";
import { IdempotencyRecord } from "./idempotency.ts";
import { InboxRuleRecord } from "./inbox-rules.ts";
import { AddressRecord, InboxRecord, TrashedInboxRecord } from "./inboxes.ts";
import { JobRecord } from "./jobs.ts";
import { KeyRecord } from "./keys.ts";
import { LetterSecretRecord } from "./letter-secrets.ts";
import { LetterRecord } from "./letters.ts";
import { ListEntryRecord } from "./lists.ts";
import {
  AwaitedReferenceRecord,
  MessageBodyRecord,
  MessageRecord,
  MessageReferenceRecord,
  MessageTermRecord,
} from "./messages.ts";
import { MetricCountRecord } from "./metrics.ts";
import { OutsideMentionRecord } from "./outside-mentions.ts";
import { OwnerRecord } from "./owners.ts";
import { PairingRecord } from "./pairings.ts";
import { PasskeyChallengeRecord, PasskeyRecord } from "./passkeys.ts";
import { AuthorityRecord, RememberedBrowserRecord, SessionChallengeRecord, SessionRecord } from "./people.ts";
import { PhoneNumberRecord } from "./phone-numbers.ts";
import { ReceiptRecord } from "./receipts.ts";
import { RecoveryRecord } from "./recovery.ts";
import { RefusalRecord } from "./refusals.ts";
import { RelayIdRecord } from "./relay-reports.ts";
import { RememberedValueRecord } from "./remembered-values.ts";
import { SeenSignatureRecord } from "./seen-signatures.ts";
import { KnownKeyRecord, ServiceKeyRecord } from "./service-keys.ts";
import { SuppressionRecord } from "./suppressions.ts";
import { TaskRecord } from "./tasks.ts";
import { ThreadRecord } from "./threads.ts";
import { TrashRecord } from "./trash.ts";
import { UpdateDeliveryRecord, UpdateLetterRecord, UpdateRecord, UpdateThreadRecord } from "./updates.ts";
import { UploadRecord } from "./uploads.ts";
import { DeliveryRecord, WebhookRecord } from "./webhooks.ts";
import { WorkspaceRecord } from "./workspaces.ts";

/**
 * The treatment of a record when its inbox is closed: deleted in the same transaction, deleted in steps by the job
 * `inbox.purge`, or kept with the account.
 */
export type OnClose = "delete" | "purge" | "keep";

/**
 * A table: the shape of its records, their owner, its primary key, and every index that a query may use. Column types
 * follow from the shape.
 */
export interface Table {
  record: z.ZodObject;
  key: readonly string[];
  /** The column that names a record's owner; null for records that have none and soon expire. */
  of: string | null;
  on_close?: OnClose | undefined;
  /** Columns that no two records may share; nulls don't clash. */
  unique: readonly (readonly string[])[];
  /** Lists of columns that queries filter by; they order by the last one. */
  indexes: readonly (readonly string[])[];
}

type ColumnOf<S extends z.ZodObject> = keyof z.infer<S> & string;

/**
 * The ownership of a table's records. Records of an account or inbox that name an inbox declare their treatment when it
 * is closed; records of another record are deleted with it.
 */
type Ownership<C> =
  | { of: C & "account_id"; on_close: OnClose }
  | { of: C & "inbox_id"; on_close: OnClose }
  | { of: "inbox_id" extends C ? Exclude<C & OwnerColumn, "inbox_id" | "account_id"> : C & OwnerColumn }
  | { of: null };

type OwnerColumn = keyof typeof OWNER_TABLES;

const table = <S extends z.ZodObject>(
  record: S,
  key: readonly ColumnOf<S>[],
  {
    unique = [],
    indexes = [],
    ...ownership
  }: Ownership<ColumnOf<S>> & {
    unique?: readonly ColumnOf<S>[][];
    indexes?: readonly ColumnOf<S>[][];
  },
) => ({ record, key, ...ownership, unique, indexes });

/** The tables that the owner columns refer to; the one for `subject_id` follows from the job's kind. */
export const OWNER_TABLES = {
  account_id: "accounts",
  inbox_id: "inboxes",
  message_id: "messages",
  approval_id: "approvals",
  update_id: "updates",
  webhook_id: "webhooks",
  export_id: "exports",
  domain_id: "domains",
  hash: "blob_uses",
  subject_id: null,
} as const;

/** Every table. A change here needs a migration in each SQL adapter; a test compares them. */
export const tables = {
  accounts: table(AccountRecord, ["id"], {
    of: null,
    indexes: [["first_owner_email"], ["parent_account_id", "id"]],
  }),
  keys: table(KeyRecord, ["id"], {
    of: "account_id",
    on_close: "keep",
    unique: [["hash"]],
    indexes: [
      ["account_id", "id"],
      ["inbox_id", "id"],
      ["parent_key_id", "id"],
      ["recovered_by", "id"],
    ],
  }),
  workspaces: table(WorkspaceRecord, ["id"], {
    of: "account_id",
    unique: [["account_id"], ["parent_account_id", "client_id"]],
    indexes: [["parent_account_id", "id"]],
  }),
  addresses: table(AddressRecord, ["address"], {
    of: "account_id",
    on_close: "keep",
    indexes: [["inbox_id"], ["account_id", "address"], ["kind", "inbox_id"], ["domain", "kind", "address"]],
  }),
  inboxes: table(InboxRecord, ["id"], {
    of: "account_id",
    unique: [["account_id", "client_id"]],
    indexes: [
      ["account_id", "id"],
      ["account_id", "domain", "id"],
      ["account_id", "effective_send_mode", "id"],
      ["approve_with", "account_id", "id"],
      ["expires_at"],
      ["account_id", "sending_paused_at"],
    ],
  }),
  trashed_inboxes: table(TrashedInboxRecord, ["id"], {
    of: "account_id",
    indexes: [["account_id", "id"], ["restorable_until"]],
  }),
  messages: table(MessageRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    unique: [
      ["inbox_id", "dedupe_key"],
      ["inbox_id", "direction", "client_id"],
    ],
    indexes: [
      ["inbox_id", "id"],
      ["thread_id", "id"],
      ["account_id", "attention", "id"],
      ["inbox_id", "attention", "id"],
    ],
  }),
  message_bodies: table(MessageBodyRecord, ["message_id"], { of: "message_id" }),
  message_terms: table(MessageTermRecord, ["inbox_id", "term", "message_id"], { of: "message_id" }),
  message_references: table(MessageReferenceRecord, ["inbox_id", "reference", "message_id"], {
    of: "message_id",
  }),
  awaited_references: table(AwaitedReferenceRecord, ["inbox_id", "reference", "message_id"], {
    of: "message_id",
  }),
  blob_uses: table(BlobUseRecord, ["hash", "message_id"], { of: "message_id" }),
  attachment_places: table(AttachmentPlaceRecord, ["attachment_id", "message_id"], { of: "message_id" }),
  uploads: table(UploadRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    unique: [["word_hash"]],
    indexes: [
      ["inbox_id", "id"],
      ["root_account_id", "status", "id"],
    ],
  }),
  file_links: table(FileLinkRecord, ["hash"], {
    of: "inbox_id",
    on_close: "delete",
    indexes: [["inbox_id", "hash"], ["expires_at"]],
  }),
  attachment_texts: table(AttachmentTextRecord, ["hash", "kind"], { of: "hash" }),
  threads: table(ThreadRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    unique: [["claim_token"]],
    indexes: [
      ["inbox_id", "last_message_id"],
      ["account_id", "last_message_id"],
    ],
  }),
  trash: table(TrashRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    indexes: [
      ["inbox_id", "id"],
      ["account_id", "id"],
      ["thread_id", "id"],
      ["group_id", "id"],
      ["account_id", "trashed_at"],
      ["restorable_until"],
    ],
  }),
  drafts: table(DraftRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    unique: [["inbox_id", "client_id"]],
    indexes: [
      ["inbox_id", "id"],
      ["account_id", "id"],
    ],
  }),
  approvals: table(ApprovalRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    indexes: [
      ["account_id", "id"],
      ["account_id", "status", "id"],
      ["inbox_id", "id"],
      ["inbox_id", "status", "id"],
      ["subject_id", "status"],
      ["inbox_id", "digest", "status"],
    ],
  }),
  approval_versions: table(ApprovalVersionRecord, ["approval_id", "number"], { of: "approval_id" }),
  approval_letters: table(ApprovalLetterRecord, ["message_id"], {
    of: "approval_id",
    unique: [["token_hash"]],
    indexes: [["approval_id"]],
  }),
  receipts: table(ReceiptRecord, ["approval_id"], {
    of: "account_id",
    // What was decided stays provable when its inbox is gone.
    on_close: "keep",
    indexes: [["account_id", "approval_id"]],
  }),
  owners: table(OwnerRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [["inbox_id", "email"], ["link_hash"]],
    indexes: [
      ["inbox_id", "id"],
      ["email", "id"],
      ["account_id", "status"],
    ],
  }),
  authorities: table(AuthorityRecord, ["id"], {
    of: "account_id",
    on_close: "delete",
    indexes: [["account_id", "id"], ["email", "id"], ["inbox_id"]],
  }),
  sessions: table(SessionRecord, ["id"], {
    of: null,
    unique: [["token_hash"]],
    indexes: [["email", "id"], ["expires_at"]],
  }),
  session_challenges: table(SessionChallengeRecord, ["id"], {
    of: null,
    unique: [["challenge_hash"], ["link_hash"]],
    indexes: [["email", "id"], ["expires_at"]],
  }),
  passkeys: table(PasskeyRecord, ["id"], {
    of: null,
    unique: [["credential_id"]],
    indexes: [["email", "id"]],
  }),
  passkey_challenges: table(PasskeyChallengeRecord, ["hash"], { of: null, indexes: [["expires_at"]] }),
  recoveries: table(RecoveryRecord, ["id"], {
    of: null,
    unique: [["link_hash"]],
    indexes: [["email", "id"], ["expires_at"]],
  }),
  pairings: table(PairingRecord, ["id"], {
    of: "account_id",
    on_close: "keep",
    unique: [["code_mac"]],
    indexes: [["email", "id"], ["account_id", "id"], ["kept_until"]],
  }),
  remembered_browsers: table(RememberedBrowserRecord, ["hash"], { of: null, indexes: [["expires_at"]] }),
  recipients: table(RecipientRecord, ["account_id", "address"], { of: "account_id", on_close: "keep" }),
  remembered_values: table(RememberedValueRecord, ["inbox_id", "fingerprint"], {
    of: "inbox_id",
    on_close: "purge",
  }),
  outside_mentions: table(OutsideMentionRecord, ["account_id", "hash", "message_id"], {
    of: "account_id",
    // What a stranger said isn't unsaid by closing the inbox that they wrote to.
    on_close: "keep",
    // One entry for all that a mail names: an entry for each would be as much work as the records themselves.
    indexes: [["noted_at"]],
  }),
  oauth_grants: table(GrantRecord, ["id"], {
    of: "account_id",
    on_close: "delete",
    indexes: [["account_id", "id"], ["given_by", "id"], ["client_id"], ["inbox_id"], ["expires_at"]],
  }),
  oauth_clients: table(OAuthClientRecord, ["id"], { of: null, indexes: [["expires_at"]] }),
  oauth_records: table(OAuthRecord, ["hash"], {
    of: null,
    indexes: [["grant_id", "expires_at"], ["expires_at"]],
  }),
  letter_secrets: table(LetterSecretRecord, ["hash"], {
    of: "account_id",
    on_close: "purge",
    indexes: [["account_id", "hash"], ["inbox_id", "hash"], ["message_id"], ["letter_id"]],
  }),
  letters: table(LetterRecord, ["message_id"], {
    of: "account_id",
    // A letter of a deleted inbox must still be recognised if it comes to another one.
    on_close: "keep",
    indexes: [["account_id", "message_id"], ["expires_at"]],
  }),
  canaries: table(CanaryRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [["hash"]],
    indexes: [["inbox_id", "id"]],
  }),
  expectations: table(ExpectationRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [
      ["inbox_id", "client_id"],
      ["inbox_id", "own_email"],
    ],
    indexes: [["inbox_id", "id"], ["inbox_id", "status", "id"], ["expires_at"], ["thread_id"]],
  }),
  inbox_rules: table(InboxRuleRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [["inbox_id", "client_id"]],
    indexes: [["inbox_id", "position"]],
  }),
  contacts: table(ContactRecord, ["inbox_id", "place"], {
    of: "inbox_id",
    on_close: "purge",
    indexes: [["account_id", "place"]],
  }),
  contact_cursors: table(ContactCursorRecord, ["inbox_id"], { of: "inbox_id", on_close: "delete" }),
  contact_metadata: table(ContactMetadataRecord, ["id"], {
    of: "account_id",
    on_close: "delete",
    unique: [["account_id", "address", "only_inbox_id"]],
    indexes: [
      ["account_id", "id"],
      ["inbox_id", "id"],
    ],
  }),
  forwardings: table(ForwardingRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [["inbox_id", "email"], ["link_hash"]],
    indexes: [
      ["inbox_id", "id"],
      ["inbox_id", "status", "id"],
      ["account_id", "status", "id"],
      ["approval_id"],
      ["failed_at"],
    ],
  }),
  allowlist: table(AllowlistRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [["inbox_id", "address"]],
    indexes: [["inbox_id", "id"]],
  }),
  list_entries: table(ListEntryRecord, ["id"], {
    of: "account_id",
    on_close: "delete",
    unique: [["list", "entry"]],
    indexes: [["list", "id"], ["inbox_id"]],
  }),
  suppressions: table(SuppressionRecord, ["id"], {
    of: "account_id",
    on_close: "keep",
    unique: [["account_id", "address", "only_inbox_id"]],
    indexes: [
      ["account_id", "id"],
      ["inbox_id", "id"],
    ],
  }),
  domains: table(DomainRecord, ["id"], {
    of: "account_id",
    unique: [
      ["account_id", "domain"],
      ["account_id", "client_id"],
    ],
    indexes: [
      ["account_id", "id"],
      ["account_id", "status", "id"],
    ],
  }),
  proven_domains: table(ProvenDomainRecord, ["domain"], {
    of: "account_id",
    indexes: [["account_id", "domain"]],
  }),
  written_dns_records: table(WrittenDnsRecord, ["domain_id", "name", "type", "value"], { of: "domain_id" }),
  domain_reports: table(DomainReportRecord, ["id"], {
    of: "domain_id",
    unique: [["domain_id", "report_hash"]],
    indexes: [["domain_id", "id"], ["created_at"]],
  }),
  receiving_notices: table(ReceivingNoticeRecord, ["domain_id", "email"], {
    of: "domain_id",
    indexes: [["domain_id", "waits_until"]],
  }),
  phone_numbers: table(PhoneNumberRecord, ["id"], {
    of: "account_id",
    on_close: "keep",
    unique: [["held_inbox_id"], ["held_e164"]],
    indexes: [
      ["account_id", "id"],
      ["inbox_id", "id"],
    ],
  }),
  sending_days: table(SendingDayRecord, ["account_id", "day"], { of: "account_id", indexes: [["day"]] }),
  sending_reports: table(SendingReportRecord, ["account_id", "kind", "day", "domain"], {
    of: "account_id",
    indexes: [["day"]],
  }),
  updates: table(UpdateRecord, ["id"], {
    of: "inbox_id",
    on_close: "purge",
    unique: [["inbox_id", "client_id"]],
    indexes: [
      ["inbox_id", "id"],
      ["account_id", "waiting_id"],
      ["inbox_id", "waiting_id"],
    ],
  }),
  update_deliveries: table(UpdateDeliveryRecord, ["id"], {
    of: "update_id",
    indexes: [
      ["update_id", "id"],
      ["owner_id", "status", "id"],
      ["account_id", "status", "id"],
      ["status", "owner_id"],
    ],
  }),
  update_letters: table(UpdateLetterRecord, ["message_id", "update_id"], {
    of: "update_id",
    unique: [["token_hash"]],
    indexes: [["update_id", "message_id"]],
  }),
  update_threads: table(UpdateThreadRecord, ["inbox_id", "task_id", "owner_id"], {
    of: "inbox_id",
    on_close: "delete",
    indexes: [["thread_id"]],
  }),
  tasks: table(TaskRecord, ["id"], {
    of: "inbox_id",
    on_close: "delete",
    unique: [["message_id"]],
    // Tasks of any status are merged from the tasks of each status.
    indexes: [
      ["account_id", "status", "id"],
      ["inbox_id", "status", "id"],
      ["inbox_id", "done_at"],
      ["awaited_message_id"],
    ],
  }),
  events: table(EventRecord, ["account_id", "sequence"], {
    of: "account_id",
    on_close: "purge",
    indexes: [["inbox_id", "sequence"], ["created_at"]],
  }),
  event_floors: table(EventFloorRecord, ["account_id"], { of: "account_id" }),
  consumers: table(ConsumerRecord, ["id"], {
    of: "account_id",
    on_close: "delete",
    unique: [["account_id", "client_id"]],
    indexes: [["account_id", "id"], ["inbox_id"]],
  }),
  metric_counts: table(MetricCountRecord, ["account_id", "name", "bucket"], {
    of: "account_id",
    indexes: [["starts_at"]],
  }),
  relay_ids: table(RelayIdRecord, ["provider_id", "message_id"], {
    of: "account_id",
    on_close: "keep",
    indexes: [["account_id", "provider_id"], ["at"]],
  }),
  refusals: table(RefusalRecord, ["id"], {
    of: "account_id",
    on_close: "keep",
    unique: [["minute"]],
    indexes: [["account_id", "id"], ["caller_id", "id"], ["first_at"]],
  }),
  webhooks: table(WebhookRecord, ["id"], {
    of: "account_id",
    unique: [["account_id", "client_id"]],
    indexes: [["account_id", "id"]],
  }),
  deliveries: table(DeliveryRecord, ["id"], {
    of: "webhook_id",
    indexes: [["webhook_id", "id"], ["webhook_id", "status", "id"], ["created_at"]],
  }),
  exports: table(ExportRecord, ["id"], {
    of: "account_id",
    unique: [["account_id", "pending_for"]],
    indexes: [["account_id", "id"], ["expires_at"]],
  }),
  export_parts: table(ExportPartRecord, ["export_id", "number"], { of: "export_id" }),
  jobs: table(JobRecord, ["id"], { of: "subject_id", indexes: [["due_at"], ["subject_id"]] }),
  idempotency: table(IdempotencyRecord, ["account_id", "key"], {
    of: "account_id",
    indexes: [["expires_at"]],
  }),
  seen_signatures: table(SeenSignatureRecord, ["hash", "place"], {
    of: null,
    indexes: [["expires_at"], ["place", "hash"]],
  }),
  service_keys: table(ServiceKeyRecord, ["name"], { of: null }),
  known_keys: table(KnownKeyRecord, ["hash"], { of: null }),
  plan_usage: table(PlanUsageRecord, ["account_id", "resource", "period"], { of: "account_id" }),
  counters: table(CounterRecord, ["name"], { of: null, indexes: [["expires_at"]] }),
  slots: table(SlotRecord, ["name"], { of: null, indexes: [["expires_at"]] }),
} as const;

/** The name of a table. */
export type TableName = keyof typeof tables;

/** The record that a table holds. */
export type RecordOf<N extends TableName> = z.infer<(typeof tables)[N]["record"]>;

/** The storage format of a column. */
export interface Column {
  name: string;
  type: "text" | "integer" | "boolean" | "json";
  nullable: boolean;
}

/** The columns of a table, read from its record's shape. */
export function columnsOf(name: TableName): Column[] {
  return Object.entries(tables[name].record.shape).map(([column, type]) =>
    columnOf(column, type as z.ZodType),
  );
}

function columnOf(name: string, type: z.ZodType): Column {
  if (type instanceof z.ZodNullable) return { ...columnOf(name, type.unwrap() as z.ZodType), nullable: true };
  if (type instanceof z.ZodBoolean) return { name, type: "boolean", nullable: false };
  if (type instanceof z.ZodNumber) return { name, type: "integer", nullable: false };
  if (type instanceof z.ZodArray || type instanceof z.ZodObject || type instanceof z.ZodRecord)
    return { name, type: "json", nullable: false };
  if (type instanceof z.ZodString || type instanceof z.ZodStringFormat || type instanceof z.ZodEnum)
    return { name, type: "text", nullable: false };
  throw new Error(`tables.ts: column ${name} has a shape that no column type fits`);
}
