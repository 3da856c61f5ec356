import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { AuthorityId } from "../../catalogue/id-inputs.ts";
import { OWNERS, SIGNED_IN, signedIn } from "../../kernel/access/caller.ts";
import { operation } from "../../kernel/operation.ts";
import { Email } from "../../model/fields.ts";
import { UserAgent } from "../../model/people.ts";
import { RecoveredKey, Recovery, RecoveryReview } from "../../model/recovery.ts";
import { isRecent } from "../../owners/sessions/index.ts";
import { recoverKey } from "./recover-key.ts";
import { findRecovery, reviewRecovery } from "./review.ts";
import { startRecovery } from "./start.ts";

const Token = z
  .string({ error: "recovery_invalid" })
  .max(200, { error: "recovery_invalid" })
  .describe("The token of the letter's link.");

/** The operations by which a person gets a new key when all are lost; no key or app has any part in it. */
export const recovery = {
  start: operation({
    summary:
      "Mails a person with authority a link to recover a key. The answer is the same for every address.",
    when: "All keys are lost: the account's or the inbox's owner gets a link, and with it a new key.",
    example: { email: "olga@owner.example" },
    scope: "public",
    effect: "write",
    allow: "any",
    callers: OWNERS,
    input: z.object({
      email: Email.describe("The person's address."),
      user_agent: UserAgent.optional(),
    }),
    output: Recovery,
    async run(ctx, { email, user_agent }) {
      const { expires_at } = await startRecovery(ctx, { email, ip: ctx.caller.ip, user_agent }, ctx.now);
      return { expires_at };
    },
  }),

  review: operation({
    summary: "Shows what a key can be recovered for, and what can be revoked with it. It changes nothing.",
    when: "The link of a recovery's letter is opened.",
    errors: ["recovery_invalid"],
    scope: "public",
    effect: "read",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: Token }),
    output: RecoveryReview,
    run: async (ctx, { token }) => reviewRecovery(ctx, await findRecovery(ctx, token, ctx.now), ctx.now),
  }),

  confirm: operation({
    summary:
      "Creates a new key with a recovery's link, in a session that is at most 10 minutes old. The secret is shown only here.",
    when: "Get a new key, and revoke the others if they may be in wrong hands.",
    example: { revoke_others: true },
    errors: [
      "recovery_invalid",
      "recovery_choice_required",
      "authority_not_found",
      "recent_sign_in_required",
    ],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      token: Token,
      authority_id: AuthorityId.optional().describe(
        "Which authority to recover the key by; needed when the person has several.",
      ),
      revoke_others: z
        .boolean()
        .optional()
        .describe(
          "Also revoke all other keys and apps there, in an account also those of its workspaces, and end the person's other sessions; default false.",
        ),
    }),
    output: RecoveredKey,
    async run(ctx, { token, authority_id, revoke_others = false }) {
      const caller = signedIn(ctx.caller);
      const found = await findRecovery(ctx, token, ctx.now);
      if (caller.email !== found.email) throw fail("session_required");
      // If the embedding program vouches for the person, there is no session to be too old.
      if (caller.session_id !== null) {
        const session = await ctx.storage.get("sessions", caller.session_id);
        if (session === undefined || !isRecent(session, ctx.now)) throw fail("recent_sign_in_required");
      }
      const { key, ...shown } = await recoverKey(
        ctx,
        found,
        { authority_id, revoke_others },
        caller,
        ctx.now,
      );
      return { ...key, ...shown };
    },
  }),
};
