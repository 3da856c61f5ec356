import type { TableName } from "@letterslot/core/ports";
import {
  canonicalAddresses,
  claimedFromOutside,
  createTableStatements,
  type DataSteps,
  keysInUse,
  latestVersion,
  pendingMigrations,
  registeredAddresses,
  type Schema,
} from "@letterslot/sql";
import type { Connection, Database, Statement } from "./connections/database.ts";

/** A schema name that PostgreSQL keeps as it is written, without truncating it. */
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,47}$/;

/** The advisory lock of migrations: any number, the same in every version. */
const MIGRATION_LOCK = 7_254_613_108;
/** The time that a migration waits for other users of a table; new statements queue behind it meanwhile. */
const TABLE_LOCK_TIMEOUT = "5s";

/** Rows that are often updated in columns without an index: free space on their page allows HOT updates. */
const OFTEN_UPDATED = new Set<TableName>([
  "accounts",
  "counters",
  "slots",
  "jobs",
  "messages",
  "threads",
  "plan_usage",
]);

/** The adapter's own tables: blobs, and the search index. */
const OWN_TABLES = `
-- put_at counts milliseconds since 1970, coding says how the bytes are compressed, or "object": then they are the size and the name
-- of an object elsewhere. PostgreSQL doesn't compress them again, so that parts of them can be read alone.
create table "blobs" (
  "hash" bytea not null,
  "put_at" bigint not null,
  "coding" text collate "C",
  "bytes" bytea not null,
  primary key ("hash")
);

alter table "blobs" alter column "bytes" set storage external;

-- Parts of large blobs that are being received since then.
create unlogged table "blob_parts" (
  "blob" text collate "C" not null, "number" integer not null, "since" bigint not null, "bytes" bytea not null,
  primary key ("blob", "number")
);

alter table "blob_parts" alter column "bytes" set storage external;

create index "blob_parts_since" on "blob_parts" ("since");

-- Objects that no blob names: uploads under way since then, and what is to be deleted, which is doomed.
create table "unlinked_objects" (
  "name" text collate "C" not null, "since" bigint not null, "doomed" boolean not null, primary key ("name")
);

create index "unlinked_objects_since" on "unlinked_objects" ("since");

-- Lexemes find messages, the words in their order check phrases. Pages are in the order of message ids.
create table "search" (
  "message_id" text collate "C" not null,
  "account_id" text collate "C" not null,
  "lexemes" tsvector not null,
  "words" text not null,
  primary key ("message_id")
);

-- Compressed they would hardly be smaller, and a search decompresses those of each message that it compares.
alter table "search" alter column "lexemes" set storage external;

create index "search_account_id_message_id" on "search" ("account_id", "message_id");

-- Each search reads the words that are pending, so at most a megabyte of them is.
create index "search_lexemes" on "search" using gin ("lexemes") with (gin_pending_list_limit = 1024)`;

/**
 * The schema of this version. A new column of core's tables needs a migration here, for older databases.
 * Statements of the previous version must keep working after a migration, because its processes may still
 * run: migrations add, and never rename or remove what that version uses.
 */
export const POSTGRES_SCHEMA: Schema = {
  first: "0001-first-tables",
  migrations: [
    {
      name: "0002-consumers-by-inbox",
      sql: 'create index "consumers_inbox_id" on "consumers" ("inbox_id") where "inbox_id" is not null',
    },
    {
      name: "0003-people",
      sql: `
alter table "accounts" add column "first_owner_email" text collate "C";
update "accounts" set "first_owner_email" = (
  select "email" from "owners" o
  where o."account_id" = "accounts"."id" and o."verified_at" is not null and not exists (
    select 1 from "inboxes" i
    where lower(substr(o."email", strpos(o."email", '@') + 1)) = i."domain"
      or lower(o."email") like '%.' || i."domain")
  order by o."verified_at", o."id" limit 1
);
create index "accounts_first_owner_email" on "accounts" ("first_owner_email") where "first_owner_email" is not null;
create table "authorities" (
  "id" text collate "C" not null, "account_id" text collate "C" not null, "inbox_id" text collate "C", "email" text collate "C" not null,
  "since" text collate "C" not null, "given_by" text collate "C" not null, primary key ("id")
);
create index "authorities_account_id_id" on "authorities" ("account_id", "id");
create index "authorities_email_id" on "authorities" ("email", "id");
create index "authorities_inbox_id" on "authorities" ("inbox_id") where "inbox_id" is not null;
create table "sessions" (
  "id" text collate "C" not null, "token_hash" text collate "C" not null, "email" text collate "C" not null, "user_agent" text collate "C",
  "created_at" text collate "C" not null, "last_seen_at" text collate "C" not null, "expires_at" text collate "C" not null, primary key ("id")
);
create unique index "sessions_token_hash" on "sessions" ("token_hash");
create index "sessions_email_id" on "sessions" ("email", "id");
create index "sessions_expires_at" on "sessions" ("expires_at");
create table "session_challenges" (
  "id" text collate "C" not null, "challenge_hash" text collate "C" not null, "email" text collate "C" not null, "code_hash" text collate "C",
  "link_hash" text collate "C", "tries" bigint not null, "created_at" text collate "C" not null, "expires_at" text collate "C" not null,
  primary key ("id")
);
create unique index "session_challenges_challenge_hash" on "session_challenges" ("challenge_hash");
create unique index "session_challenges_link_hash" on "session_challenges" ("link_hash") where "link_hash" is not null;
create index "session_challenges_email_id" on "session_challenges" ("email", "id");
create index "session_challenges_expires_at" on "session_challenges" ("expires_at");
create table "remembered_browsers" (
  "hash" text collate "C" not null, "email" text collate "C" not null, "expires_at" text collate "C" not null, primary key ("hash")
);
create index "remembered_browsers_expires_at" on "remembered_browsers" ("expires_at");
delete from "approval_letters";
alter table "approval_letters" alter column "owner_id" drop not null;
alter table "approval_letters" add column "email" text collate "C" not null default ''`,
    },
    {
      name: "0004-letter-secrets",
      // Links of older letters end here: a letter has secrets of its own. Open approvals are requested again.
      sql: `
create table "letter_secrets" (
  "hash" text collate "C" not null,
  "kind" text collate "C" not null,
  "account_id" text collate "C" not null,
  "inbox_id" text collate "C",
  "owner_id" text collate "C",
  "email" text collate "C" not null,
  "message_id" text collate "C",
  "subject_id" text collate "C",
  "created_at" text collate "C" not null,
  "expires_at" text collate "C",
  "struck_at" text collate "C",
  primary key ("hash")
);
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
  "hash" text collate "C" not null, "place" text collate "C" not null, "named" boolean not null, "expires_at" text collate "C" not null,
  primary key ("hash", "place")
);
create index "seen_signatures_expires_at" on "seen_signatures" ("expires_at");
alter table "approval_letters" add column "whole" boolean not null default false`,
    },
    {
      name: "0006-canonical-addresses",
      sql: "",
      data: () =>
        canonicalAddresses({ parameter: (n) => `$${n}`, beyondAscii: (column) => `${column} ~ '[^ -~]'` }),
    },
    {
      name: "0007-html-changes",
      sql: `
alter table "drafts" add column "html_changes" json not null default '[]';
alter table "approvals" add column "html_changed" boolean not null default false;
alter table "approvals" add column "html_changes" json not null default '[]'`,
    },
    {
      name: "0008-redacted-messages",
      sql: 'alter table "messages" add column "redacted" boolean not null default false',
    },
    {
      name: "0009-key-parents",
      sql: `
alter table "keys" add column "parent_key_id" text collate "C";
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
alter table "accounts" add column "storage_bytes" bigint not null default 0;
update "accounts" set "storage_bytes" = "stored"."bytes" from (
  select "account_id", sum("bytes") as "bytes" from (
    select "account_id", "size_bytes" as "bytes" from "messages"
    union all
    select d."account_id", (a."value" ->> 'size_bytes')::bigint from "drafts" d, json_array_elements(d."attachments") as a("value")
  ) as "each" group by "account_id"
) as "stored" where "stored"."account_id" = "accounts"."id"`,
    },
    {
      name: "0012-names-of-participants",
      sql: `
update "threads" set "participants" = (
  select json_agg(json_build_object('address', "person" ->> 'address', 'name', nullif("person" ->> 'name', '')) order by "at")
  from json_array_elements("participants") with ordinality as "each"("person", "at")
) where "participants"::text like '%"name":""%'`,
    },
    {
      name: "0013-awaited-references",
      sql: `
create table "awaited_references" (
  "inbox_id" text collate "C" not null, "reference" text collate "C" not null, "message_id" text collate "C" not null,
  primary key ("inbox_id", "reference", "message_id")
)`,
    },
    {
      name: "0014-display-names",
      sql: `
alter table "messages" add column "names" json not null default '{}';
alter table "drafts" add column "names" json not null default '{}';
alter table "owners" add column "given_email" text collate "C"`,
    },
    {
      name: "0015-results-as-json",
      sql: `update "tasks" set "result" = to_json("result")::text where "result" is not null`,
    },
    {
      name: "0016-numbers-of-questions",
      sql: 'alter table "update_letters" add column "number" bigint',
    },
    {
      name: "0017-recovery",
      sql: `
create table "recoveries" (
  "id" text collate "C" not null, "email" text collate "C" not null, "link_hash" text collate "C", "created_at" text collate "C" not null,
  "expires_at" text collate "C" not null, primary key ("id")
);
create unique index "recoveries_link_hash" on "recoveries" ("link_hash") where "link_hash" is not null;
create index "recoveries_email_id" on "recoveries" ("email", "id");
create index "recoveries_expires_at" on "recoveries" ("expires_at");
alter table "keys" add column "recovered_by" text collate "C";
create index "keys_recovered_by_id" on "keys" ("recovered_by", "id") where "recovered_by" is not null`,
    },
    {
      name: "0018-plans",
      sql: `
alter table "accounts" add column "sub_account_bytes" bigint not null default 0;
alter table "accounts" add column "plan" text collate "C";
alter table "accounts" add column "suspended_at" text collate "C";
create table "plan_usage" (
  "account_id" text collate "C" not null, "resource" text collate "C" not null, "period" text collate "C" not null, "used" bigint not null,
  primary key ("account_id", "resource", "period")
) with (fillfactor = 80);
insert into "plan_usage" ("account_id", "resource", "period", "used")
  select "account_id", 'inboxes', '', count(*) from "inboxes" group by "account_id"`,
    },
    {
      name: "0019-oauth",
      sql: `
create table "oauth_grants" (
  "id" text collate "C" not null, "account_id" text collate "C" not null, "inbox_id" text collate "C", "client_id" text collate "C" not null,
  "client_name" text collate "C" not null, "redirect_hosts" json not null, "scope" json not null, "resource" text collate "C" not null,
  "given_by" text collate "C" not null, "connected_at" text collate "C" not null, "last_refreshed_at" text collate "C" not null,
  "expires_at" text collate "C" not null, primary key ("id")
);
create index "oauth_grants_account_id_id" on "oauth_grants" ("account_id", "id");
create index "oauth_grants_given_by_id" on "oauth_grants" ("given_by", "id");
create index "oauth_grants_client_id" on "oauth_grants" ("client_id");
create index "oauth_grants_inbox_id" on "oauth_grants" ("inbox_id") where "inbox_id" is not null;
create index "oauth_grants_expires_at" on "oauth_grants" ("expires_at");
create table "oauth_clients" (
  "id" text collate "C" not null, "metadata" json not null, "created_at" text collate "C" not null, "expires_at" text collate "C" not null,
  primary key ("id")
);
create index "oauth_clients_expires_at" on "oauth_clients" ("expires_at");
create table "oauth_records" (
  "hash" text collate "C" not null, "kind" text collate "C" not null, "grant_id" text collate "C", "sealed_payload" text collate "C" not null,
  "consumed_at" text collate "C", "expires_at" text collate "C" not null, primary key ("hash")
);
create index "oauth_records_grant_id_expires_at" on "oauth_records" ("grant_id", "expires_at") where "grant_id" is not null;
create index "oauth_records_expires_at" on "oauth_records" ("expires_at")`,
    },
    {
      name: "0020-workspaces",
      sql: `
create table "workspaces" (
  "id" text collate "C" not null, "name" text collate "C" not null, "inbox_quota" bigint not null, "account_id" text collate "C" not null, "api_key_prefix" text collate "C" not null,
  "client_id" text collate "C", "created_at" text collate "C" not null, "updated_at" text collate "C" not null, "parent_account_id" text collate "C" not null,
  "inboxes_left" bigint not null, primary key ("id")
);
create unique index "workspaces_account_id" on "workspaces" ("account_id");
create unique index "workspaces_parent_account_id_client_id" on "workspaces" ("parent_account_id", "client_id") where "client_id" is not null;
create index "workspaces_parent_account_id_id" on "workspaces" ("parent_account_id", "id")`,
    },
    {
      name: "0021-budgets",
      sql: `
alter table "keys" add column "budget" json;
alter table "drafts" add column "asked_by_key_id" text collate "C";
create table "recipients" (
  "account_id" text collate "C" not null, "address" text collate "C" not null, "first_at" text collate "C" not null,
  primary key ("account_id", "address")
);
insert into "recipients" ("account_id", "address", "first_at")
  select m."account_id", lower(r."address"), min(m."created_at") from "messages" m,
    json_array_elements(json_build_array(m."to", m."cc", m."bcc")) f, json_array_elements_text(f) r("address")
  where m."direction" = 'outbound' and not exists (select 1 from json_array_elements_text(m."labels") l where l = 'owner')
  group by m."account_id", lower(r."address")`,
    },
    {
      name: "0022-deleted-accounts",
      sql: `
alter table "accounts" add column "deleted_at" text collate "C";
create index "accounts_parent_account_id_id" on "accounts" ("parent_account_id", "id") where "parent_account_id" is not null`,
    },
    {
      name: "0023-exports",
      sql: `
create index "addresses_account_id_address" on "addresses" ("account_id", "address");
create table "exports" (
  "id" text collate "C" not null, "status" text collate "C" not null, "held_content" boolean not null, "size_bytes" bigint, "created_at" text collate "C" not null,
  "ready_at" text collate "C", "expires_at" text collate "C" not null, "account_id" text collate "C" not null, "asked_by" text collate "C" not null, "pending_for" text collate "C",
  primary key ("id")
);
create unique index "exports_account_id_pending_for" on "exports" ("account_id", "pending_for") where "pending_for" is not null;
create index "exports_account_id_id" on "exports" ("account_id", "id");
create index "exports_expires_at" on "exports" ("expires_at");
create table "export_parts" (
  "export_id" text collate "C" not null, "number" bigint not null, "hash" text collate "C" not null, primary key ("export_id", "number")
)`,
    },
    {
      name: "0024-domains",
      sql: `
create index "inboxes_account_id_domain_id" on "inboxes" ("account_id", "domain", "id");
create table "domains" (
  "id" text collate "C" not null, "domain" text collate "C" not null, "status" text collate "C" not null, "client_id" text collate "C", "checked_at" text collate "C", "next_check_at" text collate "C",
  "created_at" text collate "C" not null, "verified_at" text collate "C", "account_id" text collate "C" not null, "mail_from_subdomain" text collate "C" not null,
  "dkim_selector" text collate "C" not null, "dkim_public_key" text collate "C" not null, "sealed_dkim_key" text collate "C" not null, "next_dkim_selector" text collate "C",
  "next_dkim_public_key" text collate "C", "sealed_next_dkim_key" text collate "C", "previous_dkim_selector" text collate "C", "previous_dkim_public_key" text collate "C",
  "previous_dkim_until" text collate "C", "sealed_dns_access" text collate "C", "attempt_started_at" text collate "C" not null,
  "attempt" bigint not null, "missing_since" text collate "C", "ownership_missing_since" text collate "C",
  "records" json not null, "dns" json not null, "mail" json not null, "warnings" json not null, "workspace_ids" json not null,
  primary key ("id")
);
create unique index "domains_account_id_domain" on "domains" ("account_id", "domain");
create unique index "domains_account_id_client_id" on "domains" ("account_id", "client_id") where "client_id" is not null;
create index "domains_account_id_id" on "domains" ("account_id", "id");
create table "proven_domains" (
  "domain" text collate "C" not null, "domain_id" text collate "C" not null, "account_id" text collate "C" not null, "proven_at" text collate "C" not null, primary key ("domain")
);
create index "proven_domains_account_id_domain" on "proven_domains" ("account_id", "domain");
create table "written_dns_records" (
  "domain_id" text collate "C" not null, "name" text collate "C" not null, "type" text collate "C" not null, "value" text collate "C" not null, "priority" bigint,
  "written_at" text collate "C" not null, primary key ("domain_id", "name", "type", "value")
)`,
    },
    {
      name: "0025-service-keys",
      sql: `
create table "service_keys" (
  "name" text collate "C" not null, "sealed_key" text collate "C" not null, "created_at" text collate "C" not null,
  primary key ("name")
)`,
    },
    {
      name: "0026-phone",
      sql: `
create table "phone_numbers" (
  "id" text collate "C" not null, "e164" text collate "C" not null, "region" text collate "C",
  "capabilities" json not null, "inbox_id" text collate "C" not null, "created_at" text collate "C" not null,
  "released_at" text collate "C", "account_id" text collate "C" not null, "status" text collate "C" not null,
  "wanted" text collate "C" not null, "provider" text collate "C" not null, "provider_id" text collate "C",
  "held_inbox_id" text collate "C", "held_e164" text collate "C",
  primary key ("id")
);
create unique index "phone_numbers_held_inbox_id" on "phone_numbers" ("held_inbox_id") where "held_inbox_id" is not null;
create unique index "phone_numbers_held_e164" on "phone_numbers" ("held_e164") where "held_e164" is not null;
create index "phone_numbers_account_id_id" on "phone_numbers" ("account_id", "id");
create index "phone_numbers_inbox_id_id" on "phone_numbers" ("inbox_id", "id");
alter table "messages" add column "phone" json;
alter table "drafts" add column "call_mode" text collate "C";
alter table "inboxes" add column "sms_tasks" boolean not null default false;
alter table "inboxes" add column "voicemail_greeting" text collate "C"`,
    },
    {
      name: "0027-stopped-numbers",
      sql: `
alter table "suppressions" add column "only_inbox_id" text collate "C" not null default '';
drop index "suppressions_account_id_address";
create unique index "suppressions_account_id_address_only_inbox_id" on "suppressions" ("account_id", "address", "only_inbox_id")`,
    },
    {
      name: "0028-unlinked-objects",
      sql: `
create table "unlinked_objects" (
  "name" text collate "C" not null, "since" bigint not null, "doomed" boolean not null, primary key ("name")
);
create index "unlinked_objects_since" on "unlinked_objects" ("since")`,
    },
    {
      name: "0029-short-pending-lists",
      sql: 'alter index "search_lexemes" set (gin_pending_list_limit = 1024)',
    },
    {
      name: "0030-lexemes-as-they-are",
      sql: 'alter table "search" alter column "lexemes" set storage external',
    },
    {
      name: "0031-tasks-by-status",
      sql: 'drop index "tasks_account_id_id"; drop index "tasks_inbox_id_id"',
    },
    {
      name: "0031-addresses",
      sql: `
alter table "addresses" add column "kind" text collate "C" not null default 'retired';
alter table "addresses" alter column "account_id" drop not null;
drop index "addresses_account_id_address";
create index "addresses_account_id_address" on "addresses" ("account_id", "address") where "account_id" is not null;
create index "addresses_kind_inbox_id" on "addresses" ("kind", "inbox_id") where "inbox_id" is not null;
alter table "allowlist" add column "names" text collate "C" not null default 'outside';
alter table "list_entries" add column "names" text collate "C" not null default 'outside'`,
      data: () => registeredAddresses({ parameter: (n) => `$${n}` }),
    },
    {
      name: "0036-imported",
      sql: `
alter table "approvals" add column "imported" boolean not null default false;
alter table "tasks" add column "imported" boolean not null default false`,
    },
    {
      name: "0036-unaddressed",
      sql: `
alter table "messages" add column "unaddressed" json not null default '[]';
update "messages" set
  "unaddressed" = coalesce((select json_agg(json_build_object('field', "each"."field", 'name', "each"."name")) from (
    select 'from' as "field", coalesce("messages"."from_name", '') as "name" where "messages"."from" = ''
    union all select 'reply_to', '' where "messages"."reply_to" = ''
    union all select 'to', '' from json_array_elements_text("messages"."to") as "one" where "one" = ''
    union all select 'cc', '' from json_array_elements_text("messages"."cc") as "one" where "one" = ''
  ) as "each"), '[]'),
  "reply_to" = nullif("reply_to", ''),
  "to" = coalesce((select json_agg("one") from json_array_elements_text("messages"."to") as "one" where "one" <> ''), '[]'),
  "cc" = coalesce((select json_agg("one") from json_array_elements_text("messages"."cc") as "one" where "one" <> ''), '[]')
where "channel" = 'email' and "direction" = 'inbound'
  and ("from" = '' or "reply_to" = '' or "to"::text like '%""%' or "cc"::text like '%""%');
update "threads" set "participants" = coalesce((
  select json_agg("one") from json_array_elements("threads"."participants") as "one" where "one"->>'address' <> ''
), '[]') where "participants"::text like '%"address":""%' or "participants"::text like '%"address" : ""%';
update "drafts" set
  "to" = coalesce((select json_agg("one") from json_array_elements_text("drafts"."to") as "one" where "one" <> ''), '[]'),
  "cc" = coalesce((select json_agg("one") from json_array_elements_text("drafts"."cc") as "one" where "one" <> ''), '[]')
where "to"::text like '%""%' or "cc"::text like '%""%';
delete from "message_terms" where "term" = 'to:'`,
    },
    {
      name: "0034-makers-of-suppressions",
      sql: `
alter table "suppressions" add column "made_by" text collate "C" not null default 'key';
update "suppressions" set "made_by" = case "reason" when 'manual' then 'key' when 'stop' then 'person' else "reason" end;
alter table "owners" add column "unreachable_since" text collate "C";
alter table "owners" add column "hard_bounces" bigint not null default 0;
create table "sending_reports" (
  "account_id" text collate "C" not null, "day" text collate "C" not null, "kind" text collate "C" not null,
  "domain" text collate "C" not null, primary key ("account_id", "kind", "day", "domain")
);
create index "sending_reports_day" on "sending_reports" ("day")`,
    },
    {
      name: "0035-earlier-return-paths",
      sql: `
insert into "counters" ("name", "count", "expires_at")
select 'earlier-return-paths', 0,
  to_char((now() at time zone 'utc') + interval '7 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
where exists (select 1 from "messages")`,
    },
    {
      name: "0032-letters",
      // Existing letters are registered too, and their codes are assumed valid for a day.
      sql: `
create table "letters" (
  "message_id" text collate "C" not null, "message_id_readable" boolean not null, "kind" text collate "C" not null, "account_id" text collate "C", "inbox_id" text collate "C",
  "email" text collate "C" not null, "stored_message_id" text collate "C", "subject_id" text collate "C", "created_at" text collate "C" not null, "expires_at" text collate "C" not null,
  primary key ("message_id")
);
create index "letters_account_id_message_id" on "letters" ("account_id", "message_id") where "account_id" is not null;
create index "letters_expires_at" on "letters" ("expires_at");
insert into "letters" ("message_id", "message_id_readable", "kind", "account_id", "inbox_id", "email", "stored_message_id", "subject_id", "created_at", "expires_at")
select lower("m"."message_id"), true, case when bool_or("s"."kind" = 'confirm') then 'confirmation' when bool_or("s"."kind" = 'approve') then 'approval' else 'update' end,
  "m"."account_id", "m"."inbox_id", min("s"."email"), "m"."id", max(case when "s"."kind" = 'confirm' then "s"."owner_id" end), "m"."created_at", to_char(("m"."created_at"::timestamptz + interval '90 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
from "letter_secrets" "s" join "messages" "m" on "m"."id" = "s"."message_id"
where "m"."message_id" is not null and "m"."created_at" > to_char((now() - interval '90 days') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
group by "m"."id";
alter table "letter_secrets" alter column "account_id" drop not null;
alter table "letter_secrets" add column "letter_id" text collate "C";
update "letter_secrets" set "letter_id" = "letters"."message_id" from "letters" where "letters"."stored_message_id" = "letter_secrets"."message_id";
create index "letter_secrets_letter_id" on "letter_secrets" ("letter_id") where "letter_id" is not null;
alter table "owners" add column "code_voided_at" text collate "C";
alter table "session_challenges" add column "code_voided_at" text collate "C";
alter table "accounts" add column "letters_live_until" text collate "C" not null default '';
update "accounts" set "letters_live_until" = to_char((now() + interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') where "id" in (select "account_id" from "owners");
alter table "update_letters" add column "whole" boolean not null default false;
update "update_letters" set "whole" = true from "messages" "m", "updates" "u"
where "m"."id" = "update_letters"."message_id" and "u"."id" = "update_letters"."update_id" and position("u"."text" in "m"."extracted_text") > 0`,
    },
    {
      name: "0032-known-keys",
      sql: 'create table "known_keys" ("hash" text collate "C" not null, primary key ("hash"))',
      data: () => keysInUse("$1"),
    },
    {
      name: "0033-people-by-domain",
      sql: `
alter table "addresses" add column "domain" text collate "C" not null default '';
create index "addresses_domain_kind_address" on "addresses" ("domain", "kind", "address");
alter table "domains" add column "receiving_from" text collate "C";
create table "receiving_notices" (
  "domain_id" text collate "C" not null, "email" text collate "C" not null, "waits_until" text collate "C" not null, primary key ("domain_id", "email")
);
create index "receiving_notices_domain_id_waits_until" on "receiving_notices" ("domain_id", "waits_until");
create index "seen_signatures_place_hash" on "seen_signatures" ("place", "hash");
alter table "inboxes" add column "imported_at" text collate "C";
alter table "tasks" add column "untrusted_reason" text collate "C"`,
      *data() {
        yield { sql: `update "addresses" set "domain" = substring("address" from '[^@]*$')`, parameters: [] };
      },
    },
    {
      name: "0037-envelope-to",
      sql: `
alter table "messages" add column "envelope_to" text collate "C";
alter table "messages" add column "more_reply_to" json not null default '[]'`,
    },
    {
      name: "0038-outbound-policies",
      sql: `
alter table "accounts" add column "send_mode_floor" text collate "C" not null default 'direct';
alter table "inboxes" add column "outbound" json not null default '{"untrusted":null,"content":null,"new_recipients":null}';
alter table "inboxes" add column "effective_send_mode" text collate "C" not null default 'direct';
alter table "inboxes" add column "effective_outbound" json not null default '{"untrusted":"observe","content":"observe","new_recipients":"observe"}';
update "inboxes" set "effective_send_mode" = "send_mode",
  "effective_outbound" = '{"untrusted":"approve","content":"approve","new_recipients":"approve"}' where "send_mode" = 'approval';
create index "inboxes_account_id_effective_send_mode_id" on "inboxes" ("account_id", "effective_send_mode", "id")`,
    },
    {
      name: "0039-outside-mentions",
      sql: `
alter table "allowlist" add column "made_by" text collate "C" not null default 'key';
alter table "list_entries" add column "made_by" text collate "C" not null default 'key';
alter table "messages" add column "outbound_findings" json;
create table "outside_mentions" (
  "account_id" text collate "C" not null, "hash" text collate "C" not null, "message_id" text collate "C" not null, "inbox_id" text collate "C" not null,
  "at" text collate "C" not null, primary key ("account_id", "hash", "message_id")
);
create index "outside_mentions_at" on "outside_mentions" ("at")`,
    },
    {
      name: "0039-approval-reasons",
      sql: `alter table "approvals" add column "reasons" json not null default '[]'`,
    },
    {
      name: "0040-approval-versions",
      sql: `
create table "approval_versions" (
  "approval_id" text collate "C" not null, "number" bigint not null, "digest" text collate "C" not null, "by" text collate "C", "at" text collate "C" not null, "content" text collate "C" not null,
  primary key ("approval_id", "number")
)`,
    },
    {
      name: "0041-edited-approvals",
      sql: `
alter table "approvals" add column "edited" boolean not null default false;
alter table "approvals" add column "versions" json not null default '[]';
alter table "recipients" add column "left_at" text collate "C";
alter table "recipients" add column "approved_at" text collate "C";
alter table "recipients" add column "inbox_id" text collate "C"`,
    },
    {
      name: "0042-release-by",
      sql: `
alter table "inboxes" add column "release_by" text collate "C" not null default 'key';
update "inboxes" set "release_by" = 'authority' where "effective_send_mode" <> 'direct'`,
    },
    {
      name: "0043-thread-folders",
      sql: `alter table "threads" add column "folder" text collate "C" not null default 'inbox'`,
    },
    {
      name: "0044-trash",
      sql: `
create table "trash" (
  "id" text collate "C" not null, "account_id" text collate "C" not null, "inbox_id" text collate "C" not null,
  "thread_id" text collate "C", "group_id" text collate "C", "deleted_by" json not null,
  "trashed_at" text collate "C" not null, "restorable_until" text collate "C" not null, "size_bytes" bigint not null,
  "record" json not null, "body" json, "tasks" json not null, primary key ("id")
);
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
  "id" text collate "C" not null, "account_id" text collate "C" not null, "deleted_by" json not null,
  "decided" boolean not null, "trashed_at" text collate "C" not null, "restorable_until" text collate "C" not null,
  "record" json not null, primary key ("id")
);
create index "trashed_inboxes_account_id_id" on "trashed_inboxes" ("account_id", "id");
create index "trashed_inboxes_restorable_until" on "trashed_inboxes" ("restorable_until")`,
    },
    {
      name: "0046-canaries",
      sql: `
create table "canaries" (
  "id" text collate "C" not null, "inbox_id" text collate "C" not null, "name" text collate "C" not null,
  "created_at" text collate "C" not null, "spent_at" text collate "C", "tripped_at" text collate "C",
  "account_id" text collate "C" not null, "hash" text collate "C" not null, primary key ("id")
);
create unique index "canaries_hash" on "canaries" ("hash");
create index "canaries_inbox_id_id" on "canaries" ("inbox_id", "id");
alter table "inboxes" add column "sending_paused_at" text collate "C";
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
alter table "inboxes" add column "owner_copy" text collate "C" not null default 'off';
alter table "messages" add column "owner_copies" json not null default '[]'`,
    },
    {
      name: "0050-approval-receipts",
      sql: `
create table "receipts" (
  "approval_id" text collate "C" not null, "account_id" text collate "C" not null, "inbox_id" text collate "C" not null, "salt" text collate "C" not null, "jws" text collate "C" not null,
  "sent_jws" text collate "C", "created_at" text collate "C" not null, primary key ("approval_id")
);
create index "receipts_account_id_approval_id" on "receipts" ("account_id", "approval_id");
alter table "approvals" add column "asked_by" json;
alter table "accounts" add column "receipt_head" text collate "C"`,
    },
    {
      name: "0051-expectations",
      sql: `
create table "expectations" (
  "id" text collate "C" not null, "inbox_id" text collate "C" not null, "status" text collate "C" not null, "kind" text collate "C" not null, "address" text collate "C" not null,
  "own_address" boolean not null, "from" text collate "C", "from_domain" text collate "C", "subject_contains" text collate "C", "in_reply_to" text collate "C",
  "require_auth" boolean not null, "on_expiry" text collate "C" not null, "message_id" text collate "C", "met_at" text collate "C", "expires_at" text collate "C" not null,
  "created_at" text collate "C" not null, "client_id" text collate "C", "account_id" text collate "C" not null, "own_email" text collate "C", "awaited_reference" text collate "C",
  "thread_id" text collate "C", "near_misses" json not null, primary key ("id")
);
create unique index "expectations_inbox_id_client_id" on "expectations" ("inbox_id", "client_id") where "client_id" is not null;
create unique index "expectations_inbox_id_own_email" on "expectations" ("inbox_id", "own_email") where "own_email" is not null;
create index "expectations_inbox_id_id" on "expectations" ("inbox_id", "id");
create index "expectations_inbox_id_status_id" on "expectations" ("inbox_id", "status", "id");
create index "expectations_expires_at" on "expectations" ("expires_at");
create index "expectations_thread_id" on "expectations" ("thread_id") where "thread_id" is not null;
alter table "inboxes" add column "expects_until" text collate "C";
alter table "tasks" add column "origin" text collate "C" not null default 'mail';
update "tasks" set "origin" = 'answer' where "message_id" is null;
alter table "tasks" alter column "sender" drop not null;
alter table "tasks" alter column "thread_id" drop not null;
alter table "tasks" add column "awaited_message_id" text collate "C";
create index "tasks_awaited_message_id" on "tasks" ("awaited_message_id") where "awaited_message_id" is not null`,
    },
    {
      name: "0052-pairings",
      sql: `
create table "pairings" (
  "id" text collate "C" not null, "account_id" text collate "C", "inbox_id" text collate "C", "inbox_created" boolean not null,
  "permissions" json not null, "send_mode" text collate "C", "budget" json, "key_id" text collate "C",
  "client_name" text collate "C", "network" text collate "C", "created_at" text collate "C" not null,
  "expires_at" text collate "C" not null, "paired_at" text collate "C", "email" text collate "C" not null,
  "code_mac" text collate "C", "undone_at" text collate "C", "kept_until" text collate "C" not null, primary key ("id")
);
create unique index "pairings_code_mac" on "pairings" ("code_mac") where "code_mac" is not null;
create index "pairings_email_id" on "pairings" ("email", "id");
create index "pairings_account_id_id" on "pairings" ("account_id", "id") where "account_id" is not null;
create index "pairings_kept_until" on "pairings" ("kept_until")`,
    },
    {
      name: "0053-uploads",
      sql: `
create table "uploads" (
  "id" text collate "C" not null, "inbox_id" text collate "C" not null, "status" text collate "C" not null,
  "filename" text collate "C" not null, "content_type" text collate "C" not null, "size_bytes" bigint,
  "sha256" text collate "C", "created_at" text collate "C" not null, "expires_at" text collate "C" not null,
  "account_id" text collate "C" not null, "root_account_id" text collate "C" not null,
  "word_hash" text collate "C" not null, "put_until" text collate "C" not null, primary key ("id")
);
create unique index "uploads_word_hash" on "uploads" ("word_hash");
create index "uploads_inbox_id_id" on "uploads" ("inbox_id", "id");
create index "uploads_root_account_id_status_id" on "uploads" ("root_account_id", "status", "id");
create table "attachment_places" (
  "attachment_id" text collate "C" not null, "message_id" text collate "C" not null,
  primary key ("attachment_id", "message_id")
);
insert into "attachment_places" ("attachment_id", "message_id")
  select a ->> 'id', "id" from "messages", json_array_elements("attachments") a where a ->> 'id' is not null on conflict do nothing;
insert into "attachment_places" ("attachment_id", "message_id")
  select a ->> 'id', "id" from "drafts", json_array_elements("attachments") a where a ->> 'id' is not null on conflict do nothing;
insert into "attachment_places" ("attachment_id", "message_id")
  select a ->> 'id', "id" from "trash", json_array_elements(coalesce("record" -> 'attachments', '[]')) a
  where a ->> 'id' is not null on conflict do nothing;
create unlogged table "blob_parts" (
  "blob" text collate "C" not null, "number" integer not null, "since" bigint not null, "bytes" bytea not null,
  primary key ("blob", "number")
);
alter table "blob_parts" alter column "bytes" set storage external;
create index "blob_parts_since" on "blob_parts" ("since")`,
    },
    {
      name: "0054-refusals",
      sql: `
create table "refusals" (
  "id" text collate "C" not null, "first_at" text collate "C" not null, "last_at" text collate "C" not null,
  "operation" text collate "C" not null, "status" bigint not null, "error" json not null, "key_id" text collate "C",
  "client_id" text collate "C", "inbox_id" text collate "C", "source" text collate "C" not null, "count" bigint not null,
  "request_id" text collate "C" not null, "account_id" text collate "C" not null, "caller_id" text collate "C" not null,
  "minute" text collate "C" not null, primary key ("id")
);
create unique index "refusals_minute" on "refusals" ("minute");
create index "refusals_account_id_id" on "refusals" ("account_id", "id");
create index "refusals_caller_id_id" on "refusals" ("caller_id", "id");
create index "refusals_first_at" on "refusals" ("first_at")`,
    },
    {
      name: "0055-relay-ids",
      sql: `
create table "relay_ids" (
  "account_id" text collate "C" not null, "provider_id" text collate "C" not null, "message_id" text collate "C" not null, "at" text collate "C" not null,
  primary key ("provider_id", "message_id")
);
create index "relay_ids_account_id_provider_id" on "relay_ids" ("account_id", "provider_id");
create index "relay_ids_at" on "relay_ids" ("at")`,
    },
    {
      name: "0056-inbox-rules",
      sql: `
create table "inbox_rules" (
  "id" text collate "C" not null, "inbox_id" text collate "C" not null, "name" text collate "C" not null, "enabled" boolean not null, "position" bigint not null,
  "stop_processing" boolean not null, "match_count" bigint not null, "last_matched_at" text collate "C", "last_error" text collate "C",
  "made_by" text collate "C" not null, "client_id" text collate "C", "created_at" text collate "C" not null, "updated_at" text collate "C" not null,
  "account_id" text collate "C" not null, "key_id" text collate "C", "grant_id" text collate "C", "conditions" json not null, "actions" json not null,
  primary key ("id")
);
create unique index "inbox_rules_inbox_id_client_id" on "inbox_rules" ("inbox_id", "client_id") where "client_id" is not null;
create index "inbox_rules_inbox_id_position" on "inbox_rules" ("inbox_id", "position");
alter table "inboxes" add column "has_rules" boolean not null default false`,
    },
    {
      name: "0057-thread-assignments",
      sql: `
alter table "threads" add column "assignee" text collate "C";
alter table "threads" add column "assignment_note" text collate "C";
alter table "threads" add column "claimed_until" text collate "C";
alter table "threads" add column "claim_token" text collate "C"`,
    },
    {
      name: "0058-passkeys",
      sql: `
create table "passkeys" (
  "id" text collate "C" not null, "name" text collate "C" not null, "synced" boolean not null, "created_at" text collate "C" not null, "counts_from" text collate "C" not null,
  "last_used_at" text collate "C", "email" text collate "C" not null, "credential_id" text collate "C" not null, "public_key" text collate "C" not null, "counter" bigint not null,
  "jwk" json not null, primary key ("id")
);
create unique index "passkeys_credential_id" on "passkeys" ("credential_id");
create index "passkeys_email_id" on "passkeys" ("email", "id");
create table "passkey_challenges" (
  "hash" text collate "C" not null, "purpose" text collate "C" not null, "session_id" text collate "C", "approval_id" text collate "C", "statement" text collate "C", "salt" text collate "C",
  "expires_at" text collate "C" not null, primary key ("hash")
);
create index "passkey_challenges_expires_at" on "passkey_challenges" ("expires_at");
alter table "inboxes" add column "approve_with" text collate "C" not null default 'session';
create index "inboxes_approve_with_account_id_id" on "inboxes" ("approve_with", "account_id", "id");
alter table "authorities" add column "passkeys_off_at" text collate "C"`,
    },
    {
      name: "0059-reply-guard",
      sql: `alter table "inboxes" add column "reply_guard" boolean not null default false`,
    },
    {
      name: "0060-remembered-values",
      sql: `
create table "remembered_values" (
  "inbox_id" text collate "C" not null, "fingerprint" text collate "C" not null, "account_id" text collate "C" not null, "approved_at" text collate "C" not null,
  primary key ("inbox_id", "fingerprint")
)`,
    },
    {
      name: "0061-file-links",
      sql: `
create table "file_links" (
  "hash" text collate "C" not null, "account_id" text collate "C" not null, "inbox_id" text collate "C" not null, "message_id" text collate "C" not null,
  "attachment_id" text collate "C", "made_by" text collate "C" not null, "maker_id" text collate "C", "expires_at" text collate "C" not null,
  primary key ("hash")
);
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
alter table "refusals" add column "code" text collate "C" not null default '';
update "refusals" set "code" = "error" ->> 'code'`,
    },
    {
      name: "0064-forwardings",
      sql: `
create table "forwardings" (
  "id" text collate "C" not null, "inbox_id" text collate "C" not null, "email" text collate "C" not null, "everything" boolean not null, "status" text collate "C" not null,
  "failed_reason" text collate "C", "approval_id" text collate "C", "hard_bounces" bigint not null, "created_at" text collate "C" not null, "expires_at" text collate "C" not null,
  "verified_at" text collate "C", "failed_at" text collate "C", "account_id" text collate "C" not null, "given_email" text collate "C", "asked_by_person" text collate "C",
  "decided_by" text collate "C", "confirmed_at" text collate "C", "code_hash" text collate "C", "code_tries" bigint not null, "link_hash" text collate "C", "asked_by" json,
  primary key ("id")
);
create unique index "forwardings_inbox_id_email" on "forwardings" ("inbox_id", "email");
create unique index "forwardings_link_hash" on "forwardings" ("link_hash") where "link_hash" is not null;
create index "forwardings_inbox_id_id" on "forwardings" ("inbox_id", "id");
create index "forwardings_account_id_status_id" on "forwardings" ("account_id", "status", "id");
create index "forwardings_approval_id" on "forwardings" ("approval_id") where "approval_id" is not null;
create index "forwardings_failed_at" on "forwardings" ("failed_at") where "failed_at" is not null;
alter table "inboxes" add column "forwards_all" boolean not null default false`,
    },
    {
      name: "0065-contacts",
      sql: `
create table "contacts" (
  "inbox_id" text collate "C" not null, "place" text collate "C" not null, "account_id" text collate "C" not null, "address" text collate "C" not null, "names" json not null,
  "first_seen_at" text collate "C" not null, "last_in_at" text collate "C", "last_out_at" text collate "C", "in_count" bigint not null, "out_count" bigint not null,
  "auth_pass" bigint not null, "auth_fail" bigint not null, "last_message_id" text collate "C" not null,
  primary key ("inbox_id", "place")
);
create index "contacts_account_id_place" on "contacts" ("account_id", "place");
create table "contact_cursors" (
  "inbox_id" text collate "C" not null, "account_id" text collate "C" not null, "counted_to" text collate "C" not null, primary key ("inbox_id")
);
create table "contact_metadata" (
  "id" text collate "C" not null, "account_id" text collate "C" not null, "inbox_id" text collate "C", "only_inbox_id" text collate "C" not null, "address" text collate "C" not null,
  "metadata" json not null, "updated_at" text collate "C" not null, primary key ("id")
);
create unique index "contact_metadata_account_id_address_only_inbox_id" on "contact_metadata" ("account_id", "address", "only_inbox_id");
create index "contact_metadata_account_id_id" on "contact_metadata" ("account_id", "id");
create index "contact_metadata_inbox_id_id" on "contact_metadata" ("inbox_id", "id") where "inbox_id" is not null`,
    },
    {
      name: "0066-domain-reports",
      sql: `
create table "domain_reports" (
  "kind" text collate "C" not null, "period" json not null, "sources" json not null, "sources_left_out" bigint not null,
  "tls" json, "id" text collate "C" not null, "domain_id" text collate "C" not null, "reporter" text collate "C" not null,
  "created_at" text collate "C" not null, "account_id" text collate "C" not null, "report_hash" text collate "C" not null,
  primary key ("id")
);
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
alter table "messages" add column "attention" text collate "C";
update "messages" set "attention" = 'held' where "id" in (
  select "message_id" from "message_terms" where "inbox_id" in (
    select "id" from "inboxes" union all select "id" from "trashed_inboxes") and "term" = 'label:held');
create index "messages_account_id_attention_id" on "messages" ("account_id", "attention", "id") where "attention" is not null;
create index "messages_inbox_id_attention_id" on "messages" ("inbox_id", "attention", "id") where "attention" is not null;
alter table "updates" add column "waiting_id" text collate "C";
update "updates" set "waiting_id" = "id" where "question" is not null and "answered_at" is null and (
  "question" ->> 'expires_at' is null or "id" in (select "subject_id" from "jobs" where "kind" = 'question.expire'));
create index "updates_account_id_waiting_id" on "updates" ("account_id", "waiting_id") where "waiting_id" is not null;
create index "updates_inbox_id_waiting_id" on "updates" ("inbox_id", "waiting_id") where "waiting_id" is not null;
alter table "tasks" add column "done_at" text collate "C";
update "tasks" set "done_at" = "updated_at" where "status" = 'done';
create index "tasks_inbox_id_done_at" on "tasks" ("inbox_id", "done_at") where "done_at" is not null;
create index "domains_account_id_status_id" on "domains" ("account_id", "status", "id")`,
    },
    {
      name: "0070-message-views",
      sql: `alter table "file_links" add column "view" json`,
    },
    {
      name: "0071-mentions-noted-together",
      sql: `
alter table "outside_mentions" add column "noted_at" text collate "C";
alter table "outside_mentions" add column "noted" json;
drop index "outside_mentions_at";
with "first" as (
  select "account_id", "message_id", min("hash") as "hash", min("at") as "at", json_agg("hash") as "noted"
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
      // Text sorts by its bytes, independently of the database's locale.
      types: { text: 'text collate "C"', integer: "bigint", boolean: "boolean", json: "json" },
      options: (table) => (OFTEN_UPDATED.has(table) ? "with (fillfactor = 80)" : ""),
    }),
    OWN_TABLES,
  ],
};

/** A schema name, quoted. */
export function quoteName(schema: string): string {
  return `"${schema}"`;
}

/** Throws when PostgreSQL would change the name, or when it isn't a plain one. */
export function checkSchemaName(schema: string): void {
  if (!SCHEMA_NAME.test(schema))
    throw new Error(`schema "${schema}" is not a lower-case name of letters, digits and underscores`);
}

/**
 * Brings the tables of a schema up to date in one transaction; creates the schema if needed. Of several
 * processes that start at the same time one migrates and the others wait. Throws when a newer version has
 * migrated it.
 */
export async function migrate(
  database: Database,
  schema: string,
  target: Schema = POSTGRES_SCHEMA,
): Promise<void> {
  await database.lend(async (connection) => {
    if ((await readVersion(connection, schema)) === latestVersion(target)) return;
    await connection.run(plain("begin"));
    try {
      // A migration may take longer than other statements and locks.
      await connection.run(plain("set local statement_timeout = 0"));
      await connection.run(plain("set local lock_timeout = 0"));
      await connection.run({ sql: "select pg_advisory_xact_lock($1)::text", parameters: [MIGRATION_LOCK] });
      await connection.run(plain(`set local lock_timeout = '${TABLE_LOCK_TIMEOUT}'`));
      await runMigrations(connection, schema, target);
      await connection.run(plain("commit"));
    } catch (error) {
      // Report why the migration failed, not why a rollback on a broken connection did.
      await connection.run(plain("rollback")).catch(() => undefined);
      throw error;
    }
  });
}

async function runMigrations(connection: Connection, schema: string, target: Schema): Promise<void> {
  const version = await readVersion(connection, schema);
  const { statements, data, versions } = pendingMigrations(target, version);
  const { rows } = await connection.run({
    sql: "select 1 from pg_namespace where nspname = $1",
    parameters: [schema],
  });
  if (rows.length === 0) await connection.run(plain(`create schema ${quoteName(schema)}`));
  await connection.run(plain(`set local search_path to ${quoteName(schema)}, pg_catalog`));
  if (version === 0) {
    await connection.run(
      plain(
        `create table if not exists "migrations" ("version" integer primary key, "name" text not null, "at" timestamptz not null default now())`,
      ),
    );
  }
  if (statements.length > 0) await connection.run(plain(statements.join(";\n")));
  for (const steps of data) await changeData(connection, steps());
  for (const { version: number, name } of versions) {
    await connection.run({
      sql: `insert into "migrations" ("version", "name") values ($1, $2)`,
      parameters: [number, name],
    });
  }
}

async function changeData(connection: Connection, steps: DataSteps): Promise<void> {
  let step = steps.next();
  while (!step.done) step = steps.next((await connection.run(step.value)).rows);
}

/** The version of a schema; 0 when there is none yet. */
async function readVersion(connection: Connection, schema: string): Promise<number> {
  // Not `to_regclass`: it asks the session's cache, which after a wait for the lock may still say that there is none.
  const { rows: found } = await connection.run({
    sql: `select 1 from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = $1 and relname = 'migrations'`,
    parameters: [schema],
  });
  if (found.length === 0) return 0;
  const { rows } = await connection.run(
    plain(`select coalesce(max("version"), 0) as "version" from ${quoteName(schema)}."migrations"`),
  );
  return Number(rows[0]?.["version"]);
}

function plain(sql: string): Statement {
  return { sql, parameters: [] };
}
