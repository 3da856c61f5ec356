import type { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import type { AccountContext } from "../../kernel/context.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { takeFromPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import type { Workspace, WorkspaceRecord } from "../../model/workspaces.ts";
import { checkParentKey, newKey } from "../accounts/keys/create.ts";
import { accountWithoutKey } from "../accounts/open.ts";
import { showWorkspace } from "./find.ts";
import { checkNotNested, firstWorkspaceKey } from "./rules.ts";

const FIRST_KEY_NAME = "Workspace key";

/**
 * Creates a workspace: a sub-account of the caller's account, with a key that has at most the caller's
 * permissions and ends with the caller's. Its secret is in no repeated answer. Fails with `permission_denied`
 * within a workspace, with `plan_limit_exceeded`, `api_key_revoked` or `key_generations`.
 */
export async function createWorkspace(
  ctx: AccountContext,
  asked: { name: string; inbox_quota: number; client_id?: string | undefined },
): Promise<z.input<typeof Workspace>> {
  const { caller, now } = ctx;
  const parent = await ctx.storage.get("accounts", ctx.account_id);
  if (parent === undefined) throw fail("invalid_api_key");
  checkNotNested(parent);
  const key = caller.type === "key" ? caller.key : null;
  const parent_key_id = key?.id ?? null;
  const account = { ...accountWithoutKey(ctx, now), parent_account_id: parent.id };
  const first = newKey(
    ctx.makeId,
    {
      ...firstWorkspaceKey({ permissions: caller.permissions, key }),
      account_id: account.id,
      name: FIRST_KEY_NAME,
      parent_key_id,
    },
    now,
  );
  const wanted: WorkspaceRecord = {
    id: ctx.makeId("wsp"),
    account_id: account.id,
    parent_account_id: parent.id,
    name: asked.name,
    inbox_quota: asked.inbox_quota,
    inboxes_left: asked.inbox_quota,
    api_key_prefix: first.record.prefix,
    client_id: asked.client_id ?? null,
    created_at: iso(now),
    updated_at: iso(now),
  };
  const make = async (work: Parameters<typeof checkParentKey>[0]) => {
    const { record, inserted } = await work.insert("workspaces", wanted);
    if (!inserted) return { ...showWorkspace(record), idempotent: true };
    await takeFromPlan(ctx, work, parent.id, "workspaces", 1, now);
    await checkParentKey(work, parent_key_id);
    work.append("accounts", [account]);
    work.append("keys", [first.record]);
    return { ...showWorkspace(record), api_key: first.api_key };
  };
  return answerInTransaction(ctx, make, ({ api_key: _shown_once, ...kept }) => kept);
}
