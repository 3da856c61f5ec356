import { authoritiesOver } from "../../kernel/access/authority.ts";
import type { AccountCaller, OwnerCaller } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import type { Person } from "../../owners/sessions/index.ts";
import { findWorkspace, workspaceNotFound } from "./find.ts";
import { checkMayActWithin } from "./rules.ts";

/**
 * Returns a caller as one within a workspace of its account, with no more permissions than it has. Fails with
 * `permission_denied` for callers that don't reach the whole account, and with `workspace_not_found`.
 */
export async function callerWithin<C extends AccountCaller>(
  { storage }: Pick<Services, "storage">,
  caller: C,
  workspace_id: string,
): Promise<C> {
  checkMayActWithin(caller);
  const { account_id } = await findWorkspace({ storage, account_id: caller.account_id }, workspace_id);
  return { ...caller, account_id };
}

/**
 * Returns an account owner as a caller within a workspace of that account; `account_id`, if given, must be its
 * parent's. Fails with `workspace_not_found`, also for people who aren't account owners there.
 */
export async function ownerWithin(
  services: Pick<Services, "storage" | "options">,
  person: Person,
  { workspace_id, account_id }: { workspace_id: string; account_id?: string | undefined },
): Promise<OwnerCaller> {
  const { storage } = services;
  const workspace = await storage.get("workspaces", workspace_id);
  if (workspace === undefined) throw workspaceNotFound(workspace_id);
  const { parent_account_id } = workspace;
  const owners = await authoritiesOver(services, storage, { account_id: parent_account_id, inbox_id: null });
  const named = account_id === undefined || account_id === parent_account_id;
  if (!named || owners.every(({ email }) => email !== person.email)) throw workspaceNotFound(workspace_id);
  return {
    ...person,
    type: "owner",
    account_id: workspace.account_id,
    account_owner: true,
    permissions: null,
    inbox_ids: null,
  };
}
