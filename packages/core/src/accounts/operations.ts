import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import { describeHealth, sendingHealth } from "../health/index.ts";
import { insertInbox } from "../inboxes/index.ts";
import { restrictionsOf } from "../kernel/claimed.ts";
import type { AccountContext } from "../kernel/context.ts";
import { operation } from "../kernel/operation.ts";
import { type AccountRecord, Me, Onboarding } from "../model/accounts.ts";
import { Email, Line } from "../model/fields.ts";
import { DisplayName, Username } from "../model/inboxes.ts";
import { EmailStyle, EmailStyleNote } from "../model/owners.ts";
import { hasVerifiedOwner, inviteOwner } from "../owners/index.ts";
import { nextSteps } from "./next-steps.ts";
import { openAccount } from "./open.ts";
import { checkStyleChange } from "./rules.ts";
import { whatsNew } from "./whats-new.ts";

/** Signing up. */
export const accounts = {
  onboard: operation({
    summary:
      "Opens an account with a full-access key and a first inbox; the key's secret is shown this once.",
    scope: "public",
    allow: "any",
    input: z.object({
      username: Username,
      display_name: DisplayName.nullable().optional(),
      key_name: Line(200).optional(),
      owner_email: Email.optional(),
    }),
    output: Onboarding,
    run: (ctx, { username, display_name = null, key_name, owner_email }) =>
      openAccount(
        ctx,
        { permissions: null, inbox_id: null, expires_at: null },
        key_name,
        async ({ account, key, api_key }, work) => {
          const { inbox } = await insertInbox(
            ctx,
            work,
            { account_id: account.id, username, display_name },
            ctx.now,
          );
          if (owner_email !== undefined)
            await inviteOwner(ctx, work, { inbox, email: owner_email, ip: ctx.caller.ip, now: ctx.now });
          return {
            account_id: account.id,
            api_key,
            api_key_id: key.id,
            inbox,
            next_steps: nextSteps(ctx.options, inbox, owner_email),
          };
        },
      ),
  }),
};

/** Who the caller is. */
export const me = {
  get: operation({
    summary: "Shows who the caller is: account, key, restrictions and what is worth knowing.",
    scope: "filtered",
    allow: "any",
    input: z.object({}),
    output: Me,
    run: (ctx) => identity(ctx),
  }),

  update: operation({
    summary: "Sets how the account's owners are written to, and whether product notes come.",
    scope: "filtered",
    allow: "any",
    input: z.object({
      lifecycle_emails: z.enum(["on", "off"]).optional(),
      owner_email_style: EmailStyle.nullable().optional(),
      owner_email_style_note: EmailStyleNote.nullable().optional(),
    }),
    output: Me,
    async run(ctx, { lifecycle_emails, owner_email_style, owner_email_style_note }) {
      const styled = owner_email_style !== undefined || owner_email_style_note !== undefined;
      if (styled) checkStyleChange(ctx.caller);
      if (!styled && lifecycle_emails === undefined) throw fail("missing_change");
      await ctx.storage.update(
        "accounts",
        { id: ctx.account_id },
        {
          ...(lifecycle_emails === undefined ? {} : { lifecycle_emails }),
          ...(owner_email_style === undefined ? {} : { owner_email_style }),
          ...(owner_email_style_note === undefined ? {} : { owner_email_style_note }),
        },
      );
      return identity(ctx);
    },
  }),
};

async function identity(ctx: AccountContext): Promise<z.input<typeof Me>> {
  const account = await ctx.storage.get("accounts", ctx.account_id);
  if (account === undefined) throw fail("invalid_api_key");
  const health = await sendingHealth(ctx.storage, account.id, ctx.now);
  return {
    account_id: account.id,
    parent_account_id: account.parent_account_id,
    auth_type: "api_key",
    key: ctx.caller.key,
    lifecycle_emails: account.lifecycle_emails,
    owner_email_style: styleOf(account),
    restrictions: [
      ...restrictionsOf(account, ctx.options.onboarding),
      ...(health.state === "paused" ? ["sending_paused" as const] : []),
    ],
    notices: health.state === "good" ? [] : [{ resource: "sending_health", message: describeHealth(health) }],
    whats_new: [...whatsNew],
    ...((await hasVerifiedOwner(ctx, { account_id: account.id }))
      ? {}
      : { owner_recommended: ownerRecommended }),
  };
}

const styleOf = ({ owner_email_style: style, owner_email_style_note: note }: AccountRecord) =>
  style === null
    ? ({ style: "concise", note, source: "default" } as const)
    : ({ style, note, source: "account" } as const);

const ownerRecommended =
  "No owner has confirmed yet. Add the person you work for with POST /api/v1/inboxes/:id/owners {email}; the letter that they get has a " +
  "link, and a code for POST /api/v1/inboxes/:id/owners/:ownerId/confirm. With an owner you can send updates and get tasks by mail; on " +
  "the Free plan, a verified owner outside this service raises the monthly send limit by 50 percent.";
