import type { z } from "zod";
import type { InboxContext } from "../../kernel/context.ts";
import { hashSecret, newToken } from "../../kernel/secrets.ts";
import { type Work, wakeTasks } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { ThreadAssignment, ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { findThread } from "./find.ts";
import { isLeased, leaseFault } from "./rules.ts";

/** The assignee of a thread, and the time for which it is theirs alone. */
interface Assignment {
  assignee: string | null;
  note?: string | null;
  claimed_until?: string | null;
  /** The hash of the lease's token. */
  claim_token?: string | null;
  forced?: boolean;
}

/** Writes an assignment of a thread, and publishes it. Where this ends a lease, its tasks can be claimed again. */
async function writeAssignment(
  work: Work,
  thread: ThreadRecord,
  { assignee, note = null, claimed_until = null, claim_token = null, forced = false }: Assignment,
): Promise<ThreadRecord> {
  const { id: thread_id, inbox_id, assignee: previous } = thread;
  const change = { assignee, assignment_note: note, claimed_until, claim_token };
  const [assigned] = await work.update("threads", { id: thread_id }, change);
  const data = { thread_id, inbox_id, assignee, previous, claimed_until, forced };
  work.publish({ type: "thread.assigned", inbox_id, data });
  if (thread.claimed_until !== null && claimed_until === null) wakeTasks(work, thread);
  return assigned ?? { ...thread, ...change };
}

/** Assigns a thread without a lease, unless somebody has claimed it or it is theirs already. */
export async function assignByRule(
  work: Work,
  { id }: Pick<ThreadRecord, "id">,
  assignee: string,
  now: Date,
): Promise<void> {
  const thread = await work.get("threads", id);
  if (thread === undefined || thread.assignee === assignee || isLeased(thread, iso(now))) return;
  await writeAssignment(work, thread, { assignee });
}

/**
 * Checks in the transaction that sends that nobody else holds the thread. Fails with `thread_claimed` unless the caller has
 * the token of its lease. A person's decision, and what the service itself writes, isn't checked.
 */
export async function checkThreadLease(
  storage: Pick<StorageReader, "get">,
  thread_id: string | null,
  claim_token: string | undefined,
  now: Date,
): Promise<void> {
  const thread = thread_id === null ? undefined : await storage.get("threads", thread_id);
  const fault = thread && leaseFault(thread, hashOf(claim_token), iso(now));
  if (fault !== undefined) throw fault;
}

/**
 * Assigns a thread, in one transaction with the check that nobody else holds it. With the token of its lease, that lease is
 * renewed and keeps its token. Fails with `thread_claimed`.
 */
export function assignThread(
  ctx: InboxContext,
  thread_id: string,
  given: {
    assignee: string;
    note?: string | undefined;
    lease_seconds?: number | undefined;
    claim_token?: string | undefined;
    force: boolean;
  },
): Promise<z.input<typeof ThreadAssignment>> {
  const { now, inbox } = ctx;
  const { assignee, note = null, lease_seconds, claim_token, force } = given;
  return ctx.transaction(async (work) => {
    const thread = await findThread(work, inbox.id, thread_id);
    const fault = leaseFault(thread, hashOf(claim_token), iso(now));
    if (fault !== undefined && !force) throw fault;
    const renews = claim_token !== undefined && fault === undefined && isLeased(thread, iso(now));
    const token = lease_seconds === undefined ? null : renews ? claim_token : newToken();
    const claimed_until =
      lease_seconds === undefined ? null : iso(new Date(now.getTime() + lease_seconds * 1000));
    const assigned = await writeAssignment(work, thread, {
      ...{ assignee, note, claimed_until, claim_token: hashOf(token ?? undefined) },
      forced: fault !== undefined,
    });
    return shownAssignment(assigned, now, renews ? null : token);
  });
}

/** Ends an assignment and its lease. Fails with `thread_claimed` without the token while the lease runs. */
export function unassignThread(
  ctx: InboxContext,
  thread_id: string,
  claim_token: string | undefined,
): Promise<z.input<typeof ThreadAssignment>> {
  const { now, inbox } = ctx;
  return ctx.transaction(async (work) => {
    const thread = await findThread(work, inbox.id, thread_id);
    const fault = leaseFault(thread, hashOf(claim_token), iso(now));
    if (fault !== undefined) throw fault;
    const is_assigned = thread.assignee !== null || thread.claimed_until !== null;
    const ended = is_assigned ? await writeAssignment(work, thread, { assignee: null }) : thread;
    return shownAssignment(ended, now, null);
  });
}

/** Leases the thread of a task, if it has one, to the worker that claims it, by the same token; false while another holds it. */
export async function leaseForTask(
  work: Work,
  thread: ThreadRecord | undefined,
  { hash, until, now }: { hash: string; until: string; now: Date },
): Promise<boolean> {
  if (thread === undefined) return true;
  if (leaseFault(thread, hash, iso(now)) !== undefined) return false;
  await work.update("threads", { id: thread.id }, { claimed_until: until, claim_token: hash });
  return true;
}

/** Ends the lease that the claim of a task had on its thread. */
export async function endTaskLease(work: Work, thread_id: string | null, hash: string | null): Promise<void> {
  if (thread_id === null || hash === null) return;
  await work.update(
    "threads",
    { id: thread_id, claim_token: hash },
    { claimed_until: null, claim_token: null },
  );
}

const hashOf = (token: string | undefined): string | null => (token === undefined ? null : hashSecret(token));

const shownAssignment = (
  thread: ThreadRecord,
  now: Date,
  claim_token: string | null,
): z.input<typeof ThreadAssignment> => ({
  ...{ thread_id: thread.id, inbox_id: thread.inbox_id, assignee: thread.assignee },
  ...{ note: thread.assignment_note, claimed_until: thread.claimed_until, claim_token },
  claim_active: isLeased(thread, iso(now)),
});
