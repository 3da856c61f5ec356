import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Options } from "../../catalogue/options.ts";
import { reachesInbox } from "../../kernel/access/caller.ts";
import { restrictionsOf } from "../../kernel/access/claimed.ts";
import { rootOf } from "../../kernel/access/root-account.ts";
import { verifiedOwners } from "../../kernel/addresses/verified-owner.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { given } from "../../kernel/input/given.ts";
import { operation } from "../../kernel/operation.ts";
import { budgetLeft } from "../../limits/budgets/index.ts";
import { describeHealth, type SendingHealth, sendingHealth } from "../../limits/health/index.ts";
import { planUsage } from "../../limits/plans/index.ts";
import { type AccountRecord, Me, Onboarding } from "../../model/accounts.ts";
import { Line, OwnerAddress } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { DisplayName, Username } from "../../model/inboxes.ts";
import { OutboundInput, SendMode } from "../../model/outbound.ts";
import { addressToOwner, EmailStyle, EmailStyleNote, type OwnerRecord } from "../../model/owners.ts";
import { inviteOwner } from "../../owners/owners/index.ts";
import { insertInbox } from "../inboxes/create.ts";
import { outboundOf } from "../inboxes/guards/rules.ts";
import { moveFloor } from "./move-floor.ts";
import { openAccount } from "./open.ts";
import { checkStyleChange, checkWholeAccount } from "./rules.ts";
import { WHATS_NEW } from "./whats-new.ts";

/** The sign-up operation. */
export const accounts = {
  onboard: operation({
    summary: "Opens an account with a full-access key and an inbox. The key's secret is shown only here.",
    when: "The first call of an agent: it needs no credentials. Store the key, it is shown only once.",
    example: { username: "ada", display_name: "Ada", owner_email: "olga@owner.example" },
    errors: [
      "onboarding_closed",
      "username_taken",
      "username_reserved",
      "plan_limit_exceeded",
      "owner_required",
    ],
    scope: "public",
    effect: "write",
    allow: "any",
    input: z.object({
      username: Username.describe(
        "The part of the address before the @: 3 to 64 letters, digits, dots, hyphens and underscores.",
      ),
      display_name: DisplayName.nullable()
        .optional()
        .describe("The name that recipients see beside the address; at most 200 characters."),
      key_name: Line(200).optional().describe("A name for the key; at most 200 characters."),
      owner_email: OwnerAddress.optional().describe(
        "The person that the agent works for: they get a letter with a link and a code to confirm.",
      ),
      send_mode: SendMode.optional().describe(
        "Whether the inbox sends at once (`direct`), or at once unless something speaks against it (`guarded`).",
      ),
      outbound: OutboundInput.optional().describe(
        "What happens when something is found in mail that is to leave; null follows the send mode.",
      ),
    }),
    output: Onboarding,
    run: (ctx, { username, display_name = null, key_name, owner_email, send_mode, outbound }) => {
      if (send_mode === "approval") throw fail("owner_required", { param: "send_mode" });
      return openAccount(
        ctx,
        { permissions: null, inbox_id: null, expires_at: null, budget: null },
        key_name,
        async ({ account, key, api_key }, work) => {
          const { inbox } = await insertInbox(
            ctx,
            work,
            { account_id: account.id, username, display_name, send_mode, outbound: outboundOf(outbound) },
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
      );
    },
  }),
};

/** The operations on the caller's own account. */
export const me = {
  get: operation({
    summary: "Shows the caller's account, key, restrictions and notices.",
    when: "Find out which account and inbox a key belongs to, what it may do, and what restricts the account.",
    scope: "filtered",
    while_suspended: true,
    effect: "read",
    allow: "any",
    authorize: checkWholeAccount,
    tool: {
      name: "get_identity",
      description: "Your account, and what you may do: permissions and inbox_ids are null for all of them.",
    },
    input: z.object({}),
    output: Me,
    run: (ctx) => identity(ctx),
  }),

  update: operation({
    summary:
      "Sets the style of emails to owners, whether product notes are sent, and the send mode that every inbox has at least.",
    when: "Choose the style in which owners are written to, stop the weekly product note, or hold every inbox to a send mode.",
    example: { owner_email_style: "detailed" },
    errors: ["missing_change", "permission_denied", "owner_required"],
    scope: "filtered",
    effect: "write",
    patches: true,
    allow: "any",
    authorize: (caller, asked) => {
      checkWholeAccount(caller);
      if (changesStyle(asked)) checkStyleChange(caller);
    },
    input: z.object({
      lifecycle_emails: z.enum(["on", "off"]).optional().describe("Whether the weekly product note is sent."),
      owner_email_style: EmailStyle.nullable()
        .optional()
        .describe(
          "The style of emails to owners who have none of their own; null for the default, `concise`.",
        ),
      owner_email_style_note: EmailStyleNote.nullable()
        .optional()
        .describe(
          `A wish about the style, at most ${LIMITS.email_style_note_chars} characters; null for none.`,
        ),
      send_mode_floor: SendMode.optional().describe(
        "The send mode that each inbox of the account and its workspaces has at least; only an account owner can lower it.",
      ),
    }),
    output: Me,
    async run(ctx, { lifecycle_emails, owner_email_style, owner_email_style_note, send_mode_floor }) {
      const settings = given({ lifecycle_emails, owner_email_style, owner_email_style_note });
      if (Object.keys(settings).length === 0 && send_mode_floor === undefined) throw fail("missing_change");
      await ctx.transaction(async (work) => {
        if (send_mode_floor !== undefined) await moveFloor(ctx, work, send_mode_floor);
        if (Object.keys(settings).length > 0) await work.update("accounts", { id: ctx.account_id }, settings);
      });
      return identity(ctx);
    },
  }),
};

const changesStyle = ({ owner_email_style, owner_email_style_note }: Record<string, unknown>): boolean =>
  owner_email_style !== undefined || owner_email_style_note !== undefined;

const AUTH_TYPES = { key: "api_key", app: "oauth", owner: "owner" } as const;

async function identity(ctx: AccountContext): Promise<z.input<typeof Me>> {
  const account = await ctx.storage.get("accounts", ctx.account_id);
  if (account === undefined) throw fail("invalid_api_key");
  const health = await sendingHealth(ctx.storage, account.id, ctx.now);
  const root = await rootOf(ctx.storage, account);
  return {
    account_id: account.id,
    parent_account_id: account.parent_account_id,
    ...(await workspaceOf(ctx.storage, account)),
    auth_type: AUTH_TYPES[ctx.caller.type],
    key: await shownKey(ctx),
    access: accessOf(ctx.caller),
    lifecycle_emails: account.lifecycle_emails,
    send_mode_floor: root.send_mode_floor,
    owner_email_style: styleOf(account),
    ...(await shownUsage(ctx, account)),
    restrictions: [
      ...(root.suspended_at === null ? [] : ["account_suspended" as const]),
      ...restrictionsOf(root, ctx.options.onboarding),
      ...(health.state === "paused" || (await isTripped(ctx)) ? ["sending_paused" as const] : []),
    ],
    ...(health.state === "good" ? {} : { sending_health: shownHealth(health, health.state) }),
    whats_new: [...WHATS_NEW],
    ...shownOwners(ctx, await verifiedOwners(ctx, { account_id: account.id })),
  };
}

/** Whether a canary paused sending from an inbox that the caller reaches. */
async function isTripped({ storage, account_id, caller }: AccountContext): Promise<boolean> {
  const paused = await storage.find("inboxes", {
    where: { account_id, sending_paused_at: { gt: "" } },
    order: { by: "sending_paused_at", direction: "asc" },
    limit: MAX_PAUSED,
  });
  return paused.some(({ id }) => reachesInbox(caller, id));
}

const MAX_PAUSED = 1_000;

async function workspaceOf(
  storage: AccountContext["storage"],
  { id: account_id, parent_account_id }: AccountRecord,
): Promise<Pick<z.input<typeof Me>, "workspace">> {
  if (parent_account_id === null) return {};
  const [workspace] = await storage.find("workspaces", { where: { account_id }, limit: 1 });
  return workspace === undefined ? {} : { workspace };
}

const accessOf = ({ permissions, inbox_ids }: AccountContext["caller"]): z.input<typeof Me>["access"] => ({
  permissions: permissions === null ? null : [...permissions],
  inbox_ids: inbox_ids === null ? null : [...inbox_ids],
});

async function shownKey({ caller, storage, now }: AccountContext): Promise<z.input<typeof Me>["key"]> {
  if (caller.type !== "key") return null;
  return { ...caller.key, budget: await budgetLeft(storage, caller.key.id, now) };
}

/** A sub-account's use counts for its parent, which it can't see. */
async function shownUsage(
  ctx: AccountContext,
  account: AccountRecord,
): Promise<Partial<Pick<z.input<typeof Me>, "plan" | "usage" | "notices">>> {
  if (account.parent_account_id !== null) return {};
  const { plan, usage, notices } = await planUsage(ctx, account, ctx.now);
  if (plan === null) return {};
  return { plan, usage, ...(notices.length === 0 ? {} : { notices }) };
}

/** Advises adding an owner, or names unreachable owners, of the inboxes that the caller may access. */
function shownOwners(
  { caller }: AccountContext,
  owners: readonly OwnerRecord[],
): Partial<Pick<z.input<typeof Me>, "owner_recommended" | "unreachable_owners">> {
  if (owners.length === 0) return { owner_recommended: ADD_AN_OWNER };
  const unreachable = owners.flatMap((owner) => {
    const { id: owner_id, inbox_id, unreachable_since: since } = owner;
    return since !== null && reachesInbox(caller, inbox_id)
      ? [{ owner_id, inbox_id, email: addressToOwner(owner), since }]
      : [];
  });
  return unreachable.length === 0 ? {} : { unreachable_owners: unreachable };
}

const shownHealth = (health: SendingHealth, state: "warning" | "paused") => ({
  state,
  bounce_rate: health.bounce_rate,
  complaint_rate: health.complaint_rate,
  message: describeHealth(health),
});

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
  { baseUrl: base_url }: Pick<Options, "baseUrl">,
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
        ? snippet(
            "confirm_owner",
            "Confirm the owner with the code from their email",
            "owners.confirmWithCode",
          )
        : snippet("add_owner", "Add the person you work for", "owners.create"),
      snippet("send_message", "Send a message", "messages.send"),
      snippet("wait_for_mail", "Wait for new mail", "messages.wait"),
      snippet("list_tasks", "Get the tasks that your owner emails you", "tasks.list"),
      snippet("send_update", "Report to your owner", "updates.create"),
    ],
  };
}
