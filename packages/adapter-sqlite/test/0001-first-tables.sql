create table "accounts" (
  "id" text not null,
  "parent_account_id" text,
  "created_at" text not null,
  "event_sequence" integer not null,
  "claimed" integer not null,
  "lifecycle_emails" text not null,
  "owner_email_style" text,
  "owner_email_style_note" text,
  primary key ("id")
) strict;

create table "keys" (
  "id" text not null,
  "name" text not null,
  "prefix" text not null,
  "inbox_id" text,
  "created_at" text not null,
  "last_used_at" text,
  "expires_at" text,
  "revoked_at" text,
  "account_id" text not null,
  "hash" text not null,
  "permissions" text,
  primary key ("id")
) strict;

create unique index "keys_hash" on "keys" ("hash");

create index "keys_account_id_id" on "keys" ("account_id", "id");

create index "keys_inbox_id_id" on "keys" ("inbox_id", "id") where "inbox_id" is not null;

create table "addresses" (
  "address" text not null,
  "account_id" text not null,
  "inbox_id" text,
  "created_at" text not null,
  primary key ("address")
) strict, without rowid;

create index "addresses_inbox_id" on "addresses" ("inbox_id") where "inbox_id" is not null;

create table "inboxes" (
  "id" text not null,
  "username" text not null,
  "email" text not null,
  "display_name" text,
  "created_at" text not null,
  "require_sender_auth" integer not null,
  "expires_at" text,
  "status" text not null,
  "paused_at" text,
  "client_id" text,
  "screening" text not null,
  "send_mode" text not null,
  "account_id" text not null,
  "domain" text not null,
  "labels" text not null,
  "metadata" text not null,
  primary key ("id")
) strict;

create unique index "inboxes_account_id_client_id" on "inboxes" ("account_id", "client_id") where "client_id" is not null;

create index "inboxes_account_id_id" on "inboxes" ("account_id", "id");

create index "inboxes_expires_at" on "inboxes" ("expires_at") where "expires_at" is not null;

create table "messages" (
  "id" text not null,
  "inbox_id" text not null,
  "thread_id" text not null,
  "direction" text not null,
  "channel" text not null,
  "from" text not null,
  "from_name" text,
  "subject" text not null,
  "status" text not null,
  "reply_to" text,
  "in_reply_to" text,
  "message_id" text,
  "provider" text,
  "client_id" text,
  "created_at" text not null,
  "size_bytes" integer not null,
  "account_id" text not null,
  "authenticated" integer not null,
  "dedupe_key" text,
  "raw_hash" text,
  "to" text not null,
  "cc" text not null,
  "bcc" text not null,
  "references" text not null,
  "labels" text not null,
  "delivery_events" text not null,
  "auth" text,
  "safety" text,
  "attachments" text not null,
  "extracted_text" text not null,
  primary key ("id")
) strict;

create unique index "messages_inbox_id_dedupe_key" on "messages" ("inbox_id", "dedupe_key") where "dedupe_key" is not null;

create unique index "messages_inbox_id_direction_client_id" on "messages" ("inbox_id", "direction", "client_id") where "client_id" is not null;

create index "messages_inbox_id_id" on "messages" ("inbox_id", "id");

create index "messages_thread_id_id" on "messages" ("thread_id", "id");

create table "message_bodies" (
  "message_id" text not null,
  "headers" text not null,
  "extraction" text,
  "decisions" text,
  "text" text,
  "html" text,
  "extracted_html" text,
  primary key ("message_id")
) strict;

create table "message_terms" (
  "inbox_id" text not null,
  "term" text not null,
  "message_id" text not null,
  primary key ("inbox_id", "term", "message_id")
) strict, without rowid;

create table "message_references" (
  "inbox_id" text not null,
  "reference" text not null,
  "message_id" text not null,
  "thread_id" text not null,
  "own" integer not null,
  primary key ("inbox_id", "reference", "message_id")
) strict, without rowid;

create table "blob_uses" (
  "hash" text not null,
  "message_id" text not null,
  primary key ("hash", "message_id")
) strict, without rowid;

create table "attachment_texts" (
  "hash" text not null,
  "kind" text not null,
  "failure" text,
  "truncated" integer not null,
  "created_at" text not null,
  "text" text not null,
  primary key ("hash", "kind")
) strict;

create table "threads" (
  "id" text not null,
  "inbox_id" text not null,
  "subject" text not null,
  "preview" text not null,
  "message_count" integer not null,
  "unread_count" integer not null,
  "attachment_count" integer not null,
  "last_message_id" text not null,
  "untrusted" integer not null,
  "received_at" text,
  "sent_at" text,
  "created_at" text not null,
  "updated_at" text not null,
  "account_id" text not null,
  "update_task_id" text,
  "loop_stopped_at" text,
  "last_human_message_id" text,
  "participants" text not null,
  "labels" text not null,
  primary key ("id")
) strict;

create index "threads_inbox_id_last_message_id" on "threads" ("inbox_id", "last_message_id");

create index "threads_account_id_last_message_id" on "threads" ("account_id", "last_message_id");

create table "drafts" (
  "id" text not null,
  "inbox_id" text not null,
  "thread_id" text,
  "kind" text not null,
  "reply_to" text,
  "subject" text not null,
  "in_reply_to" text,
  "forward_of" text,
  "include_attachments" integer not null,
  "send_at" text,
  "send_status" text not null,
  "send_error" text,
  "approval_status" text,
  "approval_id" text,
  "client_id" text,
  "created_at" text not null,
  "updated_at" text not null,
  "account_id" text not null,
  "message_id" text,
  "task_id" text,
  "task_status" text,
  "to" text not null,
  "cc" text not null,
  "bcc" text not null,
  "headers" text not null,
  "labels" text not null,
  "attachments" text not null,
  "references" text not null,
  "text" text,
  "html" text,
  primary key ("id")
) strict;

create unique index "drafts_inbox_id_client_id" on "drafts" ("inbox_id", "client_id") where "client_id" is not null;

create index "drafts_inbox_id_id" on "drafts" ("inbox_id", "id");

create index "drafts_account_id_id" on "drafts" ("account_id", "id");

create table "approvals" (
  "id" text not null,
  "inbox_id" text not null,
  "subject_type" text not null,
  "subject_id" text not null,
  "digest" text not null,
  "summary" text not null,
  "status" text not null,
  "requested_at" text not null,
  "expires_at" text not null,
  "decided_at" text,
  "comment" text,
  "account_id" text not null,
  "decided_by" text,
  "change" text not null,
  primary key ("id")
) strict;

create index "approvals_account_id_id" on "approvals" ("account_id", "id");

create index "approvals_account_id_status_id" on "approvals" ("account_id", "status", "id");

create index "approvals_inbox_id_id" on "approvals" ("inbox_id", "id");

create index "approvals_inbox_id_status_id" on "approvals" ("inbox_id", "status", "id");

create index "approvals_subject_id_status" on "approvals" ("subject_id", "status");

create table "approval_letters" (
  "message_id" text not null,
  "approval_id" text not null,
  "inbox_id" text not null,
  "owner_id" text not null,
  "token_hash" text not null,
  "again" integer not null,
  primary key ("message_id")
) strict;

create unique index "approval_letters_token_hash" on "approval_letters" ("token_hash");

create index "approval_letters_approval_id" on "approval_letters" ("approval_id");

create table "owners" (
  "id" text not null,
  "inbox_id" text not null,
  "email" text not null,
  "status" text not null,
  "digest" text not null,
  "email_style" text,
  "email_style_note" text,
  "created_at" text not null,
  "verified_at" text,
  "unsubscribed_at" text,
  "account_id" text not null,
  "style_locked" integer not null,
  "code_hash" text,
  "code_expires_at" text,
  "code_tries" integer not null,
  "link_hash" text,
  "link_expires_at" text,
  "page_hash" text not null,
  "sealed_page_token" text not null,
  primary key ("id")
) strict;

create unique index "owners_inbox_id_email" on "owners" ("inbox_id", "email");

create unique index "owners_link_hash" on "owners" ("link_hash") where "link_hash" is not null;

create unique index "owners_page_hash" on "owners" ("page_hash");

create index "owners_inbox_id_id" on "owners" ("inbox_id", "id");

create index "owners_email_id" on "owners" ("email", "id");

create index "owners_account_id_status" on "owners" ("account_id", "status");

create table "allowlist" (
  "id" text not null,
  "inbox_id" text not null,
  "address" text not null,
  "created_at" text not null,
  "account_id" text not null,
  primary key ("id")
) strict, without rowid;

create unique index "allowlist_inbox_id_address" on "allowlist" ("inbox_id", "address");

create index "allowlist_inbox_id_id" on "allowlist" ("inbox_id", "id");

create table "list_entries" (
  "id" text not null,
  "direction" text not null,
  "type" text not null,
  "entry" text not null,
  "entry_type" text not null,
  "inbox_id" text,
  "reason" text,
  "created_at" text not null,
  "account_id" text not null,
  "list" text not null,
  primary key ("id")
) strict;

create unique index "list_entries_list_entry" on "list_entries" ("list", "entry");

create index "list_entries_list_id" on "list_entries" ("list", "id");

create index "list_entries_inbox_id" on "list_entries" ("inbox_id") where "inbox_id" is not null;

create table "suppressions" (
  "id" text not null,
  "address" text not null,
  "reason" text not null,
  "source_message_id" text,
  "created_at" text not null,
  "account_id" text not null,
  "inbox_id" text,
  primary key ("id")
) strict;

create unique index "suppressions_account_id_address" on "suppressions" ("account_id", "address");

create index "suppressions_account_id_id" on "suppressions" ("account_id", "id");

create index "suppressions_inbox_id_id" on "suppressions" ("inbox_id", "id") where "inbox_id" is not null;

create table "sending_days" (
  "account_id" text not null,
  "day" text not null,
  "sent" integer not null,
  "bounced" integer not null,
  "complained" integer not null,
  primary key ("account_id", "day")
) strict;

create index "sending_days_day" on "sending_days" ("day");

create table "updates" (
  "id" text not null,
  "inbox_id" text not null,
  "task_id" text,
  "kind" text not null,
  "title" text,
  "status" text,
  "answered_at" text,
  "client_id" text,
  "created_at" text not null,
  "account_id" text not null,
  "links" text not null,
  "question" text,
  "answer" text,
  "text" text not null,
  primary key ("id")
) strict;

create unique index "updates_inbox_id_client_id" on "updates" ("inbox_id", "client_id") where "client_id" is not null;

create index "updates_inbox_id_id" on "updates" ("inbox_id", "id");

create table "update_deliveries" (
  "id" text not null,
  "owner_id" text not null,
  "email" text not null,
  "mode" text not null,
  "status" text not null,
  "reason" text,
  "message_id" text,
  "update_id" text not null,
  "account_id" text not null,
  "inbox_id" text not null,
  "created_at" text not null,
  primary key ("id")
) strict;

create index "update_deliveries_update_id_id" on "update_deliveries" ("update_id", "id");

create index "update_deliveries_owner_id_status_id" on "update_deliveries" ("owner_id", "status", "id");

create index "update_deliveries_account_id_status_id" on "update_deliveries" ("account_id", "status", "id");

create index "update_deliveries_status_owner_id" on "update_deliveries" ("status", "owner_id");

create table "update_letters" (
  "message_id" text not null,
  "update_id" text not null,
  "inbox_id" text not null,
  "owner_id" text not null,
  "token_hash" text,
  "again" integer not null,
  primary key ("message_id", "update_id")
) strict;

create unique index "update_letters_token_hash" on "update_letters" ("token_hash") where "token_hash" is not null;

create index "update_letters_update_id_message_id" on "update_letters" ("update_id", "message_id");

create table "update_threads" (
  "inbox_id" text not null,
  "task_id" text not null,
  "owner_id" text not null,
  "thread_id" text not null,
  "last_message_id" text not null,
  "subject" text not null,
  primary key ("inbox_id", "task_id", "owner_id")
) strict, without rowid;

create index "update_threads_thread_id" on "update_threads" ("thread_id");

create table "tasks" (
  "id" text not null,
  "inbox_id" text not null,
  "message_id" text,
  "thread_id" text not null,
  "task_id" text,
  "answers_update_id" text,
  "status" text not null,
  "trusted" integer not null,
  "injected" integer not null,
  "owner_id" text,
  "sender" text not null,
  "subject" text not null,
  "text_truncated" integer not null,
  "attempts" integer not null,
  "last_error" text,
  "result" text,
  "created_at" text not null,
  "updated_at" text not null,
  "account_id" text not null,
  "claim_token" text,
  "answer" text,
  "auth" text not null,
  "claim" text,
  "text" text,
  primary key ("id")
) strict;

create unique index "tasks_message_id" on "tasks" ("message_id") where "message_id" is not null;

create index "tasks_account_id_id" on "tasks" ("account_id", "id");

create index "tasks_account_id_status_id" on "tasks" ("account_id", "status", "id");

create index "tasks_inbox_id_id" on "tasks" ("inbox_id", "id");

create index "tasks_inbox_id_status_id" on "tasks" ("inbox_id", "status", "id");

create table "events" (
  "id" text not null,
  "type" text not null,
  "created_at" text not null,
  "account_id" text not null,
  "inbox_id" text,
  "sequence" integer not null,
  "message_id" text,
  "data" text not null,
  primary key ("account_id", "sequence")
) strict;

create index "events_inbox_id_sequence" on "events" ("inbox_id", "sequence") where "inbox_id" is not null;

create index "events_created_at" on "events" ("created_at");

create table "event_floors" (
  "account_id" text not null,
  "sequence" integer not null,
  primary key ("account_id")
) strict;

create table "consumers" (
  "id" text not null,
  "client_id" text not null,
  "inbox_id" text,
  "created_at" text not null,
  "committed_at" text,
  "account_id" text not null,
  "position" integer not null,
  "types" text not null,
  primary key ("id")
) strict;

create unique index "consumers_account_id_client_id" on "consumers" ("account_id", "client_id");

create index "consumers_account_id_id" on "consumers" ("account_id", "id");

create table "metric_counts" (
  "account_id" text not null,
  "name" text not null,
  "bucket" text not null,
  "starts_at" text not null,
  "count" integer not null,
  primary key ("account_id", "name", "bucket")
) strict, without rowid;

create index "metric_counts_starts_at" on "metric_counts" ("starts_at");

create table "webhooks" (
  "id" text not null,
  "url" text not null,
  "client_id" text,
  "enabled" integer not null,
  "disabled_at" text,
  "disabled_reason" text,
  "consecutive_failures" integer not null,
  "last_delivery_status" integer,
  "last_delivery_at" text,
  "previous_secret_expires_at" text,
  "created_at" text not null,
  "account_id" text not null,
  "sealed_secret" text not null,
  "secret_hint" text not null,
  "sealed_previous_secret" text,
  "events" text not null,
  "inbox_ids" text not null,
  "header_names" text not null,
  "sealed_headers" text,
  primary key ("id")
) strict;

create unique index "webhooks_account_id_client_id" on "webhooks" ("account_id", "client_id") where "client_id" is not null;

create index "webhooks_account_id_id" on "webhooks" ("account_id", "id");

create table "deliveries" (
  "id" text not null,
  "webhook_id" text not null,
  "event_id" text not null,
  "event_type" text not null,
  "status" text not null,
  "attempts" integer not null,
  "last_status_code" integer,
  "last_error" text,
  "duration_ms" integer,
  "next_retry_at" text,
  "is_redelivery" integer not null,
  "created_at" text not null,
  "last_attempt_at" text,
  "account_id" text not null,
  "event_sequence" integer not null,
  "response_excerpt" text,
  primary key ("id")
) strict;

create index "deliveries_webhook_id_id" on "deliveries" ("webhook_id", "id");

create index "deliveries_webhook_id_status_id" on "deliveries" ("webhook_id", "status", "id");

create index "deliveries_created_at" on "deliveries" ("created_at");

create table "jobs" (
  "id" text not null,
  "kind" text not null,
  "due_at" text not null,
  "subject_id" text not null,
  "attempts" integer not null,
  "lease" text,
  "created_at" text not null,
  "payload" text not null,
  primary key ("id")
) strict, without rowid;

create index "jobs_due_at" on "jobs" ("due_at");

create index "jobs_subject_id" on "jobs" ("subject_id");

create table "idempotency" (
  "account_id" text not null,
  "key" text not null,
  "fingerprint" text not null,
  "expires_at" text not null,
  "response" text not null,
  primary key ("account_id", "key")
) strict;

create index "idempotency_expires_at" on "idempotency" ("expires_at");

create table "counters" (
  "name" text not null,
  "count" integer not null,
  "expires_at" text not null,
  primary key ("name")
) strict, without rowid;

create index "counters_expires_at" on "counters" ("expires_at");

create table "slots" (
  "name" text not null,
  "holder" text not null,
  "expires_at" text not null,
  primary key ("name")
) strict, without rowid;

create index "slots_expires_at" on "slots" ("expires_at");

-- Small blobs lie here, of larger ones only the note that there is a file. put_at counts milliseconds since 1970, coding says how
-- the bytes are packed.
create table "blobs" (
  "id" integer primary key,
  "hash" blob not null,
  "put_at" integer not null,
  "coding" text,
  "bytes" blob
) strict;

create unique index "blobs_hash" on "blobs" ("hash");

-- Which message a row of the search index is. Its number rises with the message id, so the index's own order is newest first.
create table "search_rows" (
  "id" integer primary key,
  "message_id" text not null
) strict;

create virtual table "search" using fts5(
  scope, subject, text, sender, recipients, attachments,
  content='', contentless_delete=1, detail=full, tokenize="ascii tokenchars '_'"
);
