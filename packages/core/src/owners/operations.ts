import { z } from "zod";
import { askAboutChange, decidersOf } from "../approvals/index.ts";
import { fail } from "../catalogue/errors.ts";
import { IdInput } from "../catalogue/ids.ts";
import { limits } from "../catalogue/limits.ts";
import type { InboxContext, PublicContext, Services } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { operation } from "../kernel/operation.ts";
import { pageOf } from "../kernel/page.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import type { Work } from "../kernel/work.ts";
import { Approval } from "../model/approvals.ts";
import { CursorInput, Email, iso, Limit, listOf } from "../model/fields.ts";
import {
  Digest,
  EmailStyle,
  EmailStyleNote,
  Owner,
  OwnerConfirmation,
  OwnerPreferences,
  type OwnerRecord,
  OwnerRequest,
  OwnerSubscription,
} from "../model/owners.ts";
import { chooseStyle } from "./choose-style.ts";
import { confirmByCode, confirmByEmail, confirmByLink, ownerByLink } from "./confirm.ts";
import { inviteOwner } from "./invite.ts";
import { ownerByPageToken } from "./page-token.ts";
import { removeOwner } from "./remove.ts";
import { checkStyleChange, effectiveStyle } from "./rules.ts";
import { shownOwner } from "./show.ts";
import { unsubscribeOwner } from "./unsubscribe.ts";

/** A code as people type it; spaces between its digits don't matter. */
const Code = z
  .string({ error: "confirm_invalid" })
  .max(40, { error: "confirm_invalid" })
  .transform((code) => code.replace(/\s/g, ""));

const Token = z.string({ error: "confirm_invalid" }).max(200, { error: "confirm_invalid" });

/** The token that every letter to an owner carries. */
const PageToken = z.string({ error: "owner_link_invalid" }).max(200, { error: "owner_link_invalid" });

const named = z.object({ inbox_id: IdInput, owner_id: IdInput });

/** What a caller can do with the people who direct an inbox. */
export const owners = {
  list: operation({
    summary: "Lists the owners of an inbox, newest first.",
    scope: "inbox",
    allow: ["owner_read", "owner_manage"],
    input: z.object({
      inbox_id: IdInput,
      limit: Limit(limits.list_default, limits.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Owner),
    async run(ctx, { limit, cursor }) {
      const inbox_id = ctx.inbox.id;
      const page = await pageOf<OwnerRecord>({
        filter: { list: "owners", inbox_id },
        limit,
        cursor,
        read: (after, most) =>
          ctx.storage.find("owners", {
            where: { inbox_id, ...(after === undefined ? {} : { id: { lt: after } }) },
            order: { by: "id", direction: "desc" },
            limit: most,
          }),
        position: ({ id }) => id,
      });
      const account = await accountOf(ctx);
      return { ...page, data: page.data.map((owner) => shownOwner(owner, account)) };
    },
  }),

  create: operation({
    summary:
      "Registers a person who may direct the inbox and mails them a link and code; in approval mode an owner is asked first.",
    scope: "inbox",
    allow: ["owner_manage"],
    input: z.object({ inbox_id: IdInput, email: Email, digest: Digest.optional() }),
    output: z.union([Owner, Approval]),
    async run(ctx, { inbox_id, email, digest }) {
      const account = await accountOf(ctx);
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox === undefined) throw notFound("inbox_not_found", "inb", inbox_id);
        if (stateOf(inbox, ctx.now) === "expired") throw fail("inbox_expired");
        const [known] = await work.find("owners", { where: { inbox_id: inbox.id, email }, limit: 1 });
        if (inbox.send_mode === "approval" && known?.status !== "verified") {
          const change = { email, ...(digest === undefined ? {} : { digest }) };
          return askAboutChange(
            ctx,
            work,
            inbox,
            { subject_type: "owner_add", subject_id: inbox.id, change },
            ctx.now,
          );
        }
        return shownOwner(
          await inviteOwner(ctx, work, { inbox, email, digest, ip: ctx.caller.ip, now: ctx.now }),
          account,
        );
      });
    },
  }),

  get: operation({
    summary: "Shows an owner with the style in which they are written to.",
    scope: "inbox",
    allow: ["owner_read", "owner_manage"],
    input: named,
    output: Owner,
    run: async (ctx, { owner_id }) => shownOwner(await ownerOf(ctx, owner_id), await accountOf(ctx)),
  }),

  update: operation({
    summary: "Sets how often and in which style an owner is written to.",
    scope: "inbox",
    allow: ["owner_manage"],
    input: named.extend({
      digest: Digest.optional(),
      email_style: EmailStyle.nullable().optional(),
      email_style_note: EmailStyleNote.nullable().optional(),
    }),
    output: Owner,
    async run(ctx, { owner_id, digest, email_style, email_style_note }) {
      const styled = email_style !== undefined || email_style_note !== undefined;
      if (!styled && digest === undefined) throw fail("missing_change");
      checkStyleChange(await ownerOf(ctx, owner_id), styled);
      const [changed] = await ctx.storage.update(
        "owners",
        { id: owner_id, ...(styled ? { style_locked: false } : {}) },
        {
          ...(digest === undefined ? {} : { digest }),
          ...(email_style === undefined ? {} : { email_style }),
          ...(email_style_note === undefined ? {} : { email_style_note }),
        },
      );
      if (changed !== undefined) return shownOwner(changed, await accountOf(ctx));
      // Deleted, or locked on the owner's own page, since it was read.
      checkStyleChange(await ownerOf(ctx, owner_id), styled);
      throw notFound("owner_not_found", "own", owner_id);
    },
  }),

  delete: operation({
    summary:
      "Removes an owner, who can then no longer direct the inbox; in approval mode an owner is asked first.",
    scope: "inbox",
    allow: ["owner_manage"],
    input: named,
    output: z.union([
      z.object({ id: z.string(), object: z.literal("owner"), deleted: z.literal(true) }),
      Approval,
    ]),
    async run(ctx, { owner_id }) {
      const { email } = await ownerOf(ctx, owner_id);
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox?.send_mode === "approval") {
          await checkNotLast(ctx, work, inbox.id, owner_id);
          const change = { owner_id, email };
          return askAboutChange(
            ctx,
            work,
            inbox,
            { subject_type: "owner_delete", subject_id: owner_id, change },
            ctx.now,
          );
        }
        await removeOwner(work, ctx.inbox.id, owner_id);
        return { id: owner_id, object: "owner" as const, deleted: true as const };
      });
    },
  }),

  confirm: operation({
    summary: "Confirms an owner with the six-digit code that they were mailed and passed on.",
    scope: "inbox",
    allow: ["owner_manage"],
    input: named.extend({ code: Code }),
    output: Owner,
    async run(ctx, { owner_id, code }) {
      const owner = await confirmByCode(ctx, await ownerOf(ctx, owner_id), code, ctx.now);
      return shownOwner(owner, await accountOf(ctx));
    },
  }),

  confirmation: operation({
    summary: "Shows what a confirmation link is about, without confirming anything.",
    scope: "public",
    allow: "any",
    input: z.object({ token: Token }),
    output: OwnerConfirmation,
    run: async (ctx, { token }) => withInbox(ctx, await ownerByLink(ctx, token, ctx.now)),
  }),

  confirmPublic: operation({
    summary: "Confirms an owner by the token of their link, or by their address and code.",
    scope: "public",
    allow: "any",
    input: z.object({ token: Token.optional(), email: Email.optional(), code: Code.optional() }),
    output: OwnerConfirmation,
    async run(ctx, { token, email, code }) {
      if (token !== undefined && email === undefined && code === undefined)
        return withInbox(ctx, await confirmByLink(ctx, token, ctx.now));
      if (token === undefined && email !== undefined && code !== undefined) {
        return withInbox(ctx, await confirmByEmail(ctx, email, code, ctx.caller.ip, ctx.now));
      }
      throw fail("invalid_request", {
        message: "Name either the token of the link, or email and code.",
        param: "token",
      });
    },
  }),

  unsubscribe: operation({
    summary: "Ends update mail to the owner who holds the token; their rights stay.",
    scope: "public",
    allow: "any",
    input: z.object({ token: PageToken }),
    output: OwnerSubscription,
    async run(ctx, { token }) {
      const { owner } = await ownerByPageToken(ctx, token);
      await unitOfWork(ctx, owner.account_id, ctx.now, (work) => unsubscribeOwner(work, owner, ctx.now));
      return withInbox(ctx, (await ctx.storage.get("owners", owner.id)) ?? owner);
    },
  }),

  preferences: operation({
    summary: "Shows an owner how they are written to, by the token of their letters; no API key may look.",
    scope: "public",
    allow: "any",
    owners_only: true,
    input: z.object({ token: PageToken }),
    output: OwnerPreferences,
    async run(ctx, { token }) {
      return preferencesOf(ctx, token);
    },
  }),

  choose: operation({
    summary:
      "Sets how an owner is written to, by the token of their letters; what is chosen here wins over the API.",
    scope: "public",
    allow: "any",
    owners_only: true,
    input: z.object({ token: PageToken, ...OwnerRequest.shape }),
    output: OwnerPreferences,
    async run(ctx, { token, ...wish }) {
      const { owner } = await ownerByPageToken(ctx, token);
      await chooseStyle(ctx, owner, wish, ctx.now);
      return preferencesOf(ctx, token);
    },
  }),
};

async function ownerOf(ctx: InboxContext, owner_id: string): Promise<OwnerRecord> {
  const owner = await ctx.storage.get("owners", owner_id);
  if (owner?.inbox_id !== ctx.inbox.id) throw notFound("owner_not_found", "own", owner_id);
  return owner;
}

/** In approval mode somebody must be left who can decide. Fails with `owner_required`. */
async function checkNotLast(
  ctx: InboxContext,
  work: Work,
  inbox_id: string,
  owner_id: string,
): Promise<void> {
  const deciders = await decidersOf(ctx, work, { inbox_id, requested_at: iso(ctx.now) });
  if (!deciders.some(({ id }) => id !== owner_id))
    throw fail("owner_required", { message: "It is the last owner who can approve." });
}

async function accountOf({ storage, account_id }: InboxContext) {
  const account = await storage.get("accounts", account_id);
  if (account === undefined) throw fail("invalid_api_key");
  return account;
}

async function preferencesOf(ctx: PublicContext, token: string): Promise<z.input<typeof OwnerPreferences>> {
  const { owner, inbox } = await ownerByPageToken(ctx, token);
  const account = await ctx.storage.get("accounts", owner.account_id);
  if (account === undefined) throw fail("owner_link_invalid", { param: "token" });
  return {
    ...owner,
    inbox_email: inbox.email,
    inbox_display_name: inbox.display_name,
    effective_email_style: effectiveStyle(owner, account),
    updates: owner.unsubscribed_at === null ? owner.digest : "off",
  };
}

/** The owner with the address of their agent, as their own pages show it. */
async function withInbox({ storage }: Pick<Services, "storage">, owner: OwnerRecord) {
  const inbox = await storage.get("inboxes", owner.inbox_id);
  if (inbox === undefined) throw fail("confirm_invalid");
  return { ...owner, inbox_email: inbox.email, inbox_display_name: inbox.display_name };
}
