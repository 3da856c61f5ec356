import { fail } from "../../catalogue/errors.ts";
import { holdsAny, type Permission, READ_PERMISSIONS } from "../../catalogue/permissions.ts";
import type { Replayed } from "../../model/replayed.ts";
import { type AccountCaller, reachesInbox } from "./caller.ts";

type Shown = Record<string, unknown>;

/**
 * A repeated answer as its caller may read it, by the rules of a GET: a record without the permission for it is
 * `Replayed`. Looks at the answer and at the records that it holds. Fails with
 * `idempotency_key_conflict` for a record beyond the caller's inboxes.
 */
export function readableBy(caller: AccountCaller, answer: unknown): unknown {
  if (isRecord(answer)) return recordFor(caller, answer);
  if (Array.isArray(answer)) return answer.map((each) => readableBy(caller, each));
  if (typeof answer !== "object" || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([field, value]) => [
      field,
      isRecord(value) || Array.isArray(value) ? readableBy(caller, value) : value,
    ]),
  );
}

function recordFor(caller: AccountCaller, record: Shown & { id: string; object: string }): Shown | Replayed {
  const { id, object } = record;
  if (!inboxesOf(record).every((inbox_id) => reachesInbox(caller, inbox_id)))
    throw fail("idempotency_key_conflict", { param: "Idempotency-Key" });
  const isReadable = holdsAny(caller.permissions, readPermissions(object));
  return isReadable ? record : { object: "replayed", id, kind: object, idempotent: true };
}

/** The permissions of which one is needed to read a kind of record. */
function readPermissions(object: string): readonly Permission[] {
  return Object.hasOwn(READ_PERMISSIONS, object)
    ? READ_PERMISSIONS[object as keyof typeof READ_PERMISSIONS]
    : [];
}

/** Whether some callers of an operation, who hold one of the permissions `allow`, may not read this kind of record. */
export const mayBeUnreadable = (object: string, allow: readonly Permission[] | "any"): boolean =>
  allow === "any" || allow.some((permission) => !readPermissions(object).includes(permission));

/** The inboxes that a record belongs to; null: the account itself. */
function inboxesOf({ inbox_id, inbox_ids }: Shown): (string | null)[] {
  if (Array.isArray(inbox_ids)) return inbox_ids.length === 0 ? [null] : (inbox_ids as string[]);
  if (inbox_id === undefined) return [];
  return [typeof inbox_id === "string" ? inbox_id : null];
}

function isRecord(value: unknown): value is Shown & { id: string; object: string } {
  if (typeof value !== "object" || value === null) return false;
  const { id, object } = value as Shown;
  return typeof id === "string" && typeof object === "string";
}
