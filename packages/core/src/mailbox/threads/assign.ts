import { fail } from "../../catalogue/errors.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { isLeased, leaseFault } from "./rules.ts";

/** Who gets a thread, and for how long it is theirs alone. */
export interface Assignment {
  assignee: string | null;
  note?: string | null;
  claimed_until?: string | null;
  /** The hash of the lease's token. */
  claim_token?: string | null;
  forced?: boolean;
}

/** Writes an assignment of a thread, and publishes it. */
export async function writeAssignment(
  work: Work,
  thread: ThreadRecord,
  { assignee, note = null, claimed_until = null, claim_token = null, forced = false }: Assignment,
): Promise<ThreadRecord> {
  const { id: thread_id, inbox_id, assignee: previous } = thread;
  const change = { assignee, assignment_note: note, claimed_until, claim_token };
  const [assigned] = await work.update("threads", { id: thread_id }, change);
  const data = { thread_id, inbox_id, assignee, previous, claimed_until, forced };
  work.publish({ type: "thread.assigned", inbox_id, data });
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
  const hash = claim_token === undefined ? null : hashSecret(claim_token);
  const fault = thread && leaseFault(thread, hash, iso(now));
  if (fault !== undefined) throw fault;
}

/** Fails with `thread_claimed` while another holds a thread. */
export function checkFree(thread: ThreadRecord, hash: string | null, now: Date): void {
  const fault = leaseFault(thread, hash, iso(now));
  if (fault !== undefined) throw fault;
}

/** Fails with `claim_lost` unless a token is that of a thread's lease. */
export function checkHolds(thread: ThreadRecord, claim_token: string, now: Date): void {
  if (thread.claim_token !== hashSecret(claim_token) || !isLeased(thread, iso(now))) throw fail("claim_lost");
}
