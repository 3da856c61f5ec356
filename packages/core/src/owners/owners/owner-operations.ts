import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { OwnerId } from "../../catalogue/id-inputs.ts";
import { authoritiesOver, decidersOver } from "../../kernel/access/authority.ts";
import { OWNERS, SIGNED_IN, signedIn } from "../../kernel/access/caller.ts";
import type { PublicContext, Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { checkActsAlone, isReader, type LetterSubjects } from "../../kernel/letters/letter-token.ts";
import { operation } from "../../kernel/operation.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { Deleted, Email } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import {
  addressToOwner,
  OwnerConfirmation,
  OwnerPreferences,
  type OwnerRecord,
  OwnerRequest,
  OwnerSubscription,
} from "../../model/owners.ts";
import { chooseStyle, ownerByToken } from "./choose-style.ts";
import { confirmByEmail, confirmByLink } from "./confirm.ts";
import { removeOwner } from "./remove.ts";
import { effectiveStyle } from "./rules.ts";
import { leaveUpdatesByLink } from "./unsubscribe.ts";

/** A code as people type it, with or without spaces. */
export const Code = z
  .string({ error: "confirm_invalid" })
  .max(40, { error: "confirm_invalid" })
  .transform((code) => code.replace(/\s/g, ""));

const Token = z.string({ error: "confirm_invalid" }).max(200, { error: "confirm_invalid" });

/** The token that every letter to an owner contains. */
const PageToken = z.string({ error: "owner_link_invalid" }).max(200, { error: "owner_link_invalid" });

/** The operations that owners call themselves: from a letter, by its token, or signed in. */
export const byOwners = {
  confirmation: operation({
    summary: "Shows what a confirmation link confirms, without confirming it.",
    when: "A page of your own behind the link of a confirmation letter.",
    errors: ["confirm_expired", "address_is_inbox"],
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
    errors: ["confirm_locked", "confirm_expired", "session_required", "address_is_inbox"],
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
          error: "must be sent without email and code, or both of them without it",
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
      // The token in the List-Unsubscribe header always acts alone (RFC 8058).
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
    patches: true,
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

/** Returns the contents of a confirmation page: the agent, and who is in charge of its account. */
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
