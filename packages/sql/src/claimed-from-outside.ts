import type { DataSteps } from "./schema.ts";

/** An owner inside the service claims no account; older versions took some for owners outside. */
export function* claimedFromOutside(): DataSteps {
  yield { sql: 'update "accounts" set "claimed" = ("first_owner_email" is not null)', parameters: [] };
}
