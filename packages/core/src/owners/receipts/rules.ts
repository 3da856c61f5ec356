import { createHash } from "node:crypto";
import type { ApprovalRecord } from "../../model/approvals.ts";
import type { DkimSignature } from "../../model/sender-facts.ts";
import type { Claims } from "./jws.ts";

/** The parts of a mail that stand in its receipt, hashed; undefined for what is no mail. */
export interface ReceiptMail {
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  subject: string;
}

/** The facts that a receipt is made of. */
export interface ReceiptFacts {
  iss: string;
  salt: string;
  /** As decided. */
  approval: Pick<
    ApprovalRecord,
    | ("id" | "account_id" | "inbox_id" | "subject_type" | "digest" | "reasons" | "edited")
    | ("asked_by" | "requested_at" | "expires_at")
  >;
  decision: "approve" | "reject";
  decided_by: NonNullable<ApprovalRecord["decided_by"]>;
  /** The address that it is sent from, or that the change is about. */
  from: string;
  mail: ReceiptMail | undefined;
}

/** The evidence for a reply: the signatures of its author's domain, with the keys as they were published. */
export const dkimEvidence = (signatures: readonly DkimSignature[]): Claims[] =>
  signatures.flatMap(({ domain: d, selector: s, proof }) =>
    proof === undefined ? [] : [{ type: "dkim", d, s, ...proof }],
  );

/** A word that only those can compare who have the receipt's salt. */
export const saltedHash = (salt: string, value: string): string =>
  createHash("sha256").update(`${salt}${value}`).digest("hex");

/** A time as JWTs write it: seconds since 1970. */
export const seconds = (time: string | Date): number => Math.floor(new Date(time).getTime() / 1000);

/**
 * What a decision is: the claims of its receipt but for when it was signed, the receipt before it and the evidence. A
 * passkey signs exactly these.
 */
export function statementOf({ iss, salt, approval, decision, decided_by, from, mail }: ReceiptFacts): Claims {
  const { id, account_id, inbox_id, subject_type, digest, reasons, edited, asked_by } = approval;
  const recipients = new Set([...(mail?.to ?? []), ...(mail?.cc ?? []), ...(mail?.bcc ?? [])]);
  return {
    iss,
    jti: id,
    sub: account_id,
    act: {
      ...{ type: subject_type, digest, inbox_id, from },
      to_hashes: [...recipients].map((address) => saltedHash(salt, address)).sort(),
      subject_hash: mail === undefined ? null : saltedHash(salt, mail.subject),
    },
    decision,
    edited,
    decided_by: { email_hash: saltedHash(salt, decided_by.email), method: decided_by.method },
    asked_by: askerOf(asked_by),
    reasons: [...new Set(reasons.map(({ code }) => code))].sort(),
    asked_at: seconds(approval.requested_at),
    expires_at: Math.ceil(new Date(approval.expires_at).getTime() / 1000),
  };
}

function askerOf(asked_by: ApprovalRecord["asked_by"]): Claims | null {
  if (asked_by === null) return null;
  return asked_by.key_id === null ? { client_id: asked_by.client_id } : { key_id: asked_by.key_id };
}

/** The claims of a receipt, from its statement. */
export const receiptClaims = (
  statement: Claims,
  { iat, prev, evidence }: { iat: number; prev: string | null; evidence: readonly Claims[] },
): Claims => ({ ...statement, iat, prev, evidence });

/** The claims of the second receipt: that the approved mail left. */
export const sentClaims = (
  { iss, jti, sub }: Claims,
  sent: { parent: string; prev: string; iat: number; message_id: string; mime_sha256: string },
): Claims => ({ iss, jti, sub, ...sent });
