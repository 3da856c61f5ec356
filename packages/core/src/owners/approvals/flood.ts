import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { type Cap, count } from "../../kernel/rate.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalRecord } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";

const MAX_REJECTED = 100;

/**
 * Holds an agent's questions to what people can answer. Fails with `approval_limit` while too many of the inbox are
 * open, and with `approval_rejected` for what a person rejected within 24 hours, whichever draft it is in.
 */
export async function checkMayAsk(
  work: Pick<Work, "count" | "find">,
  asked: ApprovalRecord,
  isSame: (approval: ApprovalRecord) => boolean,
  now: Date,
): Promise<void> {
  const { inbox_id, subject_id, subject_type, digest } = asked;
  const status = "rejected" as const;
  const max = LIMITS.open_approvals_per_inbox;
  const [open, of_subject, of_content] = await Promise.all([
    work.count("approvals", { inbox_id, status: "pending" }, max),
    work.find("approvals", { where: { subject_id, status }, limit: MAX_REJECTED }),
    work.find("approvals", { where: { inbox_id, digest, status }, limit: MAX_REJECTED }),
  ]);
  const ends = [...of_subject.filter(isSame), ...of_content]
    .filter(({ imported }) => !imported)
    .map(({ decided_at }) => Date.parse(decided_at ?? "") + LIMITS.approval_rejected_ms)
    .filter((end) => end > now.getTime());
  if (ends.length > 0) throw fail("approval_rejected", { resets_at: iso(new Date(Math.max(...ends))) });
  // Who asks for authority is a person, whom no agent's questions keep out.
  if (open >= max && subject_type !== "authority_grant") throw fail("approval_limit");
}

/**
 * Whether a person gets this request in a letter of its own. From the fourth in a quarter of an hour they don't: what
 * waits for them then comes in one letter, at the end of it, which this queues.
 */
export async function hasOwnLetter(
  work: Work,
  { account_id }: Pick<ApprovalRecord, "account_id">,
  email: string,
  now: Date,
): Promise<boolean> {
  const window_ms = LIMITS.approval_letters_ms;
  const cap = (name: string, max: number): Cap => ({
    name: `${name}:${account_id}:${email}`,
    max,
    window_ms,
  });
  const letters = await count(work, cap("approval-letters", LIMITS.approval_letters), now);
  if (letters.within) return true;
  const gathered = await count(work, cap("approval-gathered", 1), now);
  if (gathered.within) {
    const due_at = new Date(now.getTime() + gathered.retry_after_seconds * 1000);
    work.job({ kind: "approvals.gather", subject_id: account_id, payload: { email }, due_at });
  }
  return false;
}
