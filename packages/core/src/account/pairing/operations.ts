import { z } from "zod";
import { InboxId, PairingId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { PERMISSION_NAMES, Permission } from "../../catalogue/permissions.ts";
import { SIGNED_IN, signedIn } from "../../kernel/access/caller.ts";
import { operation } from "../../kernel/operation.ts";
import { BudgetInput } from "../../model/budgets.ts";
import { Deleted, iso, listOf, wholeList } from "../../model/fields.ts";
import { DisplayName, Username } from "../../model/inboxes.ts";
import { SendMode } from "../../model/outbound.ts";
import { ClientName, NewPairing, Paired, Pairing } from "../../model/pairings.ts";
import { makeCode } from "./make.ts";
import { pair } from "./pair.ts";
import { statusOf } from "./rules.ts";
import { undoPairing } from "./undo.ts";
import { waysToUse } from "./ways-to-use.ts";

/** The operations by which a person lets an agent in: a code made in their session, used once by the agent. */
export const pairings = {
  create: operation({
    summary:
      "Makes a code with which an agent gets an inbox and a key, in a session that is at most 24 hours old. The code is shown only here, works once, and for 10 minutes.",
    when: "Let an agent in: give it the code, and you have charge of it from its first moment.",
    example: { send_mode: "guarded" },
    errors: [
      "pairing_limit",
      "recent_sign_in_required",
      "onboarding_closed",
      "permission_escalation",
      "inbox_not_found",
      "owner_required",
    ],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({
      inbox_id: InboxId.optional().describe(
        "The inbox that the key is for; left out for a new inbox in an account of its own, of which you have charge.",
      ),
      permissions: z
        .array(Permission)
        .min(1)
        .max(PERMISSION_NAMES.length)
        .optional()
        .describe(
          "The permissions of the key; by default those of an app that asks for none. Never `key_write`, `grant_write`, `owner_manage` or `workspace_write`.",
        ),
      send_mode: SendMode.optional().describe("The send mode of a new inbox; `guarded` by default."),
      budget: BudgetInput.nullable()
        .optional()
        .describe("What the key may send at most; null or left out for no limit of its own."),
    }),
    output: NewPairing,
    async run(ctx, { inbox_id, permissions, send_mode, budget = null }) {
      const asked = { inbox_id, permissions, send_mode, budget };
      const { pairing, code } = await makeCode(ctx, signedIn(ctx.caller), asked, ctx.now);
      const ways = waysToUse(code, ctx.options.baseUrl, pairing.inbox_id === null);
      return { ...pairing, status: "open" as const, code, ...ways };
    },
  }),

  list: operation({
    summary: "Lists the codes that the person made, newest first, and which agents used them.",
    when: "See at once who was let in with a code.",
    scope: "public",
    effect: "read",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({}),
    output: listOf(Pairing),
    async run(ctx) {
      const { email } = signedIn(ctx.caller);
      const found = await ctx.storage.find("pairings", {
        where: { email },
        order: { by: "id", direction: "desc" },
        limit: LIMITS.list_max,
      });
      const now = iso(ctx.now);
      return wholeList(found.map((each) => ({ ...each, status: statusOf(each, now) })));
    },
  }),

  delete: operation({
    summary:
      "Ends a code that is open, or undoes what came of it: the key is revoked with those that it created, and an inbox that was created for it goes to the trash (one that asks for passkeys once a passkey approves it).",
    when: "Take a code back, or shut an agent out that you didn't mean to let in.",
    scope: "public",
    effect: "delete",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({ pairing_id: PairingId }),
    output: Deleted("pairing").extend({
      keys_revoked: z.int().describe("How many keys were revoked."),
      inbox_closed: z.boolean().describe("Whether an inbox was moved to the trash."),
    }),
    async run(ctx, { pairing_id }) {
      return {
        id: pairing_id,
        ...(await undoPairing(ctx, signedIn(ctx.caller), pairing_id, ctx.now)),
      };
    },
  }),

  pair: operation({
    summary:
      "Gives an agent an inbox and a key for a person's code, which works once. The key's secret is shown only here.",
    when: "The first call of an agent whose person gave it a code: they have charge of it from the start.",
    example: { code: "7K3M-Q9XT", username: "ada" },
    errors: [
      "pairing_invalid",
      "onboarding_closed",
      "username_taken",
      "username_reserved",
      "plan_limit_exceeded",
    ],
    scope: "public",
    effect: "write",
    allow: "any",
    input: z.object({
      code: z
        .string({ error: "pairing_invalid" })
        .max(40, { error: "pairing_invalid" })
        .describe("The code that the person made, in capitals or not, with or without its hyphen."),
      username: Username.optional().describe(
        "The part of a new inbox's address before the @; a random one by default. An inbox that the person named keeps its own.",
      ),
      display_name: DisplayName.nullable()
        .optional()
        .describe("The name that recipients of a new inbox's mail see; at most 200 characters."),
      client_name: ClientName.optional(),
    }),
    output: Paired,
    async run(ctx, request) {
      const { username, display_name, client_name } = request;
      const paired = await pair(ctx, { code: request.code, username, display_name, client_name });
      const { inbox, key, api_key, owner_email_masked } = paired;
      return { account_id: key.account_id, api_key, api_key_id: key.id, inbox, owner_email_masked };
    },
  }),
};
