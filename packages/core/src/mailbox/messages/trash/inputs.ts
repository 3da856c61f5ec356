import { z } from "zod";

/** Whether a deletion skips the trash, or empties it. */
export const Permanent = z
  .boolean()
  .default(false)
  .describe("Delete it for good, also from the trash; needs `message_delete`. It can't be restored then.");

/** The folder that a list of messages or drafts shows in place of the inbox. */
export const TrashFolder = z
  .enum(["trash"])
  .optional()
  .describe("`trash` lists what was deleted and can still be restored; without it, what is there.");
