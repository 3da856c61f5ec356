import type { Services } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { ApprovalRecord, Verdict } from "../../model/approvals.ts";
import { type Claims, issueReceipt } from "../receipts/index.ts";
import type { SignedDecision } from "./statement.ts";

/** Signs the receipt of a decision in its transaction, and answers its JWS. */
export async function decisionReceipt(
  services: Pick<Services, "seal" | "options">,
  work: Work,
  {
    approval,
    decided_by,
    verdict,
    evidence = [],
    signed,
  }: {
    approval: ApprovalRecord;
    decided_by: NonNullable<ApprovalRecord["decided_by"]>;
    verdict: Verdict;
    evidence?: readonly Claims[] | undefined;
    signed?: SignedDecision | undefined;
  },
  now: Date,
): Promise<string> {
  const [inbox, mail] = await Promise.all([
    work.get("inboxes", approval.inbox_id),
    approval.subject_type === "draft" ? work.get("drafts", approval.subject_id) : undefined,
  ]);
  const from = inbox?.email ?? "";
  const all = signed === undefined ? evidence : [...evidence, signed.evidence];
  const proofs = all.length === 0 ? [{ type: "none" }] : all;
  const facts = { approval, decision: verdict, decided_by, from, mail, evidence: proofs, signed };
  return issueReceipt(services, work, facts, now);
}
