import { z } from "zod";
import { fail } from "../catalogue/errors.ts";
import type { Options } from "../catalogue/options.ts";
import { describeHealth, sendingHealth } from "../health/index.ts";
import { insertInbox } from "../inboxes/index.ts";
import { AGENTS } from "../kernel/caller.ts";
import { restrictionsOf } from "../kernel/claimed.ts";
import type { AccountContext } from "../kernel/context.ts";
import { operation } from "../kernel/operation.ts";
import { type AccountRecord, Me, Onboarding } from "../model/accounts.ts";
import { Email, Line } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { DisplayName, Username } from "../model/inboxes.ts";
import { EmailStyle, EmailStyleNote } from "../model/owners.ts";
import { hasVerifiedOwner, inviteOwner } from "../owners/index.ts";
import { openAccount } from "./open.ts";
import { checkStyleChange } from "./rules.ts";
import { WHATS_NEW } from "./whats-new.ts";

/** The sign-up operation. */
export const accounts = {
  onboard: operation({
    summary: "Opens an account with a full-access key and an inbox. The key's secret is shown only here.",
    scope: "public",
    effect: "write",
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

/** The operations on the caller's own account. */
export const me = {
  get: operation({
    summary: "Shows the caller's account, key, restrictions and notices.",
    scope: "filtered",
    callers: AGENTS,
    effect: "read",
    allow: "any",
    input: z.object({}),
    output: Me,
    run: (ctx) => identity(ctx),
  }),

  update: operation({
    summary: "Sets the style of emails to owners, and whether product notes are sent.",
    scope: "filtered",
    effect: "write",
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
    key: ctx.caller.type === "key" ? ctx.caller.key : null,
    lifecycle_emails: account.lifecycle_emails,
    owner_email_style: styleOf(account),
    restrictions: [
      ...restrictionsOf(account, ctx.options.onboarding),
      ...(health.state === "paused" ? ["sending_paused" as const] : []),
    ],
    notices: health.state === "good" ? [] : [{ resource: "sending_health", message: describeHealth(health) }],
    whats_new: [...WHATS_NEW],
    ...((await hasVerifiedOwner(ctx, { account_id: account.id })) ? {} : { owner_recommended: ADD_AN_OWNER }),
  };
}

const styleOf = ({ owner_email_style: style, owner_email_style_note: note }: AccountRecord) =>
  style === null
    ? ({ style: "concise", note, source: "default" } as const)
    : ({ style, note, source: "account" } as const);

const ADD_AN_OWNER =
  "No owner has confirmed yet. Add the person you work for with POST /api/v1/inboxes/:id/owners {email}. They get an email with a link " +
  "and a code for POST /api/v1/inboxes/:id/owners/:ownerId/confirm. With an owner you can send updates and get tasks by email; on the " +
  "Free plan, a verified owner outside this service raises the monthly send limit by 50 percent.";

/** A new agent's next steps: the recommended one, and links to the documentation of common ones. */
function nextSteps(
  { base_url }: Pick<Options, "base_url">,
  inbox: Pick<InboxRecord, "id" | "email">,
  owner_email: string | undefined,
) {
  const docs_url = `${base_url}/docs`;
  const snippet = (id: string, title: string, name: string) => ({
    id,
    title,
    url: `${docs_url}#${name}`,
  });
  const asked = owner_email !== undefined;
  return {
    instruction: asked
      ? `Store api_key: it is not shown again. We emailed ${owner_email} a link and a code. Ask them to confirm, then send and receive as ${inbox.email}.`
      : `Store api_key: it is not shown again. Add the person you work for with POST /api/v1/inboxes/${inbox.id}/owners, then send and receive as ${inbox.email}.`,
    docs_url,
    recommended: asked ? "confirm_owner" : "add_owner",
    snippets: [
      asked
        ? snippet("confirm_owner", "Confirm the owner with the code from their email", "owners.confirmWithCode")
        : snippet("add_owner", "Add the person you work for", "owners.create"),
      snippet("send_message", "Send a message", "messages.send"),
      snippet("wait_for_mail", "Wait for new mail", "messages.wait"),
      snippet("list_tasks", "Get the tasks that your owner emails you", "tasks.list"),
      snippet("send_update", "Report to your owner", "updates.create"),
    ],
  };
}
