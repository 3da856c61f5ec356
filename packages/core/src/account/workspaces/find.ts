import type { z } from "zod";
import type { AccountContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import type { Workspace, WorkspaceRecord } from "../../model/workspaces.ts";
import { usedBy } from "./rules.ts";

/** A workspace of the caller's account. Fails with `workspace_not_found`. */
export async function findWorkspace(
  { storage, account_id }: Pick<AccountContext, "storage" | "account_id">,
  workspace_id: string,
): Promise<WorkspaceRecord> {
  const workspace = await storage.get("workspaces", workspace_id);
  if (workspace?.parent_account_id !== account_id) throw workspaceNotFound(workspace_id);
  return workspace;
}

/** `workspace_not_found`, which tells a mistyped id from an unknown one. */
export const workspaceNotFound = (workspace_id: string): Error =>
  notFound("workspace_not_found", "wsp", workspace_id);

/** A workspace as it is shown. */
export const showWorkspace = (workspace: WorkspaceRecord): z.input<typeof Workspace> => ({
  ...workspace,
  inboxes_used: usedBy(workspace),
});
