import { z } from "zod";

/** Whether a deletion skips the trash, or empties it. */
export const Permanent = z
  .boolean()
  .default(false)
  .describe("Delete it for good, also from the trash; needs `message_delete`. It can't be restored then.");

/** What a list of messages or drafts is to show instead of those that are there. */
export const TrashFolder = z
  .enum(["trash"])
  .optional()
  .describe("`trash` lists what was deleted and can still be restored; without it, what is there.");
