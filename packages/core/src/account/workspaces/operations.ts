import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { IdInput, WorkspaceId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { newestFirst } from "../../kernel/page.ts";
import { ClientId, CursorInput, iso, Limit, listOf } from "../../model/fields.ts";
import { DeletedInbox, Inbox } from "../../model/inboxes.ts";
import { InboxQuota, Workspace, WorkspaceName } from "../../model/workspaces.ts";
import { closeWorkspace, deleteInbox, deleteInboxes, emptyTrash } from "./close.ts";
import { createWorkspace } from "./create.ts";
import { findWorkspace, showWorkspace, workspaceNotFound } from "./find.ts";
import { withQuota } from "./rules.ts";

const DeletedWorkspace = z.object({
  id: z.string().describe("The workspace's id."),
  object: z.literal("workspace"),
  deleted: z.literal(true),
  inboxes_deleted: z.int().describe("How many inboxes were deleted with it."),
  keys_revoked: z.int().describe("How many of its keys were revoked."),
});

const QUOTA = `from 1 to ${LIMITS.workspace_inboxes.toLocaleString("en")}`;

/** The operations on workspaces. */
export const workspaces = {
  list: operation({
    summary: "Lists the workspaces, newest first.",
    when: "See which workspaces there are, and how much of its quota each uses.",
    scope: "account",
    effect: "read",
    pages: true,
    allow: ["workspace_read"],
    input: z.object({ limit: Limit(LIMITS.list_default, LIMITS.list_max), cursor: CursorInput.optional() }),
    output: listOf(Workspace),
    async run(ctx, { limit, cursor }) {
      const where = { parent_account_id: ctx.account_id };
      const page = await newestFirst(ctx.storage, "workspaces", { where, limit, cursor });
      return { ...page, data: page.data.map(showWorkspace) };
    },
  }),

  create: operation({
    summary:
      "Creates a workspace: an account of its own below this one, with a key that has at most the caller's permissions. The secret is shown only here.",
    when: "Keep customers, projects or tests apart: each workspace has its own inboxes, keys, webhooks and events, and sees nothing else.",
    example: { name: "Acme", inbox_quota: 10, client_id: "customer-17" },
    errors: ["permission_denied", "plan_limit_exceeded", "key_generations"],
    scope: "account",
    effect: "write",
    allow: ["workspace_write"],
    idempotent: true,
    input: z.object({
      name: WorkspaceName.describe(
        `A name for people; 1 to ${LIMITS.workspace_name_chars} characters, one line.`,
      ),
      inbox_quota: InboxQuota.describe(`How many inboxes it may have, ${QUOTA}.`),
      client_id: ClientId.optional(),
    }),
    output: Workspace,
    async replay(ctx, { client_id }) {
      if (client_id === undefined) return undefined;
      const where = { parent_account_id: ctx.account_id, client_id };
      const [first] = await ctx.storage.find("workspaces", { where, limit: 1 });
      return first && showWorkspace(first);
    },
    run: createWorkspace,
  }),

  get: operation({
    summary: "Shows a workspace.",
    when: "See how much of its quota a workspace uses.",
    scope: "account",
    effect: "read",
    allow: ["workspace_read"],
    input: z.object({ workspace_id: WorkspaceId }),
    output: Workspace,
    run: async (ctx, { workspace_id }) => showWorkspace(await findWorkspace(ctx, workspace_id)),
  }),

  update: operation({
    summary: "Renames a workspace, or changes how many inboxes it may have.",
    when: "Give a customer more room, or less.",
    example: { inbox_quota: 25 },
    errors: ["missing_change", "quota_below_usage"],
    scope: "account",
    effect: "write",
    patches: true,
    allow: ["workspace_write"],
    input: z.object({
      workspace_id: WorkspaceId,
      name: WorkspaceName.optional().describe(
        `The new name; 1 to ${LIMITS.workspace_name_chars} characters, one line.`,
      ),
      inbox_quota: InboxQuota.optional().describe(
        `How many inboxes it may have, ${QUOTA}; not fewer than it has.`,
      ),
    }),
    output: Workspace,
    async run(ctx, { workspace_id, name, inbox_quota }) {
      if (name === undefined && inbox_quota === undefined) throw fail("missing_change");
      const { id } = await findWorkspace(ctx, workspace_id);
      return ctx.transaction(async (work) => {
        // Once its row is written, no inbox is counted meanwhile.
        const [before] = await work.update("workspaces", { id }, { updated_at: iso(ctx.now) });
        if (before === undefined) throw workspaceNotFound(workspace_id);
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(inbox_quota === undefined ? {} : withQuota(before, inbox_quota)),
        };
        const [after] = await work.update("workspaces", { id }, change);
        return showWorkspace(after ?? before);
      });
    },
  }),

  delete: operation({
    summary:
      "Deletes a workspace, revokes its keys and erases what is left of it. With delete_inboxes=true its inboxes go first.",
    when: "A customer has left, or a test is over.",
    errors: ["workspace_not_empty", "approval_required"],
    scope: "account",
    effect: "delete",
    allow: ["workspace_write"],
    input: z.object({
      workspace_id: WorkspaceId,
      delete_inboxes: z
        .boolean()
        .default(false)
        .describe("True deletes its inboxes with it, or none of them if one needs an approval."),
    }),
    output: DeletedWorkspace,
    async run(ctx, { workspace_id, delete_inboxes }) {
      const workspace = await findWorkspace(ctx, workspace_id);
      const inboxes_deleted = delete_inboxes ? await deleteInboxes(ctx, workspace) : 0;
      await emptyTrash(ctx, workspace);
      const { keys_revoked } = await closeWorkspace(ctx, workspace);
      return {
        id: workspace.id,
        object: "workspace" as const,
        deleted: true as const,
        inboxes_deleted,
        keys_revoked,
      };
    },
  }),

  inboxes: operation({
    summary: "Lists the inboxes of a workspace, newest first.",
    when: "See what a workspace has, without a key of its own.",
    scope: "account",
    effect: "read",
    pages: true,
    allow: ["workspace_read"],
    input: z.object({
      workspace_id: WorkspaceId,
      limit: Limit(LIMITS.list_default, LIMITS.list_max),
      cursor: CursorInput.optional(),
    }),
    output: listOf(Inbox),
    async run(ctx, { workspace_id, limit, cursor }) {
      const { account_id } = await findWorkspace(ctx, workspace_id);
      return newestFirst(ctx.storage, "inboxes", { where: { account_id }, limit, cursor });
    },
  }),

  deleteInbox: operation({
    summary: "Deletes an inbox of a workspace with all that it holds, as its own deletion does.",
    when: "Close an inbox of a workspace, without a key of its own.",
    errors: ["inbox_not_found", "approval_required"],
    scope: "account",
    effect: "delete",
    allow: ["workspace_write"],
    input: z.object({
      workspace_id: WorkspaceId,
      workspace_inbox_id: IdInput.describe("The id of an inbox of the workspace."),
    }),
    output: DeletedInbox,
    run: async (ctx, { workspace_id, workspace_inbox_id }) =>
      deleteInbox(ctx, await findWorkspace(ctx, workspace_id), workspace_inbox_id),
  }),
};
