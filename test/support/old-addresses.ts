/**
 * Rows of a database of the first version with addresses as it stored them, before they had one canonical
 * form. `yes` and `no` are the database's booleans.
 */
export function oldAddresses(yes: string, no: string): string {
  const owner = (id: string, email: string, verified_at: string | null) =>
    `insert into "owners" ("id", "inbox_id", "email", "status", "digest", "created_at", "verified_at", "account_id", "style_locked", "code_tries", "page_hash", "sealed_page_token")
     values ('${id}', 'inb_1', '${email}', '${verified_at === null ? "pending" : "verified"}', 'immediate', '2026-01-01', ${verified_at === null ? "null" : `'${verified_at}'`}, 'acct_1', ${no}, 0, '${id}', '')`;
  const suppression = (id: string, address: string) =>
    `insert into "suppressions" ("id", "address", "reason", "created_at", "account_id") values ('${id}', '${address}', 'manual', '2026-01-01', 'acct_1')`;
  const allowed = (id: string, address: string) =>
    `insert into "allowlist" ("id", "inbox_id", "address", "created_at", "account_id") values ('${id}', 'inb_1', '${address}', '2026-01-01', 'acct_1')`;
  const listed = (id: string, entry: string) =>
    `insert into "list_entries" ("id", "direction", "type", "entry", "entry_type", "created_at", "account_id", "list") values ('${id}', 'send', 'block', '${entry}', 'email', '2026-01-01', 'acct_1', 'acct_1:send:block')`;
  const term = (text: string) => `insert into "message_terms" values ('inb_1', '${text}', 'msg_1')`;
  return [
    `insert into "accounts" ("id", "created_at", "event_sequence", "claimed", "lifecycle_emails") values ('acct_1', '2026-01-01', 0, ${yes}, 'on')`,
    `insert into "inboxes" ("id", "username", "email", "created_at", "require_sender_auth", "status", "screening", "send_mode", "account_id", "domain", "labels", "metadata")
     values ('inb_1', 'agent', 'agent@mail.test', '2026-01-01', ${yes}, 'active', 'observe', 'direct', 'acct_1', 'mail.test', '[]', '{}')`,
    owner("own_1", "ada@xn--bcher-kva.example", null),
    owner("own_2", "ada@bücher.example", "2026-01-03"),
    owner("own_3", "eve@ｍail.test", "2026-01-02"),
    owner("own_4", "bo@example.com", "2026-01-04"),
    owner("own_5", "jose\u0301@example.com", null),
    owner("own_6", "josé@example.com", "2026-01-05"),
    owner("own_7", "ａda@example.com", null),
    `insert into "update_deliveries" ("id", "owner_id", "email", "mode", "status", "update_id", "account_id", "inbox_id", "created_at")
     values ('upd_1', 'own_1', 'ada@xn--bcher-kva.example', 'digest', 'queued', 'upd_1', 'acct_1', 'inb_1', '2026-01-01')`,
    suppression("ent_1", "bo@example.com"),
    suppression("ent_2", '"bo"@example.com'),
    suppression("ent_3", "jose\u0301@example.com"),
    allowed("ent_4", "jose\u0301@example.com"),
    allowed("ent_5", "xn--bcher-kva.example"),
    listed("ent_6", "jose\u0301@example.com"),
    listed("ent_7", "josé@example.com"),
    ...[
      "from:ada@bücher.example",
      'to:"bo"@example.com',
      "to:bo@example.com",
      "name:josé",
      'name:"bo"@example.com',
    ].map(term),
  ].join(";\n");
}

/** Those rows after the migration, as `addressRows` selects them. */
export const CANONICAL_ADDRESSES = [
  "accounts acct_1 ada@xn--bcher-kva.example",
  "allowlist ent_4 josé@example.com",
  "allowlist ent_5 xn--bcher-kva.example",
  "list_entries ent_7 josé@example.com",
  "owners own_2 ada@xn--bcher-kva.example",
  "owners own_3 eve@mail.test",
  "owners own_4 bo@example.com",
  "owners own_6 josé@example.com",
  "owners own_7 ａda@example.com",
  "suppressions ent_1 bo@example.com",
  "suppressions ent_3 josé@example.com",
  "terms msg_1 from:ada@xn--bcher-kva.example",
  'terms msg_1 name:"bo"@example.com',
  "terms msg_1 name:josé",
  "terms msg_1 to:bo@example.com",
  "update_deliveries upd_1 own_2",
];

/** Selects one `line` for each row that has an address. */
export const ADDRESS_ROWS = `
  select 'accounts ' || "id" || ' ' || "first_owner_email" as "line" from "accounts"
  union all select 'owners ' || "id" || ' ' || "email" from "owners"
  union all select 'update_deliveries ' || "id" || ' ' || "owner_id" from "update_deliveries"
  union all select 'suppressions ' || "id" || ' ' || "address" from "suppressions"
  union all select 'allowlist ' || "id" || ' ' || "address" from "allowlist"
  union all select 'list_entries ' || "id" || ' ' || "entry" from "list_entries"
  union all select 'terms ' || "message_id" || ' ' || "term" from "message_terms"`;
