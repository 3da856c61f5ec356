import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { ApprovalId } from "../../catalogue/id-inputs.ts";
import { reaches, SIGNED_IN } from "../../kernel/access/caller.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { Verdict } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import { DecisionStatement } from "../../model/passkeys.ts";
import { ApprovalReceipt } from "../../model/receipts.ts";
import { claimsOf } from "../receipts/index.ts";
import { Changes, checkSaid, Digest, EDIT_ERRORS, PASSKEY_ERRORS } from "./decide-as.ts";
import { approvalOfPerson } from "./find.ts";
import { checkOpen } from "./rules.ts";
import { statementFor } from "./statement.ts";

/** The operations on what proves a decision. */
export const receipts = {
  decideOptions: operation({
    summary:
      "Starts to decide with a passkey: the statement that it signs, and what the browser needs. It is bound to the session and the approval, and good for five minutes, once.",
    when: "A page of your own on which a person decides with their passkey.",
    example: {
      decision: "approve",
      digest: "sha-256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    errors: [
      "authority_required",
      "approval_closed",
      "approval_not_found",
      ...PASSKEY_ERRORS,
      ...EDIT_ERRORS,
    ],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      approval_id: ApprovalId,
      decision: Verdict.describe("What the person decides."),
      digest: Digest.describe("The digest of what they have read, from the approval."),
      changes: Changes.optional(),
    }),
    output: DecisionStatement,
    async run(ctx, { approval_id, decision, digest, changes }) {
      const { approval, email, decides } = await approvalOfPerson(ctx, ctx.caller, approval_id);
      if (!decides) throw fail("authority_required");
      checkOpen(approval, iso(ctx.now));
      const edit = await checkSaid(ctx, approval, { verdict: decision, digest, changes, decides });
      return statementFor(ctx, approval, { email, decision, edit });
    },
  }),

  receipt: operation({
    summary: "Shows the signed receipt of a decision, and that of the approved mail once it has left.",
    when: "Prove to somebody what a person decided, without their having to believe this service.",
    errors: ["receipt_not_found", "approval_not_found"],
    scope: "filtered",
    effect: "read",
    allow: ["draft_read"],
    input: z.object({ approval_id: ApprovalId }),
    output: ApprovalReceipt,
    async run({ storage, caller }, { approval_id }) {
      const [receipt, approval] = await Promise.all([
        storage.get("receipts", approval_id),
        storage.get("approvals", approval_id),
      ]);
      const found = receipt ?? approval;
      if (found === undefined || !reaches(caller, found))
        throw notFound("approval_not_found", "apr", approval_id);
      if (receipt === undefined) throw notFound("receipt_not_found", "apr", approval_id);
      const { jws, sent_jws, salt } = receipt;
      return {
        jws,
        payload: claimsOf(jws),
        salt: caller.type === "owner" ? salt : null,
        sent: sent_jws === null ? null : { jws: sent_jws, payload: claimsOf(sent_jws) },
      };
    },
  }),
};
