import type { Column, TableName } from "@letterslot/core/ports";
import {
  canonicalAddresses,
  claimedFromOutside,
  createTableStatements,
  type DataSteps,
  keysInUse,
  pendingMigrations,
  type Row,
  registeredAddresses,
  type Schema,
  type SqlStatement,
} from "@letterslot/sql";
import type { Connection } from "./connection.ts";

/** Narrow tables, looked up by their whole key: without a rowid they are one B-tree instead of two. */
const CLUSTERED = new Set<TableName>([
  "addresses",
  "allowlist",
  "awaited_references",
  "blob_uses",
  "attachment_places",
  "counters",
  "export_parts",
  "jobs",
  "known_keys",
  "message_references",
  "message_terms",
  "metric_counts",
  "outside_mentions",
  "plan_usage",
  "receiving_notices",
  "recipients",
  "remembered_values",
  "seen_signatures",
  "slots",
  "update_threads",
]);

/** Columns that can be long come last, so that SQLite doesn't walk through them to read the others. */
const LONG = new Set([
  "text",
  "html",
  "extracted_text",
  "extracted_html",
  "response_excerpt",
  "sealed_headers",
]);

/** The adapter's own tables: blobs, and the full-text index. */
const OWN_TABLES = `
-- Small blobs are stored here; for larger ones the row only says that there is a file. put_at counts milliseconds since 1970.
create table "blobs" (
  "id" integer primary key,
  "hash" blob not null,
  "put_at" integer not null,
  "coding" text,
  "bytes" blob
) strict;

create unique index "blobs_hash" on "blobs" ("hash");

-- The message of each row in the search index. Row ids rise with message ids, so the index is in order of time.
create table "search_rows" (
  "id" integer primary key,
  "message_id" text not null
) strict;

create virtual table "search" using fts5(
  scope, subject, text, sender, recipients, attachments,
  content='', contentless_delete=1, detail=full, tokenize="ascii tokenchars '_'"
)`;

/** The schema of this version. A new column of core's tables needs a migration here, for older databases. */
export const SQLITE_SCHEMA: Schema = {
  first: "0001-first-tables",
  migrations: [
    {
      name: "0002-consumers-by-inbox",
      sql: 'create index "consumers_inbox_id" on "consumers" ("inbox_id") where "inbox_id" is not null',
    },
    {
      name: "0003-people",
      sql: `
alter table "accounts" add column "first_owner_email" text;
update "accounts" set "first_owner_email" = (
  select "email" from "owners" o
  where o."account_id" = "accounts"."id" and o."verified_at" is not null and not exists (
    select 1 from "inboxes" i
    where lower(substr(o."email", instr(o."email", '@') + 1)) = i."domain"
      or lower(o."email") like '%.' || i."domain")
  order by o."verified_at", o."id" limit 1
);
create index "accounts_first_owner_email" on "accounts" ("first_owner_email") where "first_owner_email" is not null;
create table "authorities" (
  "id" text not null, "account_id" text not null, "inbox_id" text, "email" text not null,
  "since" text not null, "given_by" text not null, primary key ("id")
) strict;
create index "authorities_account_id_id" on "authorities" ("account_id", "id");
create index "authorities_email_id" on "authorities" ("email", "id");
create index "authorities_inbox_id" on "authorities" ("inbox_id") where "inbox_id" is not null;
create table "sessions" (
  "id" text not null, "token_hash" text not null, "email" text not null, "user_agent" text,
  "created_at" text not null, "last_seen_at" text not null, "expires_at" text not null, primary key ("id")
) strict;
create unique index "sessions_token_hash" on "sessions" ("token_hash");
create index "sessions_email_id" on "sessions" ("email", "id");
create index "sessions_expires_at" on "sessions" ("expires_at");
create table "session_challenges" (
  "id" text not null, "challenge_hash" text not null, "email" text not null, "code_hash" text,
  "link_hash" text, "tries" integer not null, "created_at" text not null, "expires_at" text not null,
  primary key ("id")
) strict;
create unique index "session_challenges_challenge_hash" on "session_challenges" ("challenge_hash");
create unique index "session_challenges_link_hash" on "session_challenges" ("link_hash") where "link_hash" is not null;
create index "session_challenges_email_id" on "session_challenges" ("email", "id");
create index "session_challenges_expires_at" on "session_challenges" ("expires_at");
create table "remembered_browsers" (
  "hash" text not null, "email" text not null, "expires_at" text not null, primary key ("hash")
) strict;
create index "remembered_browsers_expires_at" on "remembered_browsers" ("expires_at");
drop table "approval_letters";
create table "approval_letters" (
  "message_id" text not null, "approval_id" text not null, "inbox_id" text not null, "owner_id" text,
  "email" text not null, "token_hash" text not null, "again" integer not null, primary key ("message_id")
) strict;
create unique index "approval_letters_token_hash" on "approval_letters" ("token_hash");
create index "approval_letters_approval_id" on "approval_letters" ("approval_id")`,
    },
    {
      name: "0004-letter-secrets",
      // Links of older letters end here: a letter has secrets of its own. Open approvals are requested again.
      sql: `
create table "letter_secrets" (
  "hash" text not null,
  "kind" text not null,
  "account_id" text not null,
  "inbox_id" text,
  "owner_id" text,
  "email" text not null,
  "message_id" text,
  "subject_id" text,
  "created_at" text not null,
  "expires_at" text,
  "struck_at" text,
  primary key ("hash")
) strict;
create index "letter_secrets_inbox_id_hash" on "letter_secrets" ("inbox_id", "hash") where "inbox_id" is not null;
create index "letter_secrets_message_id" on "letter_secrets" ("message_id") where "message_id" is not null;
drop index "owners_page_hash";
alter table "owners" drop column "page_hash";
alter table "owners" drop column "sealed_page_token";
insert into "jobs" ("id", "kind", "due_at", "subject_id", "payload", "attempts", "lease", "created_at")
select 'job_ask_' || "id", 'approval.ask', "requested_at", "id", '{}', 0, null, "requested_at" from "approvals" where "status" = 'pending'`,
    },
    {
      name: "0005-seen-signatures",
      sql: `
create table "seen_signatures" (
  "hash" text not null, "place" text not null, "named" integer not null, "expires_at" text not null,
  primary key ("hash", "place")
) strict, without rowid;
create index "seen_signatures_expires_at" on "seen_signatures" ("expires_at");
alter table "approval_letters" add column "whole" integer not null default 0`,
    },
    {
      name: "0006-canonical-addresses",
      sql: "",
      data: () =>
        canonicalAddresses({ parameter: () => "?", beyondAscii: (column) => `${column} glob '*[^ -~]*'` }),
    },
    {
      name: "0007-html-changes",
      sql: `
alter table "drafts" add column "html_changes" text not null default '[]';
alter table "approvals" add column "html_changed" integer not null default 0;
alter table "approvals" add column "html_changes" text not null default '[]'`,
    },
    {
      name: "0008-redacted-messages",
      sql: 'alter table "messages" add column "redacted" integer not null default 0',
    },
    {
      name: "0009-key-parents",
      sql: `
alter table "keys" add column "parent_key_id" text;
create index "keys_parent_key_id_id" on "keys" ("parent_key_id", "id") where "parent_key_id" is not null`,
    },
    {
      name: "0010-claimed-from-outside",
      sql: "",
      data: claimedFromOutside,
    },
    {
      name: "0011-storage-bytes",
      sql: `
alter table "accounts" add column "storage_bytes" integer not null default 0;
update "accounts" set "storage_bytes" = "stored"."bytes" from (
  select "account_id", sum("bytes") as "bytes" from (
    select "account_id", "size_bytes" as "bytes" from "messages"
    union all
    select d."account_id", json_extract(a."value", '$.size_bytes') from "drafts" d, json_each(d."attachments") a
  ) as "each" group by "account_id"
) as "stored" where "stored"."account_id" = "accounts"."id"`,
    },
    {
      name: "0012-names-of-participants",
      sql: `
update "threads" set "participants" = (
  select json_group_array(json_object('address', json_extract("value", '$.address'), 'name', nullif(json_extract("value", '$.name'), '')))
  from json_each("threads"."participants")
) where "participants" like '%"name":""%'`,
    },
    {
      name: "0013-awaited-references",
      sql: `
create table "awaited_references" (
  "inbox_id" text not null, "reference" text not null, "message_id" text not null, primary key ("inbox_id", "reference", "message_id")
) strict, without rowid`,
    },
    {
      name: "0014-display-names",
      sql: `
alter table "messages" add column "names" text not null default '{}';
alter table "drafts" add column "names" text not null default '{}';
alter table "owners" add column "given_email" text`,
    },
    {
      name: "0015-results-as-json",
      sql: `update "tasks" set "result" = json_quote("result") where "result" is not null`,
    },
    {
      name: "0016-numbers-of-questions",
      sql: 'alter table "update_letters" add column "number" integer',
    },
    {
      name: "0017-recovery",
      sql: `
create table "recoveries" (
  "id" text not null, "email" text not null, "link_hash" text, "created_at" text not null, "expires_at" text not null, primary key ("id")
) strict;
create unique index "recoveries_link_hash" on "recoveries" ("link_hash") where "link_hash" is not null;
create index "recoveries_email_id" on "recoveries" ("email", "id");
create index "recoveries_expires_at" on "recoveries" ("expires_at");
alter table "keys" add column "recovered_by" text;
create index "keys_recovered_by_id" on "keys" ("recovered_by", "id") where "recovered_by" is not null`,
    },
    {
      name: "0018-plans",
      sql: `
alter table "accounts" add column "sub_account_bytes" integer not null default 0;
alter table "accounts" add column "plan" text;
alter table "accounts" add column "suspended_at" text;
create table "plan_usage" (
  "account_id" text not null, "resource" text not null, "period" text not null, "used" integer not null,
  primary key ("account_id", "resource", "period")
) strict, without rowid;
insert into "plan_usage" ("account_id", "resource", "period", "used")
  select "account_id", 'inboxes', '', count(*) from "inboxes" group by "account_id"`,
    },
    {
      name: "0019-oauth",
      sql: `
create table "oauth_grants" (
  "id" text not null, "account_id" text not null, "inbox_id" text, "client_id" text not null,
  "client_name" text not null, "redirect_hosts" text not null, "scope" text not null, "resource" text not null,
  "given_by" text not null, "connected_at" text not null, "last_refreshed_at" text not null,
  "expires_at" text not null, primary key ("id")
) strict;
create index "oauth_grants_account_id_id" on "oauth_grants" ("account_id", "id");
create index "oauth_grants_given_by_id" on "oauth_grants" ("given_by", "id");
create index "oauth_grants_client_id" on "oauth_grants" ("client_id");
create index "oauth_grants_inbox_id" on "oauth_grants" ("inbox_id") where "inbox_id" is not null;
create index "oauth_grants_expires_at" on "oauth_grants" ("expires_at");
create table "oauth_clients" (
  "id" text not null, "metadata" text not null, "created_at" text not null, "expires_at" text not null,
  primary key ("id")
) strict;
create index "oauth_clients_expires_at" on "oauth_clients" ("expires_at");
create table "oauth_records" (
  "hash" text not null, "kind" text not null, "grant_id" text, "sealed_payload" text not null,
  "consumed_at" text, "expires_at" text not null, primary key ("hash")
) strict;
create index "oauth_records_grant_id_expires_at" on "oauth_records" ("grant_id", "expires_at") where "grant_id" is not null;
create index "oauth_records_expires_at" on "oauth_records" ("expires_at")`,
    },
    {
      name: "0020-workspaces",
      sql: `
create table "workspaces" (
  "id" text not null, "name" text not null, "inbox_quota" integer not null, "account_id" text not null, "api_key_prefix" text not null,
  "client_id" text, "created_at" text not null, "updated_at" text not null, "parent_account_id" text not null,
  "inboxes_left" integer not null, primary key ("id")
) strict;
create unique index "workspaces_account_id" on "workspaces" ("account_id");
create unique index "workspaces_parent_account_id_client_id" on "workspaces" ("parent_account_id", "client_id") where "client_id" is not null;
create index "workspaces_parent_account_id_id" on "workspaces" ("parent_account_id", "id")`,
    },
    {
      name: "0021-budgets",
      sql: `
alter table "keys" add column "budget" text;
alter table "drafts" add column "asked_by_key_id" text;
create table "recipients" (
  "account_id" text not null, "address" text not null, "first_at" text not null, primary key ("account_id", "address")
) strict, without rowid;
insert into "recipients" ("account_id", "address", "first_at")
  select m."account_id", lower(r."value"), min(m."created_at") from "messages" m, json_each(
    '[' || m."to" || ',' || m."cc" || ',' || m."bcc" || ']'
  ) f, json_each(f."value") r
  where m."direction" = 'outbound' and not exists (select 1 from json_each(m."labels") l where l."value" = 'owner')
  group by m."account_id", lower(r."value")`,
    },
    {
      name: "0022-deleted-accounts",
      sql: `
alter table "accounts" add column "deleted_at" text;
create index "accounts_parent_account_id_id" on "accounts" ("parent_account_id", "id") where "parent_account_id" is not null`,
    },
    {
      name: "0023-exports",
      sql: `
create index "addresses_account_id_address" on "addresses" ("account_id", "address");
create table "exports" (
  "id" text not null, "status" text not null, "held_content" integer not null, "size_bytes" integer, "created_at" text not null,
  "ready_at" text, "expires_at" text not null, "account_id" text not null, "asked_by" text not null, "pending_for" text,
  primary key ("id")
) strict;
create unique index "exports_account_id_pending_for" on "exports" ("account_id", "pending_for") where "pending_for" is not null;
create index "exports_account_id_id" on "exports" ("account_id", "id");
create index "exports_expires_at" on "exports" ("expires_at");
create table "export_parts" (
  "export_id" text not null, "number" integer not null, "hash" text not null, primary key ("export_id", "number")
) strict, without rowid`,
    },
    {
      name: "0024-domains",
      sql: `
create index "inboxes_account_id_domain_id" on "inboxes" ("account_id", "domain", "id");
create table "domains" (
  "id" text not null, "domain" text not null, "status" text not null, "client_id" text, "checked_at" text, "next_check_at" text,
  "created_at" text not null, "verified_at" text, "account_id" text not null, "mail_from_subdomain" text not null,
  "dkim_selector" text not null, "dkim_public_key" text not null, "sealed_dkim_key" text not null, "next_dkim_selector" text,
  "next_dkim_public_key" text, "sealed_next_dkim_key" text, "previous_dkim_selector" text, "previous_dkim_public_key" text,
  "previous_dkim_until" text, "sealed_dns_access" text, "attempt_started_at" text not null,
  "attempt" integer not null, "missing_since" text, "ownership_missing_since" text,
  "records" text not null, "dns" text not null, "mail" text not null, "warnings" text not null, "workspace_ids" text not null,
  primary key ("id")
) strict;
create unique index "domains_account_id_domain" on "domains" ("account_id", "domain");
create unique index "domains_account_id_client_id" on "domains" ("account_id", "client_id") where "client_id" is not null;
create index "domains_account_id_id" on "domains" ("account_id", "id");
create table "proven_domains" (
  "domain" text not null, "domain_id" text not null, "account_id" text not null, "proven_at" text not null, primary key ("domain")
) strict;
create index "proven_domains_account_id_domain" on "proven_domains" ("account_id", "domain");
create table "written_dns_records" (
  "domain_id" text not null, "name" text not null, "type" text not null, "value" text not null, "priority" integer,
  "written_at" text not null, primary key ("domain_id", "name", "type", "value")
) strict`,
    },
    {
      name: "0025-service-keys",
      sql: `
create table "service_keys" (
  "name" text not null, "sealed_key" text not null, "created_at" text not null, primary key ("name")
) strict`,
    },
    {
      name: "0026-phone",
      sql: `
create table "phone_numbers" (
  "id" text not null, "e164" text not null, "region" text, "capabilities" text not null, "inbox_id" text not null,
  "created_at" text not null, "released_at" text, "account_id" text not null, "status" text not null,
  "wanted" text not null, "provider" text not null, "provider_id" text, "held_inbox_id" text, "held_e164" text,
  primary key ("id")
) strict;
create unique index "phone_numbers_held_inbox_id" on "phone_numbers" ("held_inbox_id") where "held_inbox_id" is not null;
create unique index "phone_numbers_held_e164" on "phone_numbers" ("held_e164") where "held_e164" is not null;
create index "phone_numbers_account_id_id" on "phone_numbers" ("account_id", "id");
create index "phone_numbers_inbox_id_id" on "phone_numbers" ("inbox_id", "id");
alter table "messages" add column "phone" text;
alter table "drafts" add column "call_mode" text;
alter table "inboxes" add column "sms_tasks" integer not null default 0;
alter table "inboxes" add column "voicemail_greeting" text`,
    },
    {
      name: "0027-stopped-numbers",
      sql: `
alter table "suppressions" add column "only_inbox_id" text not null default '';
drop index "suppressions_account_id_address";
create unique index "suppressions_account_id_address_only_inbox_id" on "suppressions" ("account_id", "address", "only_inbox_id")`,
    },
    {
      name: "0028-tasks-by-status",
      sql: 'drop index "tasks_account_id_id"; drop index "tasks_inbox_id_id"',
    },
    {
      name: "0031-addresses",
      sql: `
create table "addresses_anew" (
  "address" text not null, "kind" text not null, "account_id" text, "inbox_id" text, "created_at" text not null,
  primary key ("address")
) strict, without rowid;
insert into "addresses_anew" ("address", "kind", "account_id", "inbox_id", "created_at")
  select "address", 'retired', "account_id", "inbox_id", "created_at" from "addresses";
drop table "addresses";
alter table "addresses_anew" rename to "addresses";
create index "addresses_inbox_id" on "addresses" ("inbox_id") where "inbox_id" is not null;
create index "addresses_account_id_address" on "addresses" ("account_id", "address") where "account_id" is not null;
create index "addresses_kind_inbox_id" on "addresses" ("kind", "inbox_id") where "inbox_id" is not null;
alter table "allowlist" add column "names" text not null default 'outside';
alter table "list_entries" add column "names" text not null default 'outside'`,
      data: () => registeredAddresses({ parameter: () => "?" }),
    },
    {
      name: "0036-imported",
      sql: `
alter table "approvals" add column "imported" integer not null default 0;
alter table "tasks" add column "imported" integer not null default 0`,
    },
    {
      name: "0036-unaddressed",
      sql: `
alter table "messages" add column "unaddressed" text not null default '[]';
update "messages" set
  "unaddressed" = (select json_group_array(json_object('field', "field", 'name', "name")) from (
    select 'from' as "field", coalesce("messages"."from_name", '') as "name" where "messages"."from" = ''
    union all select 'reply_to', '' where "messages"."reply_to" = ''
    union all select 'to', '' from json_each("messages"."to") where "value" = ''
    union all select 'cc', '' from json_each("messages"."cc") where "value" = ''
  ) as "each"),
  "reply_to" = nullif("reply_to", ''),
  "to" = (select json_group_array("value") from json_each("messages"."to") where "value" <> ''),
  "cc" = (select json_group_array("value") from json_each("messages"."cc") where "value" <> '')
where "channel" = 'email' and "direction" = 'inbound'
  and ("from" = '' or "reply_to" = '' or "to" like '%""%' or "cc" like '%""%');
update "threads" set "participants" = (
  select json_group_array(json("value")) from json_each("threads"."participants") where json_extract("value", '$.address') <> ''
) where "participants" like '%"address":""%';
update "drafts" set
  "to" = (select json_group_array("value") from json_each("drafts"."to") where "value" <> ''),
  "cc" = (select json_group_array("value") from json_each("drafts"."cc") where "value" <> '')
where "to" like '%""%' or "cc" like '%""%';
delete from "message_terms" where "term" = 'to:'`,
    },
    {
      name: "0034-makers-of-suppressions",
      sql: `
alter table "suppressions" add column "made_by" text not null default 'key';
update "suppressions" set "made_by" = case "reason" when 'manual' then 'key' when 'stop' then 'person' else "reason" end;
alter table "owners" add column "unreachable_since" text;
alter table "owners" add column "hard_bounces" integer not null default 0;
create table "sending_reports" (
  "account_id" text not null, "day" text not null, "kind" text not null, "domain" text not null,
  primary key ("account_id", "kind", "day", "domain")
) strict;
create index "sending_reports_day" on "sending_reports" ("day")`,
    },
    {
      name: "0035-earlier-return-paths",
      sql: `
insert into "counters" ("name", "count", "expires_at")
select 'earlier-return-paths', 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+7 days')
where exists (select 1 from "messages")`,
    },
    {
      name: "0029-letters",
      // Existing letters are registered too, and their codes are assumed valid for a day.
      sql: `
create table "letters" (
  "message_id" text not null, "message_id_readable" integer not null, "kind" text not null, "account_id" text, "inbox_id" text,
  "email" text not null, "stored_message_id" text, "subject_id" text, "created_at" text not null, "expires_at" text not null,
  primary key ("message_id")
) strict;
create index "letters_account_id_message_id" on "letters" ("account_id", "message_id") where "account_id" is not null;
create index "letters_expires_at" on "letters" ("expires_at");
insert into "letters" ("message_id", "message_id_readable", "kind", "account_id", "inbox_id", "email", "stored_message_id", "subject_id", "created_at", "expires_at")
select lower("m"."message_id"), 1, case when max("s"."kind" = 'confirm') then 'confirmation' when max("s"."kind" = 'approve') then 'approval' else 'update' end,
  "m"."account_id", "m"."inbox_id", min("s"."email"), "m"."id", max(case when "s"."kind" = 'confirm' then "s"."owner_id" end), "m"."created_at", strftime('%Y-%m-%dT%H:%M:%fZ', "m"."created_at", '+90 days')
from "letter_secrets" "s" join "messages" "m" on "m"."id" = "s"."message_id"
where "m"."message_id" is not null and "m"."created_at" > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-90 days')
group by "m"."id";
create table "new_letter_secrets" (
  "hash" text not null, "kind" text not null, "account_id" text, "inbox_id" text, "owner_id" text, "email" text not null,
  "message_id" text, "letter_id" text, "subject_id" text, "created_at" text not null, "expires_at" text, "struck_at" text,
  primary key ("hash")
) strict;
insert into "new_letter_secrets" ("hash", "kind", "account_id", "inbox_id", "owner_id", "email", "message_id", "subject_id", "created_at", "expires_at", "struck_at", "letter_id")
select "s"."hash", "s"."kind", "s"."account_id", "s"."inbox_id", "s"."owner_id", "s"."email", "s"."message_id", "s"."subject_id", "s"."created_at", "s"."expires_at", "s"."struck_at", "l"."message_id"
from "letter_secrets" "s" left join "messages" "m" on "m"."id" = "s"."message_id"
left join "letters" "l" on "l"."message_id" = lower("m"."message_id");
drop table "letter_secrets";
alter table "new_letter_secrets" rename to "letter_secrets";
create index "letter_secrets_inbox_id_hash" on "letter_secrets" ("inbox_id", "hash") where "inbox_id" is not null;
create index "letter_secrets_message_id" on "letter_secrets" ("message_id") where "message_id" is not null;
create index "letter_secrets_letter_id" on "letter_secrets" ("letter_id") where "letter_id" is not null;
alter table "owners" add column "code_voided_at" text;
alter table "session_challenges" add column "code_voided_at" text;
alter table "accounts" add column "letters_live_until" text not null default '';
update "accounts" set "letters_live_until" = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day') where "id" in (select "account_id" from "owners");
alter table "update_letters" add column "whole" integer not null default 0;
update "update_letters" set "whole" = 1 from "messages" "m", "updates" "u"
where "m"."id" = "update_letters"."message_id" and "u"."id" = "update_letters"."update_id" and instr("m"."extracted_text", "u"."text") > 0`,
    },
    {
      name: "0032-known-keys",
      sql: 'create table "known_keys" ("hash" text not null, primary key ("hash")) strict, without rowid',
      data: () => keysInUse("?"),
    },
    {
      name: "0033-people-by-domain",
      sql: `
alter table "addresses" add column "domain" text not null default '';
create index "addresses_domain_kind_address" on "addresses" ("domain", "kind", "address");
alter table "domains" add column "receiving_from" text;
create table "receiving_notices" (
  "domain_id" text not null, "email" text not null, "waits_until" text not null, primary key ("domain_id", "email")
) strict, without rowid;
create index "receiving_notices_domain_id_waits_until" on "receiving_notices" ("domain_id", "waits_until");
create index "seen_signatures_place_hash" on "seen_signatures" ("place", "hash");
alter table "inboxes" add column "imported_at" text;
alter table "tasks" add column "untrusted_reason" text`,
      *data() {
        yield {
          sql: `update "addresses" set "domain" = substr("address", length(rtrim("address", replace("address", '@', ''))) + 1)`,
          parameters: [],
        };
      },
    },
    {
      name: "0037-envelope-to",
      sql: `
alter table "messages" add column "envelope_to" text;
alter table "messages" add column "more_reply_to" text not null default '[]'`,
    },
    {
      name: "0038-outbound-policies",
      sql: `
alter table "accounts" add column "send_mode_floor" text not null default 'direct';
alter table "inboxes" add column "outbound" text not null default '{"untrusted":null,"content":null,"new_recipients":null}';
alter table "inboxes" add column "effective_send_mode" text not null default 'direct';
alter table "inboxes" add column "effective_outbound" text not null default '{"untrusted":"observe","content":"observe","new_recipients":"observe"}';
update "inboxes" set "effective_send_mode" = "send_mode",
  "effective_outbound" = '{"untrusted":"approve","content":"approve","new_recipients":"approve"}' where "send_mode" = 'approval';
create index "inboxes_account_id_effective_send_mode_id" on "inboxes" ("account_id", "effective_send_mode", "id")`,
    },
    {
      name: "0039-outside-mentions",
      sql: `
alter table "allowlist" add column "made_by" text not null default 'key';
alter table "list_entries" add column "made_by" text not null default 'key';
alter table "messages" add column "outbound_findings" text;
create table "outside_mentions" (
  "account_id" text not null, "hash" text not null, "message_id" text not null, "inbox_id" text not null,
  "at" text not null, primary key ("account_id", "hash", "message_id")
) strict, without rowid;
create index "outside_mentions_at" on "outside_mentions" ("at")`,
    },
    {
      name: "0039-approval-reasons",
      sql: `alter table "approvals" add column "reasons" text not null default '[]'`,
    },
    {
      name: "0040-approval-versions",
      sql: `
create table "approval_versions" (
  "approval_id" text not null, "number" integer not null, "digest" text not null, "by" text, "at" text not null, "content" text not null,
  primary key ("approval_id", "number")
) strict`,
    },
    {
      name: "0041-edited-approvals",
      sql: `
alter table "approvals" add column "edited" integer not null default 0;
alter table "approvals" add column "versions" text not null default '[]';
alter table "recipients" add column "left_at" text;
alter table "recipients" add column "approved_at" text;
alter table "recipients" add column "inbox_id" text`,
    },
    {
      name: "0042-release-by",
      sql: `
alter table "inboxes" add column "release_by" text not null default 'key';
update "inboxes" set "release_by" = 'authority' where "effective_send_mode" <> 'direct'`,
    },
    {
      name: "0043-thread-folders",
      sql: `alter table "threads" add column "folder" text not null default 'inbox'`,
    },
    {
      name: "0044-trash",
      sql: `
create table "trash" (
  "id" text not null, "account_id" text not null, "inbox_id" text not null, "thread_id" text, "group_id" text,
  "trashed_at" text not null, "restorable_until" text not null, "size_bytes" integer not null,
  "deleted_by" text not null, "record" text not null, "body" text, "tasks" text not null, primary key ("id")
) strict;
create index "trash_inbox_id_id" on "trash" ("inbox_id", "id");
create index "trash_account_id_id" on "trash" ("account_id", "id");
create index "trash_thread_id_id" on "trash" ("thread_id", "id") where "thread_id" is not null;
create index "trash_group_id_id" on "trash" ("group_id", "id") where "group_id" is not null;
create index "trash_account_id_trashed_at" on "trash" ("account_id", "trashed_at");
create index "trash_restorable_until" on "trash" ("restorable_until")`,
    },
    {
      name: "0045-trashed-inboxes",
      sql: `
create table "trashed_inboxes" (
  "id" text not null, "account_id" text not null, "decided" integer not null, "trashed_at" text not null,
  "restorable_until" text not null, "deleted_by" text not null, "record" text not null, primary key ("id")
) strict;
create index "trashed_inboxes_account_id_id" on "trashed_inboxes" ("account_id", "id");
create index "trashed_inboxes_restorable_until" on "trashed_inboxes" ("restorable_until")`,
    },
    {
      name: "0046-canaries",
      sql: `
create table "canaries" (
  "id" text not null, "inbox_id" text not null, "name" text not null, "created_at" text not null, "spent_at" text,
  "tripped_at" text, "account_id" text not null, "hash" text not null, primary key ("id")
) strict;
create unique index "canaries_hash" on "canaries" ("hash");
create index "canaries_inbox_id_id" on "canaries" ("inbox_id", "id");
alter table "inboxes" add column "sending_paused_at" text;
create index "inboxes_account_id_sending_paused_at" on "inboxes" ("account_id", "sending_paused_at") where "sending_paused_at" is not null`,
    },
    {
      name: "0047-mail-that-left",
      sql: `
update "recipients" set "left_at" = "first_at" where exists (
  select 1 from "inboxes" i join "message_terms" t on t."inbox_id" = i."id" and t."term" = 'to:' || "recipients"."address"
    join "messages" m on m."id" = t."message_id"
  where i."account_id" = "recipients"."account_id" and m."direction" = 'outbound' and m."status" = 'sent')`,
    },
    {
      name: "0048-rejected-approvals",
      sql: `create index "approvals_inbox_id_digest_status" on "approvals" ("inbox_id", "digest", "status")`,
    },
    {
      name: "0049-owner-copies",
      sql: `
alter table "inboxes" add column "owner_copy" text not null default 'off';
alter table "messages" add column "owner_copies" text not null default '[]'`,
    },
    {
      name: "0050-approval-receipts",
      sql: `
create table "receipts" (
  "approval_id" text not null, "account_id" text not null, "inbox_id" text not null, "salt" text not null, "jws" text not null,
  "sent_jws" text, "created_at" text not null, primary key ("approval_id")
) strict;
create index "receipts_account_id_approval_id" on "receipts" ("account_id", "approval_id");
alter table "approvals" add column "asked_by" text;
alter table "accounts" add column "receipt_head" text`,
    },
    {
      name: "0051-expectations",
      sql: `
create table "expectations" (
  "id" text not null, "inbox_id" text not null, "status" text not null, "kind" text not null, "address" text not null,
  "own_address" integer not null, "from" text, "from_domain" text, "subject_contains" text, "in_reply_to" text,
  "require_auth" integer not null, "on_expiry" text not null, "message_id" text, "met_at" text, "expires_at" text not null,
  "created_at" text not null, "client_id" text, "account_id" text not null, "own_email" text, "awaited_reference" text,
  "thread_id" text, "near_misses" text not null, primary key ("id")
) strict;
create unique index "expectations_inbox_id_client_id" on "expectations" ("inbox_id", "client_id") where "client_id" is not null;
create unique index "expectations_inbox_id_own_email" on "expectations" ("inbox_id", "own_email") where "own_email" is not null;
create index "expectations_inbox_id_id" on "expectations" ("inbox_id", "id");
create index "expectations_inbox_id_status_id" on "expectations" ("inbox_id", "status", "id");
create index "expectations_expires_at" on "expectations" ("expires_at");
create index "expectations_thread_id" on "expectations" ("thread_id") where "thread_id" is not null;
alter table "inboxes" add column "expects_until" text;
create table "new_tasks" (
  "id" text not null, "inbox_id" text not null, "origin" text not null, "message_id" text, "thread_id" text, "task_id" text,
  "answers_update_id" text, "status" text not null, "trusted" integer not null, "untrusted_reason" text,
  "injected" integer not null, "imported" integer not null, "owner_id" text, "sender" text, "subject" text not null,
  "text_truncated" integer not null, "attempts" integer not null, "last_error" text, "result" text,
  "created_at" text not null, "updated_at" text not null, "account_id" text not null, "awaited_message_id" text,
  "claim_token" text, "answer" text, "auth" text not null, "claim" text, "text" text, primary key ("id")
) strict;
insert into "new_tasks" ("id", "inbox_id", "origin", "message_id", "thread_id", "task_id", "answers_update_id", "status",
  "trusted", "untrusted_reason", "injected", "imported", "owner_id", "sender", "subject", "text_truncated", "attempts",
  "last_error", "result", "created_at", "updated_at", "account_id", "claim_token", "answer", "auth", "claim", "text")
select "id", "inbox_id", case when "message_id" is null then 'answer' else 'mail' end, "message_id", "thread_id", "task_id",
  "answers_update_id", "status", "trusted", "untrusted_reason", "injected", "imported", "owner_id", "sender", "subject",
  "text_truncated", "attempts", "last_error", "result", "created_at", "updated_at", "account_id", "claim_token", "answer",
  "auth", "claim", "text" from "tasks";
drop table "tasks";
alter table "new_tasks" rename to "tasks";
create unique index "tasks_message_id" on "tasks" ("message_id") where "message_id" is not null;
create index "tasks_account_id_status_id" on "tasks" ("account_id", "status", "id");
create index "tasks_inbox_id_status_id" on "tasks" ("inbox_id", "status", "id");
create index "tasks_awaited_message_id" on "tasks" ("awaited_message_id") where "awaited_message_id" is not null`,
    },
    {
      name: "0052-pairings",
      sql: `
create table "pairings" (
  "id" text not null, "account_id" text, "inbox_id" text, "inbox_created" integer not null, "send_mode" text, "key_id" text,
  "client_name" text, "network" text, "created_at" text not null, "expires_at" text not null, "paired_at" text,
  "email" text not null, "code_mac" text, "undone_at" text, "kept_until" text not null, "permissions" text not null,
  "budget" text, primary key ("id")
) strict;
create unique index "pairings_code_mac" on "pairings" ("code_mac") where "code_mac" is not null;
create index "pairings_email_id" on "pairings" ("email", "id");
create index "pairings_account_id_id" on "pairings" ("account_id", "id") where "account_id" is not null;
create index "pairings_kept_until" on "pairings" ("kept_until")`,
    },
    {
      name: "0053-uploads",
      sql: `
create table "uploads" (
  "id" text not null, "inbox_id" text not null, "status" text not null, "filename" text not null,
  "content_type" text not null, "size_bytes" integer, "sha256" text, "created_at" text not null,
  "expires_at" text not null, "account_id" text not null, "root_account_id" text not null, "word_hash" text not null,
  "put_until" text not null, primary key ("id")
) strict;
create unique index "uploads_word_hash" on "uploads" ("word_hash");
create index "uploads_inbox_id_id" on "uploads" ("inbox_id", "id");
create index "uploads_root_account_id_status_id" on "uploads" ("root_account_id", "status", "id");
create table "attachment_places" (
  "attachment_id" text not null, "message_id" text not null, primary key ("attachment_id", "message_id")
) strict, without rowid;
insert or ignore into "attachment_places" ("attachment_id", "message_id")
  select a."value" ->> 'id', m."id" from "messages" m, json_each(m."attachments") a where a."value" ->> 'id' is not null;
insert or ignore into "attachment_places" ("attachment_id", "message_id")
  select a."value" ->> 'id', d."id" from "drafts" d, json_each(d."attachments") a where a."value" ->> 'id' is not null;
insert or ignore into "attachment_places" ("attachment_id", "message_id")
  select a."value" ->> 'id', t."id" from "trash" t, json_each(t."record", '$.attachments') a where a."value" ->> 'id' is not null`,
    },
    {
      name: "0054-refusals",
      sql: `
create table "refusals" (
  "id" text not null, "first_at" text not null, "last_at" text not null, "operation" text not null, "status" integer not null,
  "key_id" text, "client_id" text, "inbox_id" text, "source" text not null, "count" integer not null,
  "request_id" text not null, "account_id" text not null, "caller_id" text not null, "minute" text not null,
  "error" text not null, primary key ("id")
) strict;
create unique index "refusals_minute" on "refusals" ("minute");
create index "refusals_account_id_id" on "refusals" ("account_id", "id");
create index "refusals_caller_id_id" on "refusals" ("caller_id", "id");
create index "refusals_first_at" on "refusals" ("first_at")`,
    },
    {
      name: "0055-relay-ids",
      sql: `
create table "relay_ids" (
  "account_id" text not null, "provider_id" text not null, "message_id" text not null, "at" text not null,
  primary key ("provider_id", "message_id")
) strict;
create index "relay_ids_account_id_provider_id" on "relay_ids" ("account_id", "provider_id");
create index "relay_ids_at" on "relay_ids" ("at")`,
    },
    {
      name: "0056-inbox-rules",
      sql: `
create table "inbox_rules" (
  "id" text not null, "inbox_id" text not null, "name" text not null, "enabled" integer not null, "position" integer not null,
  "stop_processing" integer not null, "match_count" integer not null, "last_matched_at" text, "last_error" text,
  "made_by" text not null, "client_id" text, "created_at" text not null, "updated_at" text not null,
  "account_id" text not null, "key_id" text, "grant_id" text, "conditions" text not null, "actions" text not null,
  primary key ("id")
) strict;
create unique index "inbox_rules_inbox_id_client_id" on "inbox_rules" ("inbox_id", "client_id") where "client_id" is not null;
create index "inbox_rules_inbox_id_position" on "inbox_rules" ("inbox_id", "position");
alter table "inboxes" add column "has_rules" integer not null default 0`,
    },
    {
      name: "0057-thread-assignments",
      sql: `
alter table "threads" add column "assignee" text;
alter table "threads" add column "assignment_note" text;
alter table "threads" add column "claimed_until" text;
alter table "threads" add column "claim_token" text`,
    },
    {
      name: "0058-passkeys",
      sql: `
create table "passkeys" (
  "id" text not null, "name" text not null, "synced" integer not null, "created_at" text not null, "counts_from" text not null,
  "last_used_at" text, "email" text not null, "credential_id" text not null, "public_key" text not null, "counter" integer not null,
  "jwk" text not null, primary key ("id")
) strict;
create unique index "passkeys_credential_id" on "passkeys" ("credential_id");
create index "passkeys_email_id" on "passkeys" ("email", "id");
create table "passkey_challenges" (
  "hash" text not null, "purpose" text not null, "session_id" text, "approval_id" text, "statement" text, "salt" text,
  "expires_at" text not null, primary key ("hash")
) strict;
create index "passkey_challenges_expires_at" on "passkey_challenges" ("expires_at");
alter table "inboxes" add column "approve_with" text not null default 'session';
create index "inboxes_approve_with_account_id_id" on "inboxes" ("approve_with", "account_id", "id");
alter table "authorities" add column "passkeys_off_at" text`,
    },
    {
      name: "0059-reply-guard",
      sql: `alter table "inboxes" add column "reply_guard" integer not null default 0`,
    },
    {
      name: "0060-remembered-values",
      sql: `
create table "remembered_values" (
  "inbox_id" text not null, "fingerprint" text not null, "account_id" text not null, "approved_at" text not null,
  primary key ("inbox_id", "fingerprint")
) strict, without rowid`,
    },
    {
      name: "0061-file-links",
      sql: `
create table "file_links" (
  "hash" text not null, "account_id" text not null, "inbox_id" text not null, "message_id" text not null,
  "attachment_id" text, "made_by" text not null, "maker_id" text, "expires_at" text not null,
  primary key ("hash")
) strict;
create index "file_links_inbox_id_hash" on "file_links" ("inbox_id", "hash");
create index "file_links_expires_at" on "file_links" ("expires_at")`,
    },
    {
      name: "0062-lease-tokens",
      sql: `create unique index "threads_claim_token" on "threads" ("claim_token") where "claim_token" is not null`,
    },
    {
      name: "0063-refusals-by-code",
      sql: `
alter table "refusals" add column "code" text not null default '';
update "refusals" set "code" = json_extract("error", '$.code')`,
    },
    {
      name: "0064-forwardings",
      sql: `
create table "forwardings" (
  "id" text not null, "inbox_id" text not null, "email" text not null, "everything" integer not null, "status" text not null,
  "failed_reason" text, "approval_id" text, "hard_bounces" integer not null, "created_at" text not null, "expires_at" text not null,
  "verified_at" text, "failed_at" text, "account_id" text not null, "given_email" text, "asked_by_person" text,
  "decided_by" text, "confirmed_at" text, "code_hash" text, "code_tries" integer not null, "link_hash" text, "asked_by" text,
  primary key ("id")
) strict;
create unique index "forwardings_inbox_id_email" on "forwardings" ("inbox_id", "email");
create unique index "forwardings_link_hash" on "forwardings" ("link_hash") where "link_hash" is not null;
create index "forwardings_inbox_id_id" on "forwardings" ("inbox_id", "id");
create index "forwardings_account_id_status_id" on "forwardings" ("account_id", "status", "id");
create index "forwardings_approval_id" on "forwardings" ("approval_id") where "approval_id" is not null;
create index "forwardings_failed_at" on "forwardings" ("failed_at") where "failed_at" is not null;
alter table "inboxes" add column "forwards_all" integer not null default 0`,
    },
    {
      name: "0065-contacts",
      sql: `
create table "contacts" (
  "inbox_id" text not null, "place" text not null, "account_id" text not null, "address" text not null, "names" text not null,
  "first_seen_at" text not null, "last_in_at" text, "last_out_at" text, "in_count" integer not null, "out_count" integer not null,
  "auth_pass" integer not null, "auth_fail" integer not null, "last_message_id" text not null,
  primary key ("inbox_id", "place")
) strict;
create index "contacts_account_id_place" on "contacts" ("account_id", "place");
create table "contact_cursors" (
  "inbox_id" text not null, "account_id" text not null, "counted_to" text not null, primary key ("inbox_id")
) strict;
create table "contact_metadata" (
  "id" text not null, "account_id" text not null, "inbox_id" text, "only_inbox_id" text not null, "address" text not null,
  "metadata" text not null, "updated_at" text not null, primary key ("id")
) strict;
create unique index "contact_metadata_account_id_address_only_inbox_id" on "contact_metadata" ("account_id", "address", "only_inbox_id");
create index "contact_metadata_account_id_id" on "contact_metadata" ("account_id", "id");
create index "contact_metadata_inbox_id_id" on "contact_metadata" ("inbox_id", "id") where "inbox_id" is not null`,
    },
    {
      name: "0066-domain-reports",
      sql: `
create table "domain_reports" (
  "kind" text not null, "sources_left_out" integer not null, "id" text not null, "domain_id" text not null,
  "reporter" text not null, "created_at" text not null, "account_id" text not null, "report_hash" text not null,
  "period" text not null, "sources" text not null, "tls" text, primary key ("id")
) strict;
create unique index "domain_reports_domain_id_report_hash" on "domain_reports" ("domain_id", "report_hash");
create index "domain_reports_domain_id_id" on "domain_reports" ("domain_id", "id");
create index "domain_reports_created_at" on "domain_reports" ("created_at")`,
    },
    {
      name: "0067-letter-secrets-by-account",
      sql: `create index "letter_secrets_account_id_hash" on "letter_secrets" ("account_id", "hash") where "account_id" is not null`,
    },
    {
      name: "0068-open-forwardings-of-inboxes",
      sql: `create index "forwardings_inbox_id_status_id" on "forwardings" ("inbox_id", "status", "id")`,
    },
    {
      name: "0069-overview",
      sql: `
alter table "messages" add column "attention" text;
update "messages" set "attention" = 'held' where "id" in (
  select "message_id" from "message_terms" where "inbox_id" in (
    select "id" from "inboxes" union all select "id" from "trashed_inboxes") and "term" = 'label:held');
create index "messages_account_id_attention_id" on "messages" ("account_id", "attention", "id") where "attention" is not null;
create index "messages_inbox_id_attention_id" on "messages" ("inbox_id", "attention", "id") where "attention" is not null;
alter table "updates" add column "waiting_id" text;
update "updates" set "waiting_id" = "id" where "question" is not null and "answered_at" is null and (
  "question" ->> 'expires_at' is null or "id" in (select "subject_id" from "jobs" where "kind" = 'question.expire'));
create index "updates_account_id_waiting_id" on "updates" ("account_id", "waiting_id") where "waiting_id" is not null;
create index "updates_inbox_id_waiting_id" on "updates" ("inbox_id", "waiting_id") where "waiting_id" is not null;
alter table "tasks" add column "done_at" text;
update "tasks" set "done_at" = "updated_at" where "status" = 'done';
create index "tasks_inbox_id_done_at" on "tasks" ("inbox_id", "done_at") where "done_at" is not null;
create index "domains_account_id_status_id" on "domains" ("account_id", "status", "id")`,
    },
    {
      name: "0070-message-views",
      sql: `alter table "file_links" add column "view" text`,
    },
    {
      name: "0071-mentions-noted-together",
      sql: `
alter table "outside_mentions" add column "noted_at" text;
alter table "outside_mentions" add column "noted" text;
drop index "outside_mentions_at";
with "first" as (
  select "account_id", "message_id", min("hash") as "hash", min("at") as "at", json_group_array("hash") as "noted"
  from "outside_mentions" group by 1, 2
)
update "outside_mentions" set "noted_at" = "first"."at", "noted" = "first"."noted" from "first"
  where "outside_mentions"."account_id" = "first"."account_id" and "outside_mentions"."hash" = "first"."hash"
  and "outside_mentions"."message_id" = "first"."message_id";
create index "outside_mentions_noted_at" on "outside_mentions" ("noted_at") where "noted_at" is not null`,
    },
  ],
  create: () => [
    ...createTableStatements({
      types: { text: "text", integer: "integer", boolean: "integer", json: "text" },
      options: (table) => (CLUSTERED.has(table) ? "strict, without rowid" : "strict"),
      rank: rankOf,
    }),
    OWN_TABLES,
  ],
};

/**
 * Brings the schema up to date in one transaction; a second process that starts at the same time waits.
 * Throws when the database was made by a newer version.
 */
export function migrate(connection: Connection, schema = SQLITE_SCHEMA): void {
  connection.run("begin immediate");
  try {
    connection.script(
      'create table if not exists "migrations" ("version" integer primary key, "name" text not null) strict',
    );
    const row = connection.row('select coalesce(max("version"), 0) as "version" from "migrations"');
    const { statements, data, versions } = pendingMigrations(schema, Number(row?.["version"]));
    for (const sql of statements) connection.script(sql);
    for (const steps of data) changeData(connection, steps());
    for (const { version, name } of versions)
      connection.run('insert into "migrations" ("version", "name") values (?, ?)', version, name);
    connection.run("commit");
  } catch (error) {
    if (connection.inTransaction()) connection.run("rollback");
    throw error;
  }
}

function changeData(connection: Connection, steps: DataSteps): void {
  let step = steps.next();
  while (!step.done) step = steps.next(answerTo(connection, step.value));
}

function answerTo(connection: Connection, statement: SqlStatement): Row[] {
  if (statement.sql.startsWith("select")) return connection.rows(statement);
  connection.affected(statement);
  return [];
}

function rankOf({ name, type }: Column): number {
  if (LONG.has(name)) return 2;
  return type === "json" ? 1 : 0;
}
