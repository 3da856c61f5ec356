import { fail } from "../../catalogue/errors.ts";
import { signedIn } from "../../kernel/access/caller.ts";
import type { PublicContext } from "../../kernel/context.ts";
import { canonicalJson } from "../../kernel/idempotency.ts";
import type { ApprovalRecord, Verdict } from "../../model/approvals.ts";
import type { DecisionStatement, PasskeyAssertion } from "../../model/passkeys.ts";
import {
  countingPasskeys,
  newChallenge,
  requestOptions,
  verifierOf,
  verifyAssertion,
} from "../passkeys/index.ts";
import { type Claims, newSalt, statementOf } from "../receipts/index.ts";
import type { Edit } from "./edit.ts";

/** A decision that a passkey signed. */
export interface SignedDecision {
  /** What was signed, in its canonical form. */
  statement: string;
  /** What the hashes in it are salted with. */
  salt: string;
  /** For the receipt. */
  evidence: Claims;
}

/**
 * Makes the statement of a decision for the person's passkey to sign, bound to their session and the approval. Fails
 * with `passkey_required` when they have none that counts.
 */
export async function statementFor(
  ctx: PublicContext,
  approval: ApprovalRecord,
  { email, decision, edit }: { email: string; decision: Verdict; edit: Edit | undefined },
): Promise<DecisionStatement> {
  const { storage, now, options } = ctx;
  verifierOf(ctx);
  const { account_id, inbox_id, subject_id, subject_type } = approval;
  const passkeys = await countingPasskeys(ctx, storage, { email, account_id, inbox_id }, now);
  if (passkeys.length === 0) throw fail("passkey_required", { param: "passkey" });
  const [inbox, draft] = await Promise.all([
    storage.get("inboxes", inbox_id),
    subject_type === "draft" ? storage.get("drafts", subject_id) : undefined,
  ]);
  const salt = newSalt();
  const changed = edit === undefined ? {} : { digest: edit.digest, reasons: edit.reasons, edited: true };
  const statement = statementOf({
    ...{ iss: options.baseUrl, salt, decision, from: inbox?.email ?? "", mail: edit?.draft ?? draft },
    approval: { ...approval, ...changed },
    decided_by: { owner_id: null, email, method: "passkey" },
  });
  const { session_id } = signedIn(ctx.caller);
  const asked = { purpose: "decide" as const, session_id, approval_id: approval.id, salt };
  const { challenge, expires_at } = await newChallenge(
    ctx,
    { ...asked, statement: canonicalJson(statement) },
    now,
  );
  return {
    object: "decision_statement",
    statement,
    digest: edit?.digest ?? approval.digest,
    get: requestOptions(ctx, { challenge, passkeys }),
    expires_at,
  };
}

/**
 * Verifies that a passkey of this person, which counts over this approval, signed a statement of this session and
 * approval. Fails with `passkey_invalid` or `passkey_required`. Whether it is the decision at hand is seen when its
 * receipt is made.
 */
export async function signedDecision(
  ctx: PublicContext,
  {
    approval: { id: approval_id, account_id, inbox_id },
    email,
    passkey: assertion,
  }: { approval: ApprovalRecord; email: string; passkey: PasskeyAssertion },
): Promise<SignedDecision> {
  const { session_id } = signedIn(ctx.caller);
  const asked = { purpose: "decide" as const, session_id, approval_id, email };
  const { passkey, challenge } = await verifyAssertion(ctx, assertion, asked, ctx.now);
  const counting = await countingPasskeys(ctx, ctx.storage, { email, account_id, inbox_id }, ctx.now);
  if (!counting.some(({ id }) => id === passkey.id)) throw fail("passkey_required", { param: "passkey" });
  const { clientDataJSON, authenticatorData, signature } = assertion.response;
  return {
    statement: challenge.statement ?? "",
    salt: challenge.salt ?? "",
    evidence: {
      ...{ type: "passkey", credential_id: passkey.credential_id, public_key: passkey.jwk },
      ...{ client_data: clientDataJSON, authenticator_data: authenticatorData, signature },
    },
  };
}
