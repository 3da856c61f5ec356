import { publicKeyHash } from "@letterslot/core/internal";
import type { DataSteps } from "./schema.ts";

/** Records the keys of the stored domains: their signatures prove nobody outside. `parameter` stands for a value. */
export function* keysInUse(parameter: string): DataSteps {
  const columns = ["dkim_public_key", "next_dkim_public_key", "previous_dkim_public_key"];
  const list = columns.map((column) => `"${column}"`).join(", ");
  const rows = yield { sql: `select ${list} from "domains"`, parameters: [] };
  const keys = rows.flatMap((row) => columns.map((column) => row[column]));
  for (const hash of new Set(keys.flatMap((key) => (typeof key === "string" ? [publicKeyHash(key)] : []))))
    yield { sql: `insert into "known_keys" ("hash") values (${parameter})`, parameters: [hash] };
}

/** An owner inside the service claims no account; older versions took some for owners outside. */
export function* claimedFromOutside(): DataSteps {
  yield { sql: 'update "accounts" set "claimed" = ("first_owner_email" is not null)', parameters: [] };
}
