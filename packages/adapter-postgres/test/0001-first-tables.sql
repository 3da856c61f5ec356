create table "accounts" (
  "id" text collate "C" not null,
  "parent_account_id" text collate "C",
  "created_at" text collate "C" not null,
  "event_sequence" bigint not null,
  "claimed" boolean not null,
  "lifecycle_emails" text collate "C" not null,
  "owner_email_style" text collate "C",
  "owner_email_style_note" text collate "C",
  primary key ("id")
) with (fillfactor = 80);

create table "keys" (
  "id" text collate "C" not null,
  "name" text collate "C" not null,
  "prefix" text collate "C" not null,
  "inbox_id" text collate "C",
  "permissions" json,
  "created_at" text collate "C" not null,
  "last_used_at" text collate "C",
  "expires_at" text collate "C",
  "revoked_at" text collate "C",
  "account_id" text collate "C" not null,
  "hash" text collate "C" not null,
  primary key ("id")
);

create unique index "keys_hash" on "keys" ("hash");

create index "keys_account_id_id" on "keys" ("account_id", "id");

create index "keys_inbox_id_id" on "keys" ("inbox_id", "id") where "inbox_id" is not null;

create table "addresses" (
  "address" text collate "C" not null,
  "account_id" text collate "C" not null,
  "inbox_id" text collate "C",
  "created_at" text collate "C" not null,
  primary key ("address")
);

create index "addresses_inbox_id" on "addresses" ("inbox_id") where "inbox_id" is not null;

create table "inboxes" (
  "id" text collate "C" not null,
  "username" text collate "C" not null,
  "email" text collate "C" not null,
  "display_name" text collate "C",
  "created_at" text collate "C" not null,
  "require_sender_auth" boolean not null,
  "labels" json not null,
  "expires_at" text collate "C",
  "status" text collate "C" not null,
  "paused_at" text collate "C",
  "metadata" json not null,
  "client_id" text collate "C",
  "screening" text collate "C" not null,
  "send_mode" text collate "C" not null,
  "account_id" text collate "C" not null,
  "domain" text collate "C" not null,
  primary key ("id")
);

create unique index "inboxes_account_id_client_id" on "inboxes" ("account_id", "client_id") where "client_id" is not null;

create index "inboxes_account_id_id" on "inboxes" ("account_id", "id");

create index "inboxes_expires_at" on "inboxes" ("expires_at") where "expires_at" is not null;

create table "messages" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "thread_id" text collate "C" not null,
  "direction" text collate "C" not null,
  "channel" text collate "C" not null,
  "from" text collate "C" not null,
  "from_name" text collate "C",
  "to" json not null,
  "cc" json not null,
  "bcc" json not null,
  "subject" text collate "C" not null,
  "extracted_text" text collate "C" not null,
  "status" text collate "C" not null,
  "reply_to" text collate "C",
  "in_reply_to" text collate "C",
  "references" json not null,
  "message_id" text collate "C",
  "labels" json not null,
  "provider" text collate "C",
  "client_id" text collate "C",
  "created_at" text collate "C" not null,
  "delivery_events" json not null,
  "auth" json,
  "safety" json,
  "size_bytes" bigint not null,
  "account_id" text collate "C" not null,
  "attachments" json not null,
  "authenticated" boolean not null,
  "dedupe_key" text collate "C",
  "raw_hash" text collate "C",
  primary key ("id")
) with (fillfactor = 80);

create unique index "messages_inbox_id_dedupe_key" on "messages" ("inbox_id", "dedupe_key") where "dedupe_key" is not null;

create unique index "messages_inbox_id_direction_client_id" on "messages" ("inbox_id", "direction", "client_id") where "client_id" is not null;

create index "messages_inbox_id_id" on "messages" ("inbox_id", "id");

create index "messages_thread_id_id" on "messages" ("thread_id", "id");

create table "message_bodies" (
  "message_id" text collate "C" not null,
  "text" text collate "C",
  "html" text collate "C",
  "extracted_html" text collate "C",
  "headers" json not null,
  "extraction" json,
  "decisions" json,
  primary key ("message_id")
);

create table "message_terms" (
  "inbox_id" text collate "C" not null,
  "term" text collate "C" not null,
  "message_id" text collate "C" not null,
  primary key ("inbox_id", "term", "message_id")
);

create table "message_references" (
  "inbox_id" text collate "C" not null,
  "reference" text collate "C" not null,
  "message_id" text collate "C" not null,
  "thread_id" text collate "C" not null,
  "own" boolean not null,
  primary key ("inbox_id", "reference", "message_id")
);

create table "blob_uses" (
  "hash" text collate "C" not null,
  "message_id" text collate "C" not null,
  primary key ("hash", "message_id")
);

create table "attachment_texts" (
  "hash" text collate "C" not null,
  "kind" text collate "C" not null,
  "failure" text collate "C",
  "text" text collate "C" not null,
  "truncated" boolean not null,
  "created_at" text collate "C" not null,
  primary key ("hash", "kind")
);

create table "threads" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "subject" text collate "C" not null,
  "preview" text collate "C" not null,
  "participants" json not null,
  "message_count" bigint not null,
  "unread_count" bigint not null,
  "attachment_count" bigint not null,
  "last_message_id" text collate "C" not null,
  "labels" json not null,
  "untrusted" boolean not null,
  "received_at" text collate "C",
  "sent_at" text collate "C",
  "created_at" text collate "C" not null,
  "updated_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "update_task_id" text collate "C",
  "loop_stopped_at" text collate "C",
  "last_human_message_id" text collate "C",
  primary key ("id")
) with (fillfactor = 80);

create index "threads_inbox_id_last_message_id" on "threads" ("inbox_id", "last_message_id");

create index "threads_account_id_last_message_id" on "threads" ("account_id", "last_message_id");

create table "drafts" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "thread_id" text collate "C",
  "kind" text collate "C" not null,
  "to" json not null,
  "cc" json not null,
  "bcc" json not null,
  "reply_to" text collate "C",
  "subject" text collate "C" not null,
  "text" text collate "C",
  "html" text collate "C",
  "headers" json not null,
  "labels" json not null,
  "in_reply_to" text collate "C",
  "forward_of" text collate "C",
  "include_attachments" boolean not null,
  "send_at" text collate "C",
  "send_status" text collate "C" not null,
  "send_error" text collate "C",
  "approval_status" text collate "C",
  "approval_id" text collate "C",
  "client_id" text collate "C",
  "created_at" text collate "C" not null,
  "updated_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "attachments" json not null,
  "references" json not null,
  "message_id" text collate "C",
  "task_id" text collate "C",
  "task_status" text collate "C",
  primary key ("id")
);

create unique index "drafts_inbox_id_client_id" on "drafts" ("inbox_id", "client_id") where "client_id" is not null;

create index "drafts_inbox_id_id" on "drafts" ("inbox_id", "id");

create index "drafts_account_id_id" on "drafts" ("account_id", "id");

create table "approvals" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "subject_type" text collate "C" not null,
  "subject_id" text collate "C" not null,
  "digest" text collate "C" not null,
  "summary" text collate "C" not null,
  "status" text collate "C" not null,
  "requested_at" text collate "C" not null,
  "expires_at" text collate "C" not null,
  "decided_at" text collate "C",
  "decided_by" json,
  "comment" text collate "C",
  "account_id" text collate "C" not null,
  "change" json not null,
  primary key ("id")
);

create index "approvals_account_id_id" on "approvals" ("account_id", "id");

create index "approvals_account_id_status_id" on "approvals" ("account_id", "status", "id");

create index "approvals_inbox_id_id" on "approvals" ("inbox_id", "id");

create index "approvals_inbox_id_status_id" on "approvals" ("inbox_id", "status", "id");

create index "approvals_subject_id_status" on "approvals" ("subject_id", "status");

create table "approval_letters" (
  "message_id" text collate "C" not null,
  "approval_id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "owner_id" text collate "C" not null,
  "token_hash" text collate "C" not null,
  "again" boolean not null,
  primary key ("message_id")
);

create unique index "approval_letters_token_hash" on "approval_letters" ("token_hash");

create index "approval_letters_approval_id" on "approval_letters" ("approval_id");

create table "owners" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "email" text collate "C" not null,
  "status" text collate "C" not null,
  "digest" text collate "C" not null,
  "email_style" text collate "C",
  "email_style_note" text collate "C",
  "created_at" text collate "C" not null,
  "verified_at" text collate "C",
  "unsubscribed_at" text collate "C",
  "account_id" text collate "C" not null,
  "style_locked" boolean not null,
  "code_hash" text collate "C",
  "code_expires_at" text collate "C",
  "code_tries" bigint not null,
  "link_hash" text collate "C",
  "link_expires_at" text collate "C",
  "page_hash" text collate "C" not null,
  "sealed_page_token" text collate "C" not null,
  primary key ("id")
);

create unique index "owners_inbox_id_email" on "owners" ("inbox_id", "email");

create unique index "owners_link_hash" on "owners" ("link_hash") where "link_hash" is not null;

create unique index "owners_page_hash" on "owners" ("page_hash");

create index "owners_inbox_id_id" on "owners" ("inbox_id", "id");

create index "owners_email_id" on "owners" ("email", "id");

create index "owners_account_id_status" on "owners" ("account_id", "status");

create table "allowlist" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "address" text collate "C" not null,
  "created_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  primary key ("id")
);

create unique index "allowlist_inbox_id_address" on "allowlist" ("inbox_id", "address");

create index "allowlist_inbox_id_id" on "allowlist" ("inbox_id", "id");

create table "list_entries" (
  "id" text collate "C" not null,
  "direction" text collate "C" not null,
  "type" text collate "C" not null,
  "entry" text collate "C" not null,
  "entry_type" text collate "C" not null,
  "inbox_id" text collate "C",
  "reason" text collate "C",
  "created_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "list" text collate "C" not null,
  primary key ("id")
);

create unique index "list_entries_list_entry" on "list_entries" ("list", "entry");

create index "list_entries_list_id" on "list_entries" ("list", "id");

create index "list_entries_inbox_id" on "list_entries" ("inbox_id") where "inbox_id" is not null;

create table "suppressions" (
  "id" text collate "C" not null,
  "address" text collate "C" not null,
  "reason" text collate "C" not null,
  "source_message_id" text collate "C",
  "created_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "inbox_id" text collate "C",
  primary key ("id")
);

create unique index "suppressions_account_id_address" on "suppressions" ("account_id", "address");

create index "suppressions_account_id_id" on "suppressions" ("account_id", "id");

create index "suppressions_inbox_id_id" on "suppressions" ("inbox_id", "id") where "inbox_id" is not null;

create table "sending_days" (
  "account_id" text collate "C" not null,
  "day" text collate "C" not null,
  "sent" bigint not null,
  "bounced" bigint not null,
  "complained" bigint not null,
  primary key ("account_id", "day")
);

create index "sending_days_day" on "sending_days" ("day");

create table "updates" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "task_id" text collate "C",
  "kind" text collate "C" not null,
  "title" text collate "C",
  "status" text collate "C",
  "text" text collate "C" not null,
  "links" json not null,
  "question" json,
  "answer" json,
  "answered_at" text collate "C",
  "client_id" text collate "C",
  "created_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  primary key ("id")
);

create unique index "updates_inbox_id_client_id" on "updates" ("inbox_id", "client_id") where "client_id" is not null;

create index "updates_inbox_id_id" on "updates" ("inbox_id", "id");

create table "update_deliveries" (
  "id" text collate "C" not null,
  "owner_id" text collate "C" not null,
  "email" text collate "C" not null,
  "mode" text collate "C" not null,
  "status" text collate "C" not null,
  "reason" text collate "C",
  "message_id" text collate "C",
  "update_id" text collate "C" not null,
  "account_id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "created_at" text collate "C" not null,
  primary key ("id")
);

create index "update_deliveries_update_id_id" on "update_deliveries" ("update_id", "id");

create index "update_deliveries_owner_id_status_id" on "update_deliveries" ("owner_id", "status", "id");

create index "update_deliveries_account_id_status_id" on "update_deliveries" ("account_id", "status", "id");

create index "update_deliveries_status_owner_id" on "update_deliveries" ("status", "owner_id");

create table "update_letters" (
  "message_id" text collate "C" not null,
  "update_id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "owner_id" text collate "C" not null,
  "token_hash" text collate "C",
  "again" boolean not null,
  primary key ("message_id", "update_id")
);

create unique index "update_letters_token_hash" on "update_letters" ("token_hash") where "token_hash" is not null;

create index "update_letters_update_id_message_id" on "update_letters" ("update_id", "message_id");

create table "update_threads" (
  "inbox_id" text collate "C" not null,
  "task_id" text collate "C" not null,
  "owner_id" text collate "C" not null,
  "thread_id" text collate "C" not null,
  "last_message_id" text collate "C" not null,
  "subject" text collate "C" not null,
  primary key ("inbox_id", "task_id", "owner_id")
);

create index "update_threads_thread_id" on "update_threads" ("thread_id");

create table "tasks" (
  "id" text collate "C" not null,
  "inbox_id" text collate "C" not null,
  "message_id" text collate "C",
  "thread_id" text collate "C" not null,
  "task_id" text collate "C",
  "answers_update_id" text collate "C",
  "answer" json,
  "status" text collate "C" not null,
  "trusted" boolean not null,
  "injected" boolean not null,
  "owner_id" text collate "C",
  "sender" text collate "C" not null,
  "subject" text collate "C" not null,
  "text" text collate "C",
  "text_truncated" boolean not null,
  "auth" json not null,
  "claim" json,
  "attempts" bigint not null,
  "last_error" text collate "C",
  "result" text collate "C",
  "created_at" text collate "C" not null,
  "updated_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "claim_token" text collate "C",
  primary key ("id")
);

create unique index "tasks_message_id" on "tasks" ("message_id") where "message_id" is not null;

create index "tasks_account_id_id" on "tasks" ("account_id", "id");

create index "tasks_account_id_status_id" on "tasks" ("account_id", "status", "id");

create index "tasks_inbox_id_id" on "tasks" ("inbox_id", "id");

create index "tasks_inbox_id_status_id" on "tasks" ("inbox_id", "status", "id");

create table "events" (
  "id" text collate "C" not null,
  "type" text collate "C" not null,
  "created_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "inbox_id" text collate "C",
  "sequence" bigint not null,
  "data" json not null,
  "message_id" text collate "C",
  primary key ("account_id", "sequence")
);

create index "events_inbox_id_sequence" on "events" ("inbox_id", "sequence") where "inbox_id" is not null;

create index "events_created_at" on "events" ("created_at");

create table "event_floors" (
  "account_id" text collate "C" not null,
  "sequence" bigint not null,
  primary key ("account_id")
);

create table "consumers" (
  "id" text collate "C" not null,
  "client_id" text collate "C" not null,
  "types" json not null,
  "inbox_id" text collate "C",
  "created_at" text collate "C" not null,
  "committed_at" text collate "C",
  "account_id" text collate "C" not null,
  "position" bigint not null,
  primary key ("id")
);

create unique index "consumers_account_id_client_id" on "consumers" ("account_id", "client_id");

create index "consumers_account_id_id" on "consumers" ("account_id", "id");

create table "metric_counts" (
  "account_id" text collate "C" not null,
  "name" text collate "C" not null,
  "bucket" text collate "C" not null,
  "starts_at" text collate "C" not null,
  "count" bigint not null,
  primary key ("account_id", "name", "bucket")
);

create index "metric_counts_starts_at" on "metric_counts" ("starts_at");

create table "webhooks" (
  "id" text collate "C" not null,
  "url" text collate "C" not null,
  "events" json not null,
  "inbox_ids" json not null,
  "client_id" text collate "C",
  "enabled" boolean not null,
  "disabled_at" text collate "C",
  "disabled_reason" text collate "C",
  "consecutive_failures" bigint not null,
  "last_delivery_status" bigint,
  "last_delivery_at" text collate "C",
  "previous_secret_expires_at" text collate "C",
  "created_at" text collate "C" not null,
  "account_id" text collate "C" not null,
  "sealed_secret" text collate "C" not null,
  "secret_hint" text collate "C" not null,
  "sealed_previous_secret" text collate "C",
  "header_names" json not null,
  "sealed_headers" text collate "C",
  primary key ("id")
);

create unique index "webhooks_account_id_client_id" on "webhooks" ("account_id", "client_id") where "client_id" is not null;

create index "webhooks_account_id_id" on "webhooks" ("account_id", "id");

create table "deliveries" (
  "id" text collate "C" not null,
  "webhook_id" text collate "C" not null,
  "event_id" text collate "C" not null,
  "event_type" text collate "C" not null,
  "status" text collate "C" not null,
  "attempts" bigint not null,
  "last_status_code" bigint,
  "last_error" text collate "C",
  "response_excerpt" text collate "C",
  "duration_ms" bigint,
  "next_retry_at" text collate "C",
  "is_redelivery" boolean not null,
  "created_at" text collate "C" not null,
  "last_attempt_at" text collate "C",
  "account_id" text collate "C" not null,
  "event_sequence" bigint not null,
  primary key ("id")
);

create index "deliveries_webhook_id_id" on "deliveries" ("webhook_id", "id");

create index "deliveries_webhook_id_status_id" on "deliveries" ("webhook_id", "status", "id");

create index "deliveries_created_at" on "deliveries" ("created_at");

create table "jobs" (
  "id" text collate "C" not null,
  "kind" text collate "C" not null,
  "due_at" text collate "C" not null,
  "subject_id" text collate "C" not null,
  "payload" json not null,
  "attempts" bigint not null,
  "lease" text collate "C",
  "created_at" text collate "C" not null,
  primary key ("id")
) with (fillfactor = 80);

create index "jobs_due_at" on "jobs" ("due_at");

create index "jobs_subject_id" on "jobs" ("subject_id");

create table "idempotency" (
  "account_id" text collate "C" not null,
  "key" text collate "C" not null,
  "fingerprint" text collate "C" not null,
  "response" json not null,
  "expires_at" text collate "C" not null,
  primary key ("account_id", "key")
);

create index "idempotency_expires_at" on "idempotency" ("expires_at");

create table "counters" (
  "name" text collate "C" not null,
  "count" bigint not null,
  "expires_at" text collate "C" not null,
  primary key ("name")
) with (fillfactor = 80);

create index "counters_expires_at" on "counters" ("expires_at");

create table "slots" (
  "name" text collate "C" not null,
  "holder" text collate "C" not null,
  "expires_at" text collate "C" not null,
  primary key ("name")
) with (fillfactor = 80);

create index "slots_expires_at" on "slots" ("expires_at");

-- put_at counts milliseconds since 1970, coding says how the bytes are packed. What is not packed doesn't get smaller by compressing it,
-- and parts of it are read alone.
create table "blobs" (
  "hash" bytea not null,
  "put_at" bigint not null,
  "coding" text collate "C",
  "bytes" bytea not null,
  primary key ("hash")
);

alter table "blobs" alter column "bytes" set storage external;

-- The search index: the lexemes find, the words in their order check phrases. Its pages are in the order of message ids.
create table "search" (
  "message_id" text collate "C" not null,
  "account_id" text collate "C" not null,
  "lexemes" tsvector not null,
  "words" text not null,
  primary key ("message_id")
);

create index "search_account_id_message_id" on "search" ("account_id", "message_id");

create index "search_lexemes" on "search" using gin ("lexemes");
