import { z } from "zod";
import { ApprovalId } from "../../catalogue/id-inputs.ts";
import { reaches } from "../../kernel/access/caller.ts";
import { notFound } from "../../kernel/gate.ts";
import { operation } from "../../kernel/operation.ts";
import { ApprovalReceipt } from "../../model/receipts.ts";
import { claimsOf } from "../receipts/index.ts";

/** The operation that shows what proves a decision. */
export const receipts = {
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
