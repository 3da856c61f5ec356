import { z } from "zod";
import { fail } from "../../../catalogue/errors.ts";
import { InboxId, KeyId, OnlyInboxId } from "../../../catalogue/id-inputs.ts";
import { LIMITS } from "../../../catalogue/limits.ts";
import { PERMISSION_NAMES, Permission } from "../../../catalogue/permissions.ts";
import { type AccountCaller, reaches, withinReach } from "../../../kernel/access/caller.ts";
import type { AccountContext, PublicContext } from "../../../kernel/context.ts";
import { expiryFields } from "../../../kernel/expiry.ts";
import { notFound } from "../../../kernel/gate.ts";
import { checkInbox } from "../../../kernel/inbox/check.ts";
import { findInbox } from "../../../kernel/inbox/find.ts";
import { operation } from "../../../kernel/operation.ts";
import { newestFirst } from "../../../kernel/page.ts";
import type { Work } from "../../../kernel/work.ts";
import {
  type BudgetChanger,
  budgetLeft,
  checkMayChangeBudget,
  lineageOf,
} from "../../../limits/budgets/index.ts";
import { BudgetInput } from "../../../model/budgets.ts";
import { CursorInput, iso, Limit, listOf } from "../../../model/fields.ts";
import { Key, KeyInFull, type KeyRecord, NewKey } from "../../../model/keys.ts";
import { openAccount } from "../open.ts";
import { checkParentKey, DEFAULT_KEY_NAME, newKey } from "./create.ts";
import { revokeWithDescendants } from "./revoke.ts";
import {
  checkChange,
  checkMayRead,
  checkMayWrite,
  creatorOf,
  firstKeyTerms,
  KeyName,
  type KeyRequest,
  newKeyTerms,
} from "./rules.ts";

const wishFields = {
  name: KeyName.optional().describe("A name for people; at most 200 characters, one line."),
  permissions: z
    .array(Permission)
    .min(1)
    .max(PERMISSION_NAMES.length)
    .nullable()
    .optional()
    .describe("What the key may do: a subset of the caller's permissions; null or left out for all of them."),
  budget: BudgetInput.nullable()
    .optional()
    .describe(
      "What the key may send at most, whoever holds it; null or left out for no limit of its own. The caller's own limits count for it in any case.",
    ),
  ...expiryFields,
};

/** The operations on API keys. */
export const keys = {
  /**
   * Without credentials it opens an account; with them it creates a key with at most the caller's rights.
   */
  create: operation({
    summary:
      "Creates an API key or, without credentials, an account with a full-access key. The secret is shown only here.",
    when: "Give each program its own key, with only the permissions and the inbox that it needs; the first call of a new user, without credentials, opens the account.",
    example: { name: "Reader", permissions: ["message_read"], ttl_hours: 720 },
    errors: ["onboarding_closed", "permission_denied", "permission_escalation", "key_generations"],
    scope: "public",
    in_account: true,
    effect: "write",
    allow: ["key_write"],
    input: z.object({
      ...wishFields,
      inbox_id: InboxId.nullable()
        .optional()
        .describe("The only inbox that the key can use; null or left out for all that the caller reaches."),
    }),
    output: NewKey,
    async run(ctx, { name, ...request }) {
      if (ctx.caller.type !== "public") return addKey(ctx, ctx.caller, request, name);
      const { account, key, api_key } = await openAccount(
        ctx,
        firstKeyTerms(request, ctx.now),
        name,
        async (opened) => opened,
      );
      return { ...key, api_key, account_id: account.id };
    },
  }),

  createForInbox: operation({
    summary: "Creates an API key limited to this inbox. The secret is shown only here.",
    when: "Give a program a key that reaches this inbox and no other.",
    example: { name: "Support agent", permissions: ["message_read", "message_send"] },
    errors: ["permission_escalation", "key_generations"],
    scope: "inbox",
    effect: "write",
    allow: ["key_write"],
    input: z.object({ ...wishFields, inbox_id: InboxId }),
    output: NewKey,
    run: (ctx, { name, ...request }) => addKey(ctx, ctx.caller, { ...request, inbox_id: ctx.inbox.id }, name),
  }),

  list: operation({
    summary: "Lists the API keys, newest first, without their secrets.",
    when: "See which keys exist, when they were last used and when they expire.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["key_read"],
    input: z.object({
      inbox_id: OnlyInboxId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Key),
    async run(ctx, { inbox_id, limit, cursor }) {
      await checkInbox(ctx, inbox_id);
      const where = withinReach(ctx.caller, inbox_id);
      return newestFirst(ctx.storage, "keys", { where, limit, cursor });
    },
  }),

  get: operation({
    summary: "Shows an API key, without its secret, and what is left of its budget.",
    when: "Look up one key, such as the one that a log names.",
    errors: ["permission_denied"],
    scope: "filtered",
    effect: "read",
    allow: "any",
    authorize: (caller, { key_id }) => checkMayRead(creatorOf(caller), key_id),
    input: z.object({ key_id: KeyId }),
    output: KeyInFull,
    async run(ctx, { key_id }) {
      const key = await visibleKey(ctx, key_id);
      return { ...key, budget_left: await budgetLeft(ctx.storage, key.id, ctx.now) };
    },
  }),

  update: operation({
    summary: "Renames an API key, or changes its budget.",
    when: "Give a key a name that tells people what uses it, or bound what it may send.",
    example: { name: "Support agent (staging)", budget: { sends_per_day: 100, new_recipients_per_day: 10 } },
    errors: ["missing_change", "permission_denied"],
    scope: "filtered",
    effect: "write",
    patches: true,
    allow: "any",
    authorize: (caller, { key_id }) => checkMayWrite(creatorOf(caller), key_id),
    input: z.object({
      key_id: KeyId,
      name: KeyName.optional().describe("The new name; at most 200 characters, one line."),
      budget: BudgetInput.nullable()
        .optional()
        .describe(
          "The new budget, in place of the old one; null ends it. Only an account owner, or a key without a budget that doesn't descend from this key, may change it.",
        ),
    }),
    output: Key,
    async run(ctx, { key_id, name, budget }) {
      if (name === undefined && budget === undefined) throw fail("missing_change");
      checkChange(creatorOf(ctx.caller), await visibleKey(ctx, key_id));
      return ctx.transaction(async (work) => {
        if (budget !== undefined) checkMayChangeBudget(await changerOf(work, ctx.caller), key_id);
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(budget === undefined ? {} : { budget }),
        };
        const [changed] = await work.update("keys", { id: key_id }, change);
        if (changed === undefined) throw notFound("key_not_found", "key", key_id);
        return changed;
      });
    },
  }),

  delete: operation({
    summary:
      "Revokes an API key immediately. A key may revoke itself; in a person's session all keys that it created go too.",
    when: "End a key that leaked or is no longer needed; it stops working at once.",
    errors: ["permission_denied"],
    scope: "filtered",
    effect: "delete",
    allow: "any",
    // A person may revoke keys limited to their inboxes, whatever their other rights on keys.
    authorize: (caller, { key_id }) =>
      caller.type === "owner" ? undefined : checkMayWrite(creatorOf(caller), key_id),
    input: z.object({ key_id: KeyId }),
    output: z.object({
      id: z.string().describe("The id of the revoked key."),
      object: z.literal("api_key"),
      deleted: z.literal(true),
      keys_revoked: z
        .int()
        .optional()
        .describe("In a person's session: how many keys were revoked, with those that descend from it."),
    }),
    async run(ctx, { key_id }) {
      const key = await visibleKey(ctx, key_id);
      if (ctx.caller.type === "owner") {
        const keys_revoked = await ctx.transaction((work) => revokeWithDescendants(work, key, ctx.now));
        return { id: key_id, object: "api_key" as const, deleted: true as const, keys_revoked };
      }
      checkChange(creatorOf(ctx.caller), key);
      await ctx.storage.update("keys", { id: key_id, revoked_at: null }, { revoked_at: iso(ctx.now) });
      return { id: key_id, object: "api_key" as const, deleted: true as const };
    },
  }),
};

async function addKey(
  ctx: PublicContext,
  caller: AccountCaller,
  request: KeyRequest,
  name = DEFAULT_KEY_NAME,
) {
  const terms = newKeyTerms(creatorOf(caller), request, ctx.now);
  if (
    terms.inbox_id !== null &&
    (await findInbox(ctx, caller.account_id, terms.inbox_id, false)) === undefined
  ) {
    throw notFound("inbox_not_found", "inb", terms.inbox_id);
  }
  const parent_key_id = caller.type === "key" ? caller.key.id : null;
  const { record, api_key } = newKey(
    ctx.makeId,
    { ...terms, account_id: caller.account_id, name, parent_key_id },
    ctx.now,
  );
  await ctx.transaction(async (work) => {
    await checkParentKey(work, parent_key_id);
    // Read again: no key may be for an inbox just deleted.
    if (terms.inbox_id !== null && (await work.get("inboxes", terms.inbox_id)) === undefined)
      throw fail("inbox_not_found", { param: "inbox_id" });
    await work.insert("keys", record);
  });
  return { ...record, api_key };
}

/** Returns the caller as the rule about budgets needs it, from what is stored now. */
async function changerOf(work: Work, caller: AccountCaller): Promise<BudgetChanger> {
  if (caller.type !== "key") return caller;
  return { type: "key", lineage: await lineageOf(work, caller.key.id) };
}

async function visibleKey(ctx: AccountContext, key_id: string): Promise<KeyRecord> {
  const key = await ctx.storage.get("keys", key_id);
  if (key === undefined || !reaches(ctx.caller, key)) throw notFound("key_not_found", "key", key_id);
  return key;
}
