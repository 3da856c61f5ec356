import { newLetterWord } from "../../catalogue/letter-words.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import { partOf } from "../approvals/find.ts";
import { isOpen } from "../approvals/rules.ts";
import { approvalsWaitingLetter } from "../notifications/approvals-waiting.ts";
import { mailFromNoReply } from "./mail-from-no-reply.ts";

/** The open requests of an account that are examined for one letter. */
const MAX_EXAMINED = 500;

/** Mails a person one letter about all requests of an account that wait for them, oldest first. */
export async function sendGathered(services: Services, job: JobRecord): Promise<void> {
  const { storage, options } = services;
  const { email } = job.payload;
  const account_id = job.subject_id;
  const waiting = typeof email === "string" ? await waitingFor(services, account_id, email) : [];
  if (typeof email !== "string" || waiting.length === 0) return endJob(storage, job);
  const listed = waiting.slice(0, LIMITS.approvals_listed).map((approval) => ({
    approval,
    secret: newLetterWord(),
  }));
  const inboxes = await storage.find("inboxes", {
    where: { id: { in: [...new Set(listed.map(({ approval }) => approval.inbox_id))] } },
    limit: LIMITS.approvals_listed,
  });
  const addressOf = (inbox_id: string) => inboxes.find(({ id }) => id === inbox_id)?.email ?? inbox_id;
  await mailFromNoReply(services, job, {
    kind: "approvals_waiting",
    email,
    account_id,
    secrets: listed.map(({ approval, secret }) => ({
      ...{ secret, kind: "approve" as const, subject_id: approval.id },
      expires_at: new Date(approval.expires_at),
    })),
    letter: approvalsWaitingLetter({
      requests: listed.map(({ approval: { summary, inbox_id, expires_at }, secret }) => ({
        ...{ summary, expires_at, inbox_email: addressOf(inbox_id) },
        url: `${options.baseUrl}/api/v1/owners/approve?token=${secret}`,
      })),
      more: waiting.length - listed.length,
      host: new URL(options.baseUrl).host,
    }),
  });
}

async function waitingFor(services: Services, account_id: string, email: string): Promise<ApprovalRecord[]> {
  const pending = await services.storage.find("approvals", {
    where: { account_id, status: "pending" },
    order: { by: "id", direction: "asc" },
    limit: MAX_EXAMINED,
  });
  const now = iso(services.clock.now());
  const parts = new Map<string, Promise<boolean>>();
  const takesPart = (approval: ApprovalRecord): Promise<boolean> => {
    const key = `${approval.inbox_id} ${approval.subject_type} ${approval.requested_at}`;
    const known = parts.get(key) ?? partOf(services, approval, email).then((part) => part !== "none");
    parts.set(key, known);
    return known;
  };
  const theirs: ApprovalRecord[] = [];
  for (const approval of pending)
    if (isOpen(approval, now) && (await takesPart(approval))) theirs.push(approval);
  return theirs;
}
