import { z } from "zod";
import { Timestamp } from "./fields.ts";
import { TaskRecord } from "./tasks.ts";

/** The caller that moved a record to the trash. */
export const DeletedBy = z
  .object({
    type: z
      .enum(["key", "app", "owner"])
      .describe("An agent with a key, an app, or a person in their session."),
    key_id: z.string().nullable().describe("The key; null for the others."),
    client_id: z.string().nullable().describe("The app; null for the others."),
    email: z.string().nullable().describe("The person's address; null for keys and apps."),
  })
  .meta({ title: "DeletedBy" });
export type DeletedBy = z.infer<typeof DeletedBy>;

/** The fields of a record in a list of the trash, beside the record's own. */
export const TrashFields = {
  restorable_until: Timestamp.optional().describe(
    "When it is deleted for good; only in lists of the trash, otherwise absent.",
  ),
  deleted_by: DeletedBy.optional().describe(
    "Who moved it to the trash; only in lists of the trash, otherwise absent.",
  ),
};

/** Until when what a call deleted can be restored. */
export const RestorableUntil = Timestamp.nullable().describe(
  "Until when it can be restored (ISO 8601, UTC); null if it was deleted for good.",
);

/**
 * A message, thread or draft in the trash. It has left the table of its kind, with its filter terms, references and
 * search words, so that nothing that reads those can find it; only its blobs stay in use.
 */
export const TrashRecord = z.object({
  id: z.string().describe("The id of the message, thread or draft."),
  account_id: z.string().describe("The account that it belongs to."),
  inbox_id: z.string().describe("The inbox that it was in."),
  thread_id: z.string().nullable().describe("The thread that it is or belongs to; null for a draft without."),
  group_id: z
    .string()
    .nullable()
    .describe("The thread together with which a message was deleted; null if it was deleted by itself."),
  deleted_by: DeletedBy.describe("Who moved it to the trash."),
  trashed_at: Timestamp.describe("When it was moved to the trash."),
  restorable_until: Timestamp.describe("When it is deleted for good."),
  size_bytes: z.int().describe("The bytes that it takes of the account's storage."),
  record: z.record(z.string(), z.unknown()).describe("The record as it was stored."),
  body: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("A message's body as it was stored; null for threads and drafts."),
  tasks: z.array(TaskRecord).describe("The tasks that a message made, which come back with it."),
});
export type TrashRecord = z.infer<typeof TrashRecord>;
