import { type Route, routes } from "../../packages/client/src/routes.ts";
import { scanTable } from "../../packages/core/src/account/transfer/scan.ts";
import { operationNamed } from "../../packages/core/src/letterslot.ts";
import type { AnyRecord } from "../../packages/core/src/model/belonging.ts";
import { type TableName, tables } from "../../packages/core/src/model/tables.ts";
import type { OperationName } from "../../packages/core/src/operations.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";

/**
 * The path fields that name a record, with the 404 for one that the caller can't see. A new kind of record must
 * be added here.
 */
const NOT_FOUND_CODES: Record<string, string> = {
  message_id: "message_not_found",
  thread_id: "thread_not_found",
  draft_id: "draft_not_found",
  expectation_id: "expectation_not_found",
  rule_id: "rule_not_found",
  forwarding_id: "forwarding_not_found",
  canary_id: "canary_not_found",
  upload_id: "upload_not_found",
  owner_id: "owner_not_found",
  key_id: "key_not_found",
  client_id: "grant_not_found",
  task_id: "task_not_found",
  webhook_id: "webhook_not_found",
  consumer_id: "consumer_not_found",
  workspace_id: "workspace_not_found",
  domain_id: "domain_not_found",
  approval_id: "approval_not_found",
  session_id: "session_not_found",
  authority_id: "authority_not_found",
  passkey_id: "passkey_not_found",
  pairing_id: "pairing_not_found",
  update_id: "update_not_found",
  export_id: "export_not_found",
  entry: "list_entry_not_found",
  address: "suppression_not_found",
};

/** The first path field that names a record other than the inbox. */
export function recordIn(name: OperationName): string | undefined {
  const { path }: Route = routes[name];
  const fields = [...path.matchAll(/:([a-z_]+)/g)].map(([, field = ""]) => field);
  return fields.find((field) => !["inbox_id", "direction", "type"].includes(field));
}

/** The 404 of an operation about a record that the caller can't see. */
export const codeFor = (name: OperationName, field: string): string =>
  name === "allowlist.delete"
    ? "allowlist_entry_not_found"
    : name.startsWith("contacts.")
      ? "contact_not_found"
      : (NOT_FOUND_CODES[field] ?? `no code for ${field}`);

/** Whether an operation's input may name an inbox. */
export const takesInbox = (name: OperationName): boolean => "inbox_id" in operationNamed(name).input.shape;

/** Everything stored for an account, except when a key was last used. */
export async function recordsOf(storage: Storage, account_id: string): Promise<Record<string, AnyRecord[]>> {
  const found: Record<string, AnyRecord[]> = {};
  for (const table of Object.keys(tables) as TableName[]) {
    if (!("account_id" in tables[table].record.shape)) continue;
    found[table] = [];
    for await (const batch of scanTable(storage, table))
      found[table].push(
        ...batch
          .filter((record) => record["account_id"] === account_id)
          .map(({ last_used_at: _noted, ...rest }) => rest),
      );
  }
  return found;
}
