import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { IdInput } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { PublicContext, Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { Body, Recipients, Subject, withNames } from "../../mailbox/messages/index.ts";
import type { Approval, ApprovalRecord, Verdict } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { PasskeyAssertion } from "../../model/passkeys.ts";
import { digestOfText } from "./content.ts";
import { decide } from "./decide.ts";
import { type Edit, editOf, isVersionOf } from "./edit.ts";
import { approvalFor, READS_ALL } from "./reasons.ts";
import { valuesOf } from "./remember.ts";
import { checkOpen } from "./rules.ts";
import { signedDecision } from "./statement.ts";
import { canonicalContent } from "./versions.ts";

/** A digest as a person says it back. */
export const Digest = z.string().max(200);

/** A person's changes to a mail before they approve it. */
export const Changes = z
  .strictObject({
    subject: Subject.optional().describe("The new subject line."),
    text: Body.nullable()
      .optional()
      .describe("The new text part; without html the mail becomes plain text. Null removes it."),
    html: Body.nullable().optional().describe("The new HTML part, which is cleaned; null removes it."),
    to: Recipients.optional().describe("The new addresses in To."),
    cc: Recipients.optional().describe("The new addresses in Cc."),
    bcc: Recipients.optional().describe("The new addresses in Bcc."),
    remove_attachments: z
      .array(IdInput)
      .max(LIMITS.attachments, { error: "invalid_attachment" })
      .optional()
      .describe("The ids of attachments that are dropped."),
  })
  .describe(
    "What to change in the mail before it is approved, which is judged anew; what is left out stays. Of a text or call only `text`.",
  );

/** The errors of approving a mail with changes: also those with which sending it would fail. */
export const EDIT_ERRORS = [
  ...([
    "approval_changed",
    "attachment_not_found",
    "invalid_draft",
    "missing_body",
    "no_recipients",
  ] as const),
  ...(["message_too_large", "recipient_blocked", "recipient_suppressed", "inbox_paused"] as const),
  ...(["inbox_expired", "account_unclaimed", "sending_paused", "plan_limit_exceeded"] as const),
  ...(["own_secret", "canary_leaked", "outbound_blocked"] as const),
  ...(["recipient_outside_budget", "missing_text", "text_too_long", "missing_say", "say_too_long"] as const),
];

/** The errors of deciding with a passkey. */
export const PASSKEY_ERRORS = ["passkey_invalid", "passkey_required", "passkeys_unavailable"] as const;

const VERDICT_OF_STATUS: Partial<Record<ApprovalRecord["status"], Verdict>> = {
  approved: "approve",
  rejected: "reject",
};

/** A person's word on an approval, as they gave it. */
interface Said {
  method: "page" | "session";
  decision: Verdict;
  passkey?: PasskeyAssertion | undefined;
  comment?: string | undefined;
  digest?: string | undefined;
  changes?: z.output<typeof Changes> | undefined;
  remember_recipients: boolean;
  remember_values: boolean;
}

/**
 * Decides, and returns the updated approval. Repeating the same decision changes nothing. Fails with
 * `authority_required`, `approval_closed`, or as `checkDigest` and `editOf` do.
 */
export async function decideAs(
  ctx: PublicContext,
  { approval, email, decides }: { approval: ApprovalRecord; email: string; decides: boolean },
  { decision: verdict, digest, changes, remember_recipients, remember_values, passkey, ...said }: Said,
): Promise<Approval> {
  // Said again by whoever decided: another person's changes were not carried out.
  const by_them = changes !== undefined && approval.decided_by?.email === email;
  const repeated = by_them && digest !== undefined && isVersionOf(approval, digest);
  if (repeated && VERDICT_OF_STATUS[approval.status] === verdict) return approvalFor(approval, READS_ALL);
  const edit = await checkSaid(ctx, approval, { verdict, digest, changes, decides });
  const signed = passkey === undefined ? undefined : await signedDecision(ctx, { approval, email, passkey });
  const comment = said.comment?.trim() || null;
  const values = decides && remember_values ? await valuesOf(ctx, approval, edit) : [];
  const method = signed === undefined ? said.method : ("passkey" as const);
  const decision = {
    ...{ ...said, method, signed },
    comment,
    email,
    verdict,
    edit,
    ...{ remember_recipients, remember_values: values },
    approval_id: approval.id,
  };
  const outcome = await unitOfWork(ctx, approval.account_id, ctx.now, (work) =>
    decide(ctx, work, decision, ctx.now),
  );
  if (outcome === "needs_passkey") throw fail("passkey_required", { param: "passkey" });
  if (outcome === "not_theirs") throw fail("authority_required");
  if (outcome === "changed") throw fail("approval_closed", { message: CHANGED_MESSAGE });
  const present = (await ctx.storage.get("approvals", approval.id)) ?? approval;
  // Somebody else's changes came first: what was approved isn't what this person read.
  const by_another = present.digest !== (edit?.digest ?? approval.digest);
  if (VERDICT_OF_STATUS[present.status] !== verdict || by_another) throw fail("approval_closed");
  return approvalFor(present, READS_ALL);
}

/** Checks what was said of a mail against what it is, and makes the edit that comes with it. */
export async function checkSaid(
  ctx: PublicContext,
  approval: ApprovalRecord,
  said: { verdict: Verdict; decides: boolean } & Pick<Said, "digest" | "changes">,
): Promise<Edit | undefined> {
  const { verdict, decides, digest, changes } = said;
  if (changes === undefined) {
    if (digest !== undefined) await checkDigest(ctx, approval, digest);
    return undefined;
  }
  if (verdict === "reject") throw fail("invalid_request", { param: "changes", ...NO_CHANGES });
  if (digest === undefined) throw fail("invalid_request", { param: "digest", ...NO_DIGEST });
  // What is judged says something of the account's mail.
  if (!decides) throw fail("authority_required");
  checkOpen(approval, iso(ctx.now));
  return editOf(ctx, approval, { changes: withNames(changes), digest }, ctx.now);
}

const NO_DIGEST = {
  message: "Changes need the digest of what was read.",
  fix: "Read it again, and send its digest with the changes.",
};

const NO_CHANGES = {
  message: "What is rejected is not changed.",
  fix: "Leave the changes out, or approve with them.",
};

/**
 * Fails with `approval_changed` unless the digest is the approval's. One that was asked for before digests had a prefix
 * is also decided by the digest of its canonical form.
 */
async function checkDigest(
  ctx: Pick<Services, "options" | "storage">,
  approval: ApprovalRecord,
  digest: string,
): Promise<void> {
  if (approval.digest === digest) return;
  const computed =
    !approval.digest.startsWith("sha-256:") && digest.startsWith("sha-256:")
      ? digestOfText(await canonicalContent(ctx, ctx.storage, approval))
      : undefined;
  if (computed !== digest) throw fail("approval_changed", { param: "digest" });
}

const CHANGED_MESSAGE = "This has changed since you were asked, so the request was cancelled.";
