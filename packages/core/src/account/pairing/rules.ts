import { randomInt } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import {
  APP_DEFAULT_PERMISSIONS,
  APP_PERMISSIONS,
  holdsAny,
  type Permission,
} from "../../catalogue/permissions.ts";
import type { PairingRecord } from "../../model/pairings.ts";
import type { SessionRecord } from "../../model/people.ts";

/** Crockford's base 32: no letter that could be read as another or as a digit. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_CHARS = 8;
const READ_AS: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** Returns a new code, without its hyphen. */
export const newCode = (random: (below: number) => number = randomInt): string =>
  Array.from({ length: CODE_CHARS }, () => ALPHABET.charAt(random(ALPHABET.length))).join("");

/** A code as people read it. */
export const spelledOut = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Reads a code however it was typed. Fails with `pairing_invalid` for what can't be one. */
export function readCode(typed: string): string {
  const code = Array.from(typed.toUpperCase().replace(/[\s-]/g, ""), (each) => READ_AS[each] ?? each);
  if (code.length !== CODE_CHARS || code.some((each) => !ALPHABET.includes(each)))
    throw fail("pairing_invalid", { param: "code" });
  return code.join("");
}

/** Whether a sign-in is recent enough to let an agent in: within the last 24 hours. */
export const speaksNow = ({ created_at }: Pick<SessionRecord, "created_at">, now: Date): boolean =>
  new Date(created_at).getTime() + LIMITS.pairing_sign_in_ms > now.getTime();

/**
 * The permissions that a code gives: those that are asked for, else an app's defaults; never what no app holds, nor what the
 * person has not (`held`; null: all). Fails with `permission_escalation`.
 */
export function permissionsGiven(
  asked: readonly Permission[] | undefined,
  held: readonly Permission[] | null,
): Permission[] {
  const given = asked ?? APP_DEFAULT_PERMISSIONS;
  const refused = given.find((name) => !APP_PERMISSIONS.includes(name) || !holdsAny(held, [name]));
  if (refused !== undefined)
    throw fail("permission_escalation", {
      param: refused,
      message: "A code gives at most what you may do there, and nothing that no app may hold.",
      fix: `Leave out ${refused}.`,
    });
  return APP_PERMISSIONS.filter((name) => given.includes(name));
}

/** The status of a code. */
export function statusOf(
  { paired_at, undone_at, expires_at }: Pick<PairingRecord, "paired_at" | "undone_at" | "expires_at">,
  now: string,
): "open" | "expired" | "paired" | "undone" {
  if (undone_at !== null) return "undone";
  if (paired_at !== null) return "paired";
  return expires_at > now ? "open" : "expired";
}

/** An address with most of it left out, for those who needn't know it. */
export function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}***${email.slice(at)}`;
}
