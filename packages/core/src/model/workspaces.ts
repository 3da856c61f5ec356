import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { Line, Timestamp } from "./fields.ts";

/** A workspace's name. */
export const WorkspaceName = Line(LIMITS.workspace_name_chars).min(1);

/** The number of inboxes that a workspace may have. */
export const InboxQuota = z.int().min(1).max(LIMITS.workspace_inboxes);

/** A workspace as shown: a sub-account of the account that made it (decisions, section 11). */
export const Workspace = z.object({
  object: z.literal("workspace").default("workspace"),
  id: z.string().describe("The workspace's id."),
  name: z.string().describe("Its name, for people."),
  inbox_quota: z.int().describe("How many inboxes it may have."),
  inboxes_used: z.int().describe("How many inboxes it has."),
  account_id: z.string().describe("The id of the sub-account that its keys and inboxes belong to."),
  api_key: z
    .string()
    .optional()
    .describe("The secret of its first key; it is shown only in the answer that made the workspace."),
  api_key_prefix: z
    .string()
    .describe("The first characters of that secret, by which people tell keys apart."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  updated_at: Timestamp.describe("When its name or quota was last changed (ISO 8601, UTC)."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
});
export type Workspace = z.infer<typeof Workspace>;

/** A workspace as stored. The rest of its quota is counted down, so that a write can be conditional on it. */
export const WorkspaceRecord = Workspace.omit({
  object: true,
  idempotent: true,
  api_key: true,
  inboxes_used: true,
}).extend({
  parent_account_id: z.string().describe("The account that made it."),
  inboxes_left: z.int().describe("How many more inboxes it may have."),
});
export type WorkspaceRecord = z.infer<typeof WorkspaceRecord>;
