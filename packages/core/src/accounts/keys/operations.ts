import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { IdInput } from "../../catalogue/ids.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { PERMISSION_NAMES, Permission } from "../../catalogue/permissions.ts";
import { type AccountCaller, reaches, withinReach } from "../../kernel/caller.ts";
import type { AccountContext, PublicContext } from "../../kernel/context.ts";
import { expiryFields } from "../../kernel/expiry.ts";
import { notFound } from "../../kernel/gate.ts";
import { findInbox } from "../../kernel/inbox/find.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { CursorInput, iso, Limit, Line, listOf } from "../../model/fields.ts";
import { Key, type KeyRecord, NewKey } from "../../model/keys.ts";
import { openAccount } from "../open.ts";
import { DEFAULT_KEY_NAME, newKey } from "./create.ts";
import { checkChange, checkRead, creatorOf, firstKeyTerms, type KeyRequest, newKeyTerms } from "./rules.ts";

const KeyName = Line(200);

const wishFields = {
  name: KeyName.optional(),
  permissions: z.array(Permission).min(1).max(PERMISSION_NAMES.length).nullable().optional(),
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
    scope: "public",
    in_account: true,
    effect: "write",
    allow: "any",
    input: z.object({ ...wishFields, inbox_id: IdInput.nullable().optional() }),
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
    scope: "inbox",
    effect: "write",
    allow: ["key_write"],
    input: z.object({ ...wishFields, inbox_id: IdInput }),
    output: NewKey,
    run: (ctx, { name, ...request }) => addKey(ctx, ctx.caller, { ...request, inbox_id: ctx.inbox.id }, name),
  }),

  list: operation({
    summary: "Lists the API keys, newest first, without their secrets.",
    scope: "filtered",
    effect: "read",
    pages: true,
    allow: ["key_read"],
    input: z.object({ limit: Limit(LIMITS.list_default, LIMITS.list_max), cursor: CursorInput.optional() }),
    output: listOf(Key),
    async run(ctx, { limit, cursor }) {
      const where = withinReach(ctx.caller);
      return newestFirst(ctx.storage, "keys", { where, limit, cursor });
    },
  }),

  get: operation({
    summary: "Shows an API key, without its secret.",
    scope: "filtered",
    effect: "read",
    allow: "any",
    input: z.object({ key_id: IdInput }),
    output: Key,
    async run(ctx, { key_id }) {
      const key = await visibleKey(ctx, key_id);
      checkRead(creatorOf(ctx.caller), key);
      return key;
    },
  }),

  update: operation({
    summary: "Renames an API key.",
    scope: "filtered",
    effect: "write",
    allow: "any",
    input: z.object({ key_id: IdInput, name: KeyName }),
    output: Key,
    async run(ctx, { key_id, name }) {
      checkChange(creatorOf(ctx.caller), await visibleKey(ctx, key_id));
      const [renamed] = await ctx.storage.update("keys", { id: key_id }, { name });
      if (renamed === undefined) throw notFound("key_not_found", "key", key_id);
      return renamed;
    },
  }),

  delete: operation({
    summary: "Revokes an API key immediately. A key may revoke itself.",
    scope: "filtered",
    effect: "delete",
    allow: "any",
    input: z.object({ key_id: IdInput }),
    output: z.object({ id: z.string(), object: z.literal("api_key"), deleted: z.literal(true) }),
    async run(ctx, { key_id }) {
      checkChange(creatorOf(ctx.caller), await visibleKey(ctx, key_id));
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
  const { record, api_key } = newKey(ctx.makeId, { ...terms, account_id: caller.account_id, name }, ctx.now);
  await ctx.transaction(async (work) => {
    // Read again: no key may come from a key that was just revoked, or for an inbox just deleted.
    if (caller.type === "key" && (await work.get("keys", caller.key.id))?.revoked_at !== null)
      throw fail("api_key_revoked");
    if (terms.inbox_id !== null && (await work.get("inboxes", terms.inbox_id)) === undefined)
      throw fail("inbox_not_found", { param: "inbox_id" });
    await work.insert("keys", record);
  });
  return { ...record, api_key };
}

async function visibleKey(ctx: AccountContext, key_id: string): Promise<KeyRecord> {
  const key = await ctx.storage.get("keys", key_id);
  if (key === undefined || !reaches(ctx.caller, key)) throw notFound("key_not_found", "key", key_id);
  return key;
}
