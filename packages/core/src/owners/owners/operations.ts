import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, OwnerId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { waitsForPeople } from "../../kernel/access/authority.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import { addressKey } from "../../model/address.ts";
import { Approval } from "../../model/approvals.ts";
import { CursorInput, created, Deleted, Limit, listOf, OwnerAddress } from "../../model/fields.ts";
import {
  addressToOwner,
  Digest,
  EmailStyle,
  EmailStyleNote,
  Owner,
  type OwnerRecord,
} from "../../model/owners.ts";
import { askAboutChange } from "../approvals/ask.ts";
import { recordDecision } from "../approvals/decide.ts";
import { asksForPasskey } from "../approvals/rules.ts";
import { confirmByCode } from "./confirm.ts";
import { inviteOwner } from "./invite.ts";
import { byOwners, Code } from "./owner-operations.ts";
import { removeOwner } from "./remove.ts";
import { checkStyleChange, shownOwner } from "./rules.ts";

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
    errors: [
      "owner_limit",
      "owner_required",
      "approval_limit",
      "approval_rejected",
      "approval_required",
      "inbox_expired",
      "own_secret",
      "canary_leaked",
    ],
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
    output: z.union([created(Owner, "CreatedOwner"), created(Approval, "CreatedApproval")]),
    async run(ctx, { inbox_id, email, digest }) {
      const account = await accountOf(ctx);
      await checkUpdate(ctx, ctx.inbox, [email, ctx.inbox.display_name ?? ""], ctx.now);
      return answerInTransaction(ctx, async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox === undefined) throw notFound("inbox_not_found", "inb", inbox_id);
        if (stateOf(inbox, ctx.now) === "expired") throw fail("inbox_expired");
        const [known] = await work.find("owners", {
          where: { inbox_id: inbox.id, email: addressKey(email) },
          limit: 1,
        });
        if (known?.status !== "verified" && (await waitsForPeople(ctx, work, inbox))) {
          const change = { email, ...(digest === undefined ? {} : { digest }) };
          const asked = { subject_type: "owner_add" as const, subject_id: inbox.id, change };
          if (ctx.caller.type !== "owner" || asksForPasskey(inbox))
            return askAboutChange(ctx, work, inbox, asked, ctx.now);
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
    patches: true,
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
    errors: ["owner_required", "approval_limit", "approval_rejected"],
    scope: "inbox",
    effect: "delete",
    holds: true,
    allow: ["owner_manage"],
    input: named,
    // In this order: defaults would make a deleted owner of an approval.
    output: z.union([Approval, Deleted("owner")]),
    async run(ctx, { owner_id }) {
      const email = addressToOwner(await ownerOf(ctx, owner_id));
      return ctx.transaction(async (work) => {
        const inbox = await work.get("inboxes", ctx.inbox.id);
        if (inbox !== undefined && (await waitsForPeople(ctx, work, inbox))) {
          const change = { owner_id, email };
          const asked = { subject_type: "owner_delete" as const, subject_id: owner_id, change };
          if (ctx.caller.type !== "owner" || asksForPasskey(inbox))
            return askAboutChange(ctx, work, inbox, asked, ctx.now);
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
    errors: ["confirm_locked", "confirm_expired", "address_is_inbox"],
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

  ...byOwners,
};

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
