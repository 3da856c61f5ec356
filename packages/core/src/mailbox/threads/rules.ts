import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import type { ThreadRecord } from "../../model/threads.ts";

/** A change of labels. */
export interface LabelChange {
  add: string[];
  remove: string[];
}

const READ_STATE_LABELS: readonly string[] = ["read", "unread"];

/** Splits a label change into the thread's own labels and whether its messages become read or unread. */
export function splitLabelChange(
  add: readonly string[],
  remove: readonly string[],
): { own: LabelChange; ofMessages: "read" | "unread" | null } {
  const isOwn = (label: string) => !READ_STATE_LABELS.includes(label);
  const own = { add: add.filter(isOwn), remove: remove.filter(isOwn) };
  if (add.includes("read") || remove.includes("unread")) return { own, ofMessages: "read" };
  if (add.includes("unread") || remove.includes("read")) return { own, ofMessages: "unread" };
  return { own, ofMessages: null };
}

/** Moving to the trash is deleting. Fails with `permission_denied`. */
export function checkMayMove(permissions: readonly Permission[] | null, folder: unknown): void {
  if (folder === "trash" && !holdsAny(permissions, ["message_delete"]))
    throw fail("permission_denied", { param: "message_delete" });
}

/** Taking a thread from somebody takes a permission more. Fails with `permission_denied`. */
export function checkMayForce(permissions: readonly Permission[] | null, force: unknown): void {
  if (force === true && !holdsAny(permissions, ["thread_update"]))
    throw fail("permission_denied", { param: "thread_update" });
}

type Leased = Pick<ThreadRecord, "assignee" | "claimed_until" | "claim_token">;

/** Whether a thread is somebody's alone now. */
export const isLeased = ({ claimed_until }: Pick<Leased, "claimed_until">, now: string): boolean =>
  claimed_until !== null && claimed_until > now;

/** Why a caller with this token, by its hash, or without one, may not write in a thread; undefined where they may. */
export function leaseFault(thread: Leased, hash: string | null, now: string): LetterslotError | undefined {
  if (!isLeased(thread, now) || (hash !== null && hash === thread.claim_token)) return undefined;
  return fail("thread_claimed", {
    param: "claim_token",
    message: `The thread is claimed by ${holderOf(thread)} until ${thread.claimed_until}.`,
  });
}

const holderOf = ({ assignee }: Leased): string =>
  assignee === null ? "the worker of its task" : JSON.stringify(assignee);
