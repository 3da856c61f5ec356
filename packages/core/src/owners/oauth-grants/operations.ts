import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { GrantName } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { type AccountCaller, reachesInbox } from "../../kernel/access/caller.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { operation } from "../../kernel/operation.ts";
import { Grant, type GrantRecord } from "../../model/apps.ts";
import { listOf, wholeList } from "../../model/fields.ts";
import { countTokens, endGrants } from "./end.ts";
import { type LiveGrant, rowsOf } from "./rules.ts";

/** The client id of an app that publishes a client metadata document. */
const EXAMPLE_CLIENT = "https://app.example/client.json";

/** The operations on the apps that people let in. */
export const grants = {
  list: operation({
    summary: "Lists the apps that have access to the account, one row for each, the last refreshed first.",
    when: "See which apps people let in, what they may do, and whether they are used.",
    errors: ["permission_denied"],
    scope: "filtered",
    effect: "read",
    allow: ["key_read", "grant_read"],
    authorize: checkSeesGrants,
    input: z.object({}),
    output: listOf(Grant),
    run: async (ctx) => wholeList(rowsOf(await liveGrants(ctx))),
  }),

  get: operation({
    summary: "Shows the access of one app, by its client id or the id of one of its grants.",
    when: "Look up what one app may do.",
    example: { client_id: EXAMPLE_CLIENT },
    errors: ["permission_denied", "grant_not_found"],
    scope: "filtered",
    effect: "read",
    allow: ["key_read", "grant_read"],
    authorize: checkSeesGrants,
    input: z.object({ client_id: GrantName }),
    output: Grant,
    run: async (ctx, { client_id }) => rowsOf(await grantsNamed(ctx, client_id))[0] as Grant,
  }),

  delete: operation({
    summary:
      "Ends the access of an app at once: all its grants that the caller sees, or the one whose id is given.",
    when: "Shut out an app that is no longer used or trusted; its tokens stop working at once.",
    example: { client_id: EXAMPLE_CLIENT },
    errors: ["permission_denied", "grant_not_found"],
    scope: "filtered",
    effect: "delete",
    allow: ["grant_write"],
    authorize: checkSeesGrants,
    input: z.object({ client_id: GrantName }),
    output: z.object({
      id: z.string().describe("What was named: the client id, or the grant's."),
      object: z.literal("oauth_grant"),
      deleted: z.literal(true),
      tokens_revoked: z.int().describe("How many tokens worked until now."),
    }),
    async run(ctx, { client_id }) {
      const [app] = await grantsNamed(ctx, client_id);
      // Includes grants whose first tokens the app is about to fetch.
      const ended = (await seenGrants(ctx)).filter(
        (grant) => grant.id === client_id || (client_id === app?.client_id && grant.client_id === client_id),
      );
      const tokens_revoked = await ctx.transaction((work) => endGrants(work, ended, ctx.now));
      return { id: client_id, object: "oauth_grant" as const, deleted: true as const, tokens_revoked };
    },
  }),
};

/** Callers limited to inboxes see no grants, except people, who see those of their inboxes. */
function checkSeesGrants(caller: AccountCaller): void {
  if (caller.type !== "owner" && caller.inbox_ids !== null) throw fail("permission_denied");
}

async function seenGrants(ctx: AccountContext): Promise<GrantRecord[]> {
  const all = await ctx.storage.find("oauth_grants", {
    where: { account_id: ctx.account_id },
    order: { by: "id", direction: "desc" },
    limit: LIMITS.oauth_grants_per_account,
  });
  return all.filter(({ inbox_id }) => reachesInbox(ctx.caller, inbox_id));
}

/** The grants that the caller sees and that have a token which works. */
async function liveGrants(ctx: AccountContext): Promise<LiveGrant[]> {
  const counted = await Promise.all(
    (await seenGrants(ctx)).map(async (grant) => ({
      ...grant,
      active_tokens: await countTokens(ctx.storage, grant.id, ctx.now),
    })),
  );
  return counted.filter(({ active_tokens }) => active_tokens > 0);
}

/** The live grants of the app that a client id or one of its grants' ids names. Fails with `grant_not_found`. */
async function grantsNamed(ctx: AccountContext, name: string): Promise<LiveGrant[]> {
  const live = await liveGrants(ctx);
  const client_id = live.find(({ id }) => id === name)?.client_id ?? name;
  const found = live.filter((grant) => grant.client_id === client_id);
  if (found.length === 0) throw fail("grant_not_found");
  return found;
}
