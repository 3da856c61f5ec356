import { z } from "zod";
import { AccountRecord } from "./accounts.ts";
import { AllowlistRecord } from "./allowlist.ts";
import { ApprovalLetterRecord, ApprovalRecord } from "./approvals.ts";
import { AttachmentTextRecord, BlobUseRecord } from "./attachments.ts";
import { ConsumerRecord } from "./consumers.ts";
import { CounterRecord, SlotRecord } from "./counters.ts";
import { DraftRecord } from "./drafts.ts";
import { EventFloorRecord, EventRecord } from "./feed.ts";
import { SendingDayRecord } from "./health.ts";
import { IdempotencyRecord } from "./idempotency.ts";
import { AddressRecord, InboxRecord } from "./inboxes.ts";
import { JobRecord } from "./jobs.ts";

import { KeyRecord } from "./keys.ts";
import { ListEntryRecord } from "./lists.ts";
import { MessageBodyRecord, MessageRecord, MessageReferenceRecord, MessageTermRecord } from "./messages.ts";
import { MetricCountRecord } from "./metrics.ts";
import { OwnerRecord } from "./owners.ts";

import { SuppressionRecord } from "./suppressions.ts";
import { TaskRecord } from "./tasks.ts";
import { ThreadRecord } from "./threads.ts";
import { UpdateDeliveryRecord, UpdateLetterRecord, UpdateRecord, UpdateThreadRecord } from "./updates.ts";
import { DeliveryRecord, WebhookRecord } from "./webhooks.ts";

/**
 * A table: the shape of its records, its primary key, and every index that a query may use. Column types
 * follow from the shape.
 */
export interface Table {
  record: z.ZodObject;
  key: readonly string[];
  /** Columns that no two records may share; nulls don't clash. */
  unique: readonly (readonly string[])[];
  /** Column lists that queries filter by, the last one being what they order by. */
  indexes: readonly (readonly string[])[];
}

const table = <S extends z.ZodObject>(
  record: S,
  key: readonly (keyof z.infer<S> & string)[],
  options: {
    unique?: readonly (keyof z.infer<S> & string)[][];
    indexes?: readonly (keyof z.infer<S> & string)[][];
  } = {},
) => ({ record, key, unique: options.unique ?? [], indexes: options.indexes ?? [] });

/** Every table. A change here needs a migration in each SQL adapter; a test compares them. */
export const tables = {
  accounts: table(AccountRecord, ["id"]),
  keys: table(KeyRecord, ["id"], {
    unique: [["hash"]],
    indexes: [
      ["account_id", "id"],
      ["inbox_id", "id"],
    ],
  }),
  addresses: table(AddressRecord, ["address"], { indexes: [["inbox_id"]] }),
  inboxes: table(InboxRecord, ["id"], {
    unique: [["account_id", "client_id"]],
    indexes: [["account_id", "id"], ["expires_at"]],
  }),
  messages: table(MessageRecord, ["id"], {
    unique: [
      ["inbox_id", "dedupe_key"],
      ["inbox_id", "direction", "client_id"],
    ],
    indexes: [
      ["inbox_id", "id"],
      ["thread_id", "id"],
    ],
  }),
  message_bodies: table(MessageBodyRecord, ["message_id"]),
  message_terms: table(MessageTermRecord, ["inbox_id", "term", "message_id"]),
  message_references: table(MessageReferenceRecord, ["inbox_id", "reference", "message_id"]),
  blob_uses: table(BlobUseRecord, ["hash", "message_id"]),
  attachment_texts: table(AttachmentTextRecord, ["hash", "kind"]),
  threads: table(ThreadRecord, ["id"], {
    indexes: [
      ["inbox_id", "last_message_id"],
      ["account_id", "last_message_id"],
    ],
  }),
  drafts: table(DraftRecord, ["id"], {
    unique: [["inbox_id", "client_id"]],
    indexes: [
      ["inbox_id", "id"],
      ["account_id", "id"],
    ],
  }),
  approvals: table(ApprovalRecord, ["id"], {
    indexes: [
      ["account_id", "id"],
      ["account_id", "status", "id"],
      ["inbox_id", "id"],
      ["inbox_id", "status", "id"],
      ["subject_id", "status"],
    ],
  }),
  approval_letters: table(ApprovalLetterRecord, ["message_id"], {
    unique: [["token_hash"]],
    indexes: [["approval_id"]],
  }),
  owners: table(OwnerRecord, ["id"], {
    unique: [["inbox_id", "email"], ["link_hash"], ["page_hash"]],
    indexes: [
      ["inbox_id", "id"],
      ["email", "id"],
      ["account_id", "status"],
    ],
  }),
  allowlist: table(AllowlistRecord, ["id"], {
    unique: [["inbox_id", "address"]],
    indexes: [["inbox_id", "id"]],
  }),
  list_entries: table(ListEntryRecord, ["id"], {
    unique: [["list", "entry"]],
    indexes: [["list", "id"], ["inbox_id"]],
  }),
  suppressions: table(SuppressionRecord, ["id"], {
    unique: [["account_id", "address"]],
    indexes: [
      ["account_id", "id"],
      ["inbox_id", "id"],
    ],
  }),
  sending_days: table(SendingDayRecord, ["account_id", "day"], { indexes: [["day"]] }),
  updates: table(UpdateRecord, ["id"], {
    unique: [["inbox_id", "client_id"]],
    indexes: [["inbox_id", "id"]],
  }),
  update_deliveries: table(UpdateDeliveryRecord, ["id"], {
    indexes: [
      ["update_id", "id"],
      ["owner_id", "status", "id"],
      ["account_id", "status", "id"],
      ["status", "owner_id"],
    ],
  }),
  update_letters: table(UpdateLetterRecord, ["message_id", "update_id"], {
    unique: [["token_hash"]],
    indexes: [["update_id", "message_id"]],
  }),
  update_threads: table(UpdateThreadRecord, ["inbox_id", "task_id", "owner_id"], {
    indexes: [["thread_id"]],
  }),
  tasks: table(TaskRecord, ["id"], {
    unique: [["message_id"]],
    indexes: [
      ["account_id", "id"],
      ["account_id", "status", "id"],
      ["inbox_id", "id"],
      ["inbox_id", "status", "id"],
    ],
  }),
  events: table(EventRecord, ["account_id", "sequence"], {
    indexes: [["inbox_id", "sequence"], ["created_at"]],
  }),
  event_floors: table(EventFloorRecord, ["account_id"]),
  consumers: table(ConsumerRecord, ["id"], {
    unique: [["account_id", "client_id"]],
    indexes: [["account_id", "id"]],
  }),
  metric_counts: table(MetricCountRecord, ["account_id", "name", "bucket"], { indexes: [["starts_at"]] }),
  webhooks: table(WebhookRecord, ["id"], {
    unique: [["account_id", "client_id"]],
    indexes: [["account_id", "id"]],
  }),
  deliveries: table(DeliveryRecord, ["id"], {
    indexes: [["webhook_id", "id"], ["webhook_id", "status", "id"], ["created_at"]],
  }),
  jobs: table(JobRecord, ["id"], { indexes: [["due_at"], ["subject_id"]] }),
  idempotency: table(IdempotencyRecord, ["account_id", "key"], { indexes: [["expires_at"]] }),
  counters: table(CounterRecord, ["name"], { indexes: [["expires_at"]] }),
  slots: table(SlotRecord, ["name"], { indexes: [["expires_at"]] }),
} as const;

/** The name of a table. */
export type TableName = keyof typeof tables;

/** The record that a table holds. */
export type RecordOf<N extends TableName> = z.infer<(typeof tables)[N]["record"]>;

/** How a column is stored. */
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
