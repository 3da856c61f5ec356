import { z } from "zod";
import { askAboutChange, recordDecision } from "../approvals/index.ts";
import { fail } from "../catalogue/errors.ts";
import { InboxId, OwnerId } from "../catalogue/ids.ts";
import { LIMITS } from "../catalogue/limits.ts";
import { authoritiesOver, decidersOver } from "../kernel/authority.ts";
import { OWNERS, SIGNED_IN, signedIn } from "../kernel/caller.ts";
import type { InboxContext, PublicContext, Services } from "../kernel/context.ts";
import { notFound } from "../kernel/gate.ts";
import { answerInTransaction } from "../kernel/idempotency.ts";
import { stateOf } from "../kernel/inbox/state.ts";
import { checkActsAlone, isReader, type LetterSubjects } from "../kernel/letter-token.ts";
import { operation } from "../kernel/operation.ts";
import { newestFirst } from "../kernel/page.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { addressKey } from "../model/address.ts";
import { Approval } from "../model/approvals.ts";
import { CursorInput, created, Deleted, Email, Limit, listOf, OwnerAddress } from "../model/fields.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import {
  addressToOwner,
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
import { chooseStyle, ownerByToken } from "./choose-style.ts";
import { confirmByCode, confirmByEmail, confirmByLink } from "./confirm.ts";
import { inviteOwner } from "./invite.ts";
import { removeOwner } from "./remove.ts";
import { checkStyleChange, effectiveStyle, shownOwner } from "./rules.ts";
import { leaveUpdatesByLink } from "./unsubscribe.ts";

/** A code as people type it, with or without spaces. */
const Code = z
  .string({ error: "confirm_invalid" })
  .max(40, { error: "confirm_invalid" })
  .transform((code) => code.replace(/\s/g, ""));

const Token = z.string({ error: "confirm_invalid" }).max(200, { error: "confirm_invalid" });

/** The token that every letter to an owner contains. */
const PageToken = z.string({ error: "owner_link_invalid" }).max(200, { error: "owner_link_invalid" });

const named = z.object({ inbox_id: InboxId, owner_id: OwnerId });

/** The operations on the owners of an inbox. */
export const owners = {
  list: operation({
    summary: "Lists the owners of an inbox, newest first.",
    when: "See who directs the inbox's agent and gets its reports.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    pages: true,
    allow: ["owner_read", "owner_manage"],
    tool: {
      name: "list_owners",
      description: "List the people you work for, and whether they confirmed.",
    },
    input: z.object({
      inbox_id: InboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Owner),
    async run(ctx, { limit, cursor }) {
      const inbox_id = ctx.inbox.id;
      const page = await newestFirst(ctx.storage, "owners", { where: { inbox_id }, limit, cursor });
      const account = await accountOf(ctx);
      return { ...page, data: page.data.map((owner) => shownOwner(owner, account)) };
    },
  }),

  create: operation({
    summary:
      "Invites a person to own the inbox, by mailing them a link and a code. In approval mode an owner must approve first.",
    when: "Add the person that the agent works for: they get updates, and their mail becomes tasks.",
    example: { email: "olga@owner.example", digest: "immediate" },
    errors: ["owner_limit", "owner_required", "approval_required", "inbox_expired"],
    scope: "inbox",
    effect: "write",
    holds: true,
    allow: ["owner_manage"],
    idempotent: true,
    input: z.object({
      inbox_id: InboxId,
      email: OwnerAddress.describe("The person's address, alone or after a display name."),
      digest: Digest.optional().describe(
        "Whether updates reach them at once or in a daily digest at 13:00 UTC; `immediate` by default.",
      ),
    }),
    output: z.union([created(Owner), created(Approval)]),
    async run(ctx, { inbox_id, email, digest }) {
      const account = await accountOf(ctx);
      return answerInTransaction(ctx, async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox === undefined) throw notFound("inbox_not_found", "inb", inbox_id);
        if (stateOf(inbox, ctx.now) === "expired") throw fail("inbox_expired");
        const [known] = await work.find("owners", {
          where: { inbox_id: inbox.id, email: addressKey(email) },
          limit: 1,
        });
        if (inbox.send_mode === "approval" && known?.status !== "verified") {
          const change = { email, ...(digest === undefined ? {} : { digest }) };
          const asked = { subject_type: "owner_add" as const, subject_id: inbox.id, change };
          if (ctx.caller.type !== "owner") return askAboutChange(ctx, work, inbox, asked, ctx.now);
          await recordDecision(ctx, work, inbox, { ...asked, email: ctx.caller.email }, ctx.now);
        }
        return shownOwner(
          await inviteOwner(ctx, work, {
            inbox,
            email,
            digest,
            ip: ctx.caller.ip,
            approved: ctx.caller.type === "owner",
            now: ctx.now,
          }),
          account,
        );
      });
    },
  }),

  get: operation({
    summary: "Shows an owner and the style of emails to them.",
    when: "Check whether an owner has confirmed, and how they are written to.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["owner_read", "owner_manage"],
    input: named,
    output: Owner,
    run: async (ctx, { owner_id }) => shownOwner(await ownerOf(ctx, owner_id), await accountOf(ctx)),
  }),

  update: operation({
    summary: "Sets how often and in which style an owner gets emails.",
    when: "Change how often and in which style an owner is written to; what they chose themselves stays.",
    example: { digest: "daily", email_style: "casual" },
    errors: ["missing_change", "owner_style_locked"],
    scope: "inbox",
    effect: "write",
    allow: ["owner_manage"],
    input: named.extend({
      digest: Digest.optional().describe(
        "Whether updates reach them at once or in a daily digest at 13:00 UTC.",
      ),
      email_style: EmailStyle.nullable()
        .optional()
        .describe("The style of emails to them; null for the account's."),
      email_style_note: EmailStyleNote.nullable()
        .optional()
        .describe(
          `A wish about the style, at most ${LIMITS.email_style_note_chars} characters; null for none.`,
        ),
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
      // Deleted, or locked on the owner's page, since it was read.
      checkStyleChange(await ownerOf(ctx, owner_id), styled);
      throw notFound("owner_not_found", "own", owner_id);
    },
  }),

  delete: operation({
    summary: "Removes an owner of the inbox. In approval mode an owner must approve first.",
    when: "Remove a person who no longer directs the agent.",
    errors: ["owner_required"],
    scope: "inbox",
    effect: "delete",
    holds: true,
    allow: ["owner_manage"],
    input: named,
    output: z.union([
      z.object({
        id: z.string().describe("The id of the removed owner."),
        object: z.literal("owner"),
        deleted: z.literal(true),
      }),
      Approval,
    ]),
    async run(ctx, { owner_id }) {
      const email = addressToOwner(await ownerOf(ctx, owner_id));
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox?.send_mode === "approval") {
          const change = { owner_id, email };
          const asked = { subject_type: "owner_delete" as const, subject_id: owner_id, change };
          if (ctx.caller.type !== "owner") return askAboutChange(ctx, work, inbox, asked, ctx.now);
          await recordDecision(ctx, work, inbox, { ...asked, email: ctx.caller.email }, ctx.now);
        }
        await removeOwner(work, ctx.inbox.id, owner_id);
        return { id: owner_id, object: "owner" as const, deleted: true as const };
      });
    },
  }),

  confirmWithCode: operation({
    summary: "Confirms an owner with the six-digit code from their letter.",
    when: "The owner told the agent the code from their letter.",
    example: { code: "123456" },
    errors: ["confirm_locked", "confirm_expired"],
    scope: "inbox",
    effect: "write",
    allow: ["owner_manage"],
    input: named.extend({ code: Code.describe("The six digits of the letter; spaces are ignored.") }),
    output: Owner,
    async run(ctx, { owner_id, code }) {
      const owner = await confirmByCode(ctx, await ownerOf(ctx, owner_id), code, ctx.now);
      return shownOwner(owner, await accountOf(ctx));
    },
  }),

  confirmation: operation({
    summary: "Shows what a confirmation link confirms, without confirming it.",
    when: "A page of your own behind the link of a confirmation letter.",
    errors: ["confirm_expired"],
    scope: "public",
    effect: "read",
    letter: "confirmation",
    allow: "any",
    input: z.object({ token: Token.describe("The token of the link in the letter.") }),
    output: OwnerConfirmation,
    run: (ctx) => confirmationOf(ctx, ctx.letter.owner),
  }),

  confirm: operation({
    summary: "Confirms an owner by the token of their link, or by address and code.",
    when: "A page of your own on which a person confirms; it needs no key.",
    example: { email: "olga@owner.example", code: "123456" },
    errors: ["confirm_locked", "confirm_expired", "session_required"],
    scope: "public",
    effect: "write",
    letter: "confirmation",
    allow: "any",
    input: z
      .object({
        token: Token.optional().describe("The token of the link in the letter; instead of email and code."),
        email: Email.optional().describe("The owner's address; with code."),
        code: Code.optional().describe("The six digits of the letter; with email."),
      })
      .refine(
        ({ token, email, code }) => (token === undefined) === (email !== undefined && code !== undefined),
        {
          error: "send either the token of the link, or email and code",
          path: ["token"],
        },
      ),
    output: OwnerConfirmation,
    async run(ctx, { email, code }) {
      const owner =
        email === undefined || code === undefined
          ? await confirmByLink(ctx, ctx.letter, ctx.caller, ctx.now)
          : await confirmByEmail(ctx, email, code, ctx.caller.ip, ctx.now);
      return confirmationOf(ctx, owner);
    },
  }),

  unsubscribe: operation({
    summary: "Stops update mail to the owner whose letters contain the token. They stay an owner.",
    when: "Mail programs call it for the List-Unsubscribe header of a letter.",
    errors: ["session_required"],
    scope: "public",
    effect: "write",
    letter: "owner",
    allow: "any",
    input: z.object({ token: PageToken.describe("The token of the letter.") }),
    output: OwnerSubscription,
    async run(ctx) {
      const { owner, inbox, secret } = ctx.letter;
      // The word in the List-Unsubscribe header acts alone, always (RFC 8058).
      if (secret.kind !== "unsubscribe") checkActsAlone(secret, ctx.caller);
      const by = { inbox, owner, in_session: isReader(ctx.caller, secret), now: ctx.now };
      await unitOfWork(ctx, owner.account_id, ctx.now, (work) => leaveUpdatesByLink(ctx, work, by));
      return withInbox(ctx, (await ctx.storage.get("owners", owner.id)) ?? owner);
    },
  }),

  preferences: operation({
    summary: "Shows an owner how they are written to, by the token of their letters; no API key may look.",
    when: "A page of your own on which an owner sees how they are written to.",
    scope: "public",
    effect: "read",
    letter: "owner",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: PageToken.describe("The token of the letter.") }),
    output: OwnerPreferences,
    run: (ctx) => preferencesOf(ctx, ctx.letter),
  }),

  choose: operation({
    summary: "Sets an owner's email preferences, by the token of their letters. They override the API.",
    when: "A page of your own on which an owner chooses how they are written to.",
    example: { email_style: "detailed", updates: "daily" },
    errors: ["missing_change", "session_required"],
    scope: "public",
    effect: "write",
    letter: "owner",
    allow: "any",
    callers: OWNERS,
    input: z.object({ token: PageToken.describe("The token of the letter."), ...OwnerRequest.shape }),
    output: OwnerPreferences,
    async run(ctx, { token, ...request }) {
      if (ctx.letter.secret.kind !== "page") throw fail("owner_link_invalid", { param: "token" });
      checkActsAlone(ctx.letter.secret, ctx.caller);
      const { owner, secret } = ctx.letter;
      await chooseStyle(ctx, owner, request, { in_session: isReader(ctx.caller, secret), now: ctx.now });
      return preferencesOf(ctx, await ownerByToken(ctx, token, ctx.now));
    },
  }),

  updateMine: operation({
    summary: "Sets a signed-in owner's own email preferences. They override the API.",
    when: "An app for owners in which they choose how they are written to.",
    example: { email_style: "detailed", updates: "daily" },
    errors: ["missing_change"],
    scope: "public",
    effect: "write",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({ owner_id: OwnerId, ...OwnerRequest.shape }),
    output: OwnerPreferences,
    async run(ctx, { owner_id, ...request }) {
      const { owner } = await ownOwner(ctx, owner_id);
      await chooseStyle(ctx, owner, request, { in_session: true, now: ctx.now });
      return preferencesOf(ctx, await ownOwner(ctx, owner_id));
    },
  }),

  deleteMine: operation({
    summary: "Ends a signed-in person's own ownership of an inbox: no more letters, no more tasks by mail.",
    when: "An app for owners in which they leave an inbox.",
    scope: "public",
    effect: "delete",
    allow: "any",
    callers: SIGNED_IN,
    input: z.object({ owner_id: OwnerId }),
    output: Deleted("owner"),
    async run(ctx, { owner_id }) {
      const { owner } = await ownOwner(ctx, owner_id);
      await unitOfWork(ctx, owner.account_id, ctx.now, (work) => removeOwner(work, owner.inbox_id, owner_id));
      return { id: owner_id };
    },
  }),
};

/** The signed-in person's own verified owner record. Fails with `owner_not_found`. */
async function ownOwner(
  { storage, caller }: Pick<PublicContext, "storage" | "caller">,
  owner_id: string,
): Promise<{ owner: OwnerRecord; inbox: InboxRecord }> {
  const { email } = signedIn(caller);
  const owner = await storage.get("owners", owner_id);
  const inbox = owner === undefined ? undefined : await storage.get("inboxes", owner.inbox_id);
  if (owner?.email !== email || owner.status !== "verified" || inbox === undefined)
    throw notFound("owner_not_found", "own", owner_id);
  return { owner, inbox };
}

async function ownerOf(ctx: InboxContext, owner_id: string): Promise<OwnerRecord> {
  const owner = await ctx.storage.get("owners", owner_id);
  if (owner?.inbox_id !== ctx.inbox.id) throw notFound("owner_not_found", "own", owner_id);
  return owner;
}

async function accountOf({ storage, account_id }: InboxContext) {
  const account = await storage.get("accounts", account_id);
  if (account === undefined) throw fail("invalid_api_key");
  return account;
}

async function preferencesOf(
  ctx: PublicContext,
  { owner, inbox }: Pick<LetterSubjects["owner"], "owner" | "inbox">,
): Promise<z.input<typeof OwnerPreferences>> {
  const account = await ctx.storage.get("accounts", owner.account_id);
  if (account === undefined) throw fail("owner_link_invalid", { param: "token" });
  return {
    ...owner,
    email: addressToOwner(owner),
    inbox_email: inbox.email,
    inbox_display_name: inbox.display_name,
    effective_email_style: effectiveStyle(owner, account),
    updates: owner.unsubscribed_at === null ? owner.digest : "off",
  };
}

/** What the page of a confirmation shows: the agent, and who has charge of its account. */
async function confirmationOf(
  ctx: Pick<Services, "storage" | "options">,
  owner: OwnerRecord,
): Promise<z.input<typeof OwnerConfirmation>> {
  const { account_id, email, status } = owner;
  const whole = { account_id, inbox_id: null };
  const [in_charge, { noted }] = await Promise.all([
    authoritiesOver(ctx, ctx.storage, whole),
    decidersOver(ctx, ctx.storage, whole),
  ]);
  return {
    ...(await withInbox(ctx, owner)),
    in_charge,
    may_take_charge: status === "verified" && noted === email,
  };
}

/** The owner with their agent's address and name, for their own pages. */
async function withInbox({ storage }: Pick<Services, "storage">, owner: OwnerRecord) {
  const inbox = await storage.get("inboxes", owner.inbox_id);
  if (inbox === undefined) throw fail("confirm_invalid");
  return {
    ...owner,
    email: addressToOwner(owner),
    inbox_email: inbox.email,
    inbox_display_name: inbox.display_name,
  };
}
