import { createHash, randomBytes } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import { rootAccount } from "../../kernel/access/root-account.ts";
import type { Services } from "../../kernel/context.ts";
import { canonicalJson } from "../../kernel/idempotency.ts";
import type { Work } from "../../kernel/work.ts";
import { iso } from "../../model/fields.ts";
import { type Claims, claimsOf, hashOfReceipt, signReceipt } from "./jws.ts";
import { type SigningKey, signingKey } from "./keys.ts";
import { type ReceiptFacts, receiptClaims, seconds, sentClaims, statementOf } from "./rules.ts";

type Own = Pick<Services, "seal" | "options">;

/** A new salt for the hashes of one receipt. */
export const newSalt = (): string => randomBytes(16).toString("hex");

/** When a receipt is signed: never before its key was made, as a rotation may come after the operation began. */
const signedAt = ({ created_at }: SigningKey, now: Date): number =>
  Math.max(seconds(now), seconds(new Date(created_at)));

/**
 * Adds a receipt to the chain of a root account, in the caller's transaction: of two at once, the second waits for the
 * first and follows it. Answers its JWS.
 */
async function link(work: Work, account_id: string, make: (prev: string | null) => string): Promise<string> {
  for (;;) {
    const root = await rootAccount(work, account_id);
    if (root === undefined) throw new Error(`no account ${account_id}`);
    const { id, receipt_head } = root;
    const jws = make(receipt_head);
    const [linked] = await work.update(
      "accounts",
      { id, receipt_head },
      { receipt_head: hashOfReceipt(jws) },
    );
    if (linked !== undefined) return jws;
  }
}

/**
 * Signs the receipt of a decision, in the transaction of the decision, and answers its JWS. Fails with
 * `approval_changed` when a passkey signed another decision.
 */
export async function issueReceipt(
  own: Own,
  work: Work,
  {
    evidence,
    signed,
    ...facts
  }: Omit<ReceiptFacts, "iss" | "salt"> & {
    evidence: readonly Claims[];
    /** What the person's passkey signed: exactly this must be what is decided. */
    signed?: { statement: string; salt: string } | undefined;
  },
  now: Date,
): Promise<string> {
  const salt = signed?.salt ?? newSalt();
  const statement = statementOf({ ...facts, iss: own.options.baseUrl, salt });
  if (signed !== undefined && canonicalJson(statement) !== signed.statement)
    throw fail("approval_changed", {
      param: "passkey",
      message: "The passkey signed another decision than this one.",
      fix: "Read the approval again, and sign what POST /api/v1/approvals/:id/decide/options answers then.",
    });
  const key = await signingKey(own, work, now);
  const { id: approval_id, account_id, inbox_id } = facts.approval;
  const jws = await link(work, account_id, (prev) =>
    signReceipt(key, receiptClaims(statement, { iat: signedAt(key, now), prev, evidence })),
  );
  work.append("receipts", [
    { approval_id, account_id, inbox_id, salt, jws, sent_jws: null, created_at: iso(now) },
  ]);
  return jws;
}

/** Signs the receipt of an approved mail that left, once, in the transaction that records it. */
export async function issueSentReceipt(
  own: Own,
  work: Work,
  { approval_id, message_id, raw }: { approval_id: string; message_id: string; raw: Uint8Array },
  now: Date,
): Promise<void> {
  const receipt = await work.get("receipts", approval_id);
  if (receipt === undefined || receipt.sent_jws !== null) return;
  const key = await signingKey(own, work, now);
  const mime_sha256 = createHash("sha256").update(raw).digest("hex");
  const sent = { parent: hashOfReceipt(receipt.jws), message_id, mime_sha256, iat: signedAt(key, now) };
  const sent_jws = await link(work, receipt.account_id, (prev) =>
    signReceipt(key, sentClaims(claimsOf(receipt.jws), { ...sent, prev: prev ?? sent.parent })),
  );
  await work.update("receipts", { approval_id }, { sent_jws });
}
