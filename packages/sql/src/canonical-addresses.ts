import { addressKey } from "@letterslot/core/internal";
import type { DataSteps } from "./schema.ts";

/** The SQL for the migration of addresses that differs between databases. */
export interface AddressDialect {
  /** The placeholder of the n-th parameter, counted from 1. */
  parameter(n: number): string;
  /** Whether a text column has a sign that isn't printable ASCII. */
  beyondAscii(column: string): string;
}

interface AddressColumn {
  table: string;
  column: string;
  /** The other columns of the unique index that the address is in. */
  within: readonly string[];
  key: readonly string[];
  /** The prefixes that may precede the address. */
  prefixes?: readonly string[];
}

const COLUMNS: readonly AddressColumn[] = [
  { table: "suppressions", column: "address", within: ["account_id"], key: ["id"] },
  { table: "allowlist", column: "address", within: ["inbox_id"], key: ["id"] },
  { table: "list_entries", column: "entry", within: ["list"], key: ["id"] },
  {
    table: "message_terms",
    column: "term",
    within: ["inbox_id", "message_id"],
    key: ["inbox_id", "term", "message_id"],
    prefixes: ["from:", "to:"],
  },
];

/**
 * Converts stored addresses to the canonical form since 0.2: international domains as A-labels, local parts in NFC,
 * without needless quotes. If two rows become the same, the older stays; of two owners the verified one.
 */
export function* canonicalAddresses(dialect: AddressDialect): DataSteps {
  yield* canonicalOwners(dialect);
  for (const column of COLUMNS) yield* canonicalColumn(dialect, column);
}

function* canonicalColumn(
  dialect: AddressDialect,
  { table, column, within, key, prefixes }: AddressColumn,
): DataSteps {
  const { beyondAscii, parameter } = dialect;
  const unusual = `(${beyondAscii(`"${column}"`)} or "${column}" like '%"%')`;
  const prefixed = (prefixes ?? []).map((prefix) => `"${column}" like '${prefix}%'`).join(" or ");
  const columns = [...new Set([...key, ...within, column])].map((name) => `"${name}"`).join(", ");
  const rows = yield {
    sql: `select ${columns} from "${table}" where ${prefixed === "" ? unusual : `(${prefixed}) and ${unusual}`}`,
    parameters: [],
  };
  const at = (names: readonly string[], from: number) =>
    names.map((name, index) => `"${name}" = ${parameter(from + index)}`).join(" and ");
  for (const row of rows) {
    const value = String(row[column]);
    const canonical = canonicalEntry(value, prefixes);
    if (canonical === value) continue;
    const here = key.map((name) => row[name]);
    const same = yield {
      sql: `select 1 as "one" from "${table}" where "${column}" = ${parameter(1)} and ${at(within, 2)}`,
      parameters: [canonical, ...within.map((name) => row[name])],
    };
    yield same.length > 0
      ? { sql: `delete from "${table}" where ${at(key, 1)}`, parameters: here }
      : {
          sql: `update "${table}" set "${column}" = ${parameter(1)} where ${at(key, 2)}`,
          parameters: [canonical, ...here],
        };
  }
}

/** The value with its address in the canonical form; domains on lists are in theirs already. */
function canonicalEntry(value: string, prefixes: readonly string[] = [""]): string {
  const prefix = prefixes.find((each) => value.startsWith(each)) ?? "";
  const address = value.slice(prefix.length);
  return address.includes("@") ? `${prefix}${addressKey(address)}` : value;
}

/** An owner's queued updates go on to the one who stays, and the first address of an account is found anew. */
function* canonicalOwners({ parameter, beyondAscii }: AddressDialect): DataSteps {
  const owners = yield {
    sql: `select "id", "inbox_id", "email", "status" from "owners" where ${beyondAscii('"email"')} order by "status" desc, "id"`,
    parameters: [],
  };
  for (const { id, inbox_id, email, status } of owners) {
    const canonical = addressKey(String(email));
    if (canonical === email) continue;
    const [other] = yield {
      sql: `select "id", "status" from "owners" where "inbox_id" = ${parameter(1)} and "email" = ${parameter(2)}`,
      parameters: [inbox_id, canonical],
    };
    const stays = other !== undefined && (other["status"] === "verified" || status !== "verified");
    if (other !== undefined) {
      const [gone, kept] = stays ? [id, other["id"]] : [other["id"], id];
      yield {
        sql: `update "update_deliveries" set "owner_id" = ${parameter(1)} where "owner_id" = ${parameter(2)}`,
        parameters: [kept, gone],
      };
      yield {
        sql: `delete from "update_threads" where "inbox_id" = ${parameter(1)} and "owner_id" = ${parameter(2)}`,
        parameters: [inbox_id, gone],
      };
      yield { sql: `delete from "owners" where "id" = ${parameter(1)}`, parameters: [gone] };
    }
    if (!stays)
      yield {
        sql: `update "owners" set "email" = ${parameter(1)} where "id" = ${parameter(2)}`,
        parameters: [canonical, id],
      };
  }
  yield {
    sql: `update "accounts" set "first_owner_email" = (
      select "email" from "owners" o
      where o."account_id" = "accounts"."id" and o."verified_at" is not null and not exists (
        select 1 from "inboxes" i
        where o."email" like '%@' || i."domain" or o."email" like '%.' || i."domain")
      order by o."verified_at", o."id" limit 1)
    where ${beyondAscii('"first_owner_email"')}`,
    parameters: [],
  };
}
