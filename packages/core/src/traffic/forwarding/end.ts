import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import { Forwarding, type ForwardingFailure, type ForwardingRecord } from "../../model/forwardings.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { voidApprovals } from "../../owners/approvals/index.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { endOf } from "./rules.ts";

/** Why a forwarding ends now, by what is stored; undefined while it goes on. */
export async function endingOf(
  services: Pick<Services, "options">,
  storage: Pick<StorageReader, "get" | "find">,
  forwarding: ForwardingRecord,
  now: Date,
): Promise<ForwardingFailure | undefined> {
  const { account_id, inbox_id, approval_id, email } = forwarding;
  const [approval, authorities, is_outside] = await Promise.all([
    approval_id === null ? undefined : storage.get("approvals", approval_id),
    authoritiesOver(services, storage, { account_id, inbox_id }),
    isOutside(services, storage, email),
  ]);
  const in_charge = authorities.map((each) => each.email);
  return endOf(forwarding, { now: iso(now), asked: approval?.status ?? null, in_charge, is_outside });
}

/** Has a forwarding end unless it is verified in time; returns when that is over. */
export function endUnlessVerified(work: Pick<Work, "job">, id: string, now: Date): string {
  const due_at = new Date(now.getTime() + LIMITS.forwarding_pending_ms);
  work.job({ kind: "forwarding.check", subject_id: id, due_at });
  return iso(due_at);
}

/** Ends a forwarding for good, if something speaks for that. */
export async function checkForwarding(services: Services, job: JobRecord): Promise<void> {
  const { storage } = services;
  const forwarding = await storage.get("forwardings", job.subject_id);
  if (forwarding === undefined) return endJob(storage, job);
  const now = services.clock.now();
  const reason = await endingOf(services, storage, forwarding, now);
  if (reason === undefined) return endJob(storage, job);
  await unitOfWork(services, forwarding.account_id, now, async (work) => {
    await endJob(work, job);
    await endForwarding(services, work, forwarding, reason, now);
  });
}

/**
 * Ends a forwarding in the caller's transaction, once: nothing more is sent, rules that use it are disabled, and of one
 * that forwarded, those in charge are told.
 */
export async function endForwarding(
  services: Pick<Services, "options">,
  work: Work,
  { id, status: before, expires_at }: Pick<ForwardingRecord, "id" | "status" | "expires_at">,
  reason: ForwardingFailure,
  now: Date,
): Promise<void> {
  const [ended] = await work.update(
    "forwardings",
    // One that was asked for anew meanwhile goes on.
    { id, status: before, expires_at },
    { status: "failed", failed_reason: reason, failed_at: iso(now), code_hash: null, link_hash: null },
  );
  if (ended === undefined) return;
  const { inbox_id, account_id } = ended;
  await withdrawRequest(work, ended, now);
  work.publish({ type: "forwarding.failed", inbox_id, data: { forwarding: Forwarding.parse(ended) } });
  if (before !== "verified") return;
  await stopForwarding(work, inbox_id);
  const authorities = await authoritiesOver(services, work, { account_id, inbox_id });
  for (const to of new Set(authorities.map((each) => each.email)))
    work.job({ kind: "forwarding.letter", subject_id: id, payload: { to, reason } });
}

/** Takes back the request to decide about a forwarding that is no more. */
export async function withdrawRequest(
  work: Work,
  { inbox_id, approval_id }: Pick<ForwardingRecord, "inbox_id" | "approval_id">,
  now: Date,
): Promise<void> {
  if (approval_id !== null) await voidApprovals(work, inbox_id, now, ({ id }) => id !== approval_id);
}

/** Notes with an inbox that less of its mail is forwarded, and has its rules looked at. */
export async function stopForwarding(work: Work, inbox_id: string): Promise<void> {
  await noteForwards(work, inbox_id);
  work.job({ kind: "rule.check", subject_id: inbox_id });
}

/** Notes with an inbox whether all of its mail is forwarded somewhere. */
export async function noteForwards(work: Work, inbox_id: string): Promise<void> {
  const verified = await forwardingsOf(work, inbox_id, ["verified"]);
  const forwards_all = verified.some(({ everything }) => everything);
  await work.update("inboxes", { id: inbox_id }, { forwards_all });
}

/** The forwardings of an inbox that haven't ended, as far as they stand there. */
export const forwardingsOf = (
  storage: Pick<Work, "find">,
  inbox_id: string,
  statuses: ("pending" | "verified")[],
): Promise<ForwardingRecord[]> =>
  storage.find("forwardings", {
    where: { inbox_id, status: { in: statuses } },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.forwardings_per_inbox,
  });
