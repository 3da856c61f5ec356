import { z } from "zod";

/**
 * The result of a flush: owners who had queued updates, updates that were sent, and letters.
 */
export const DigestFlush = z.object({
  object: z.literal("digest_flush").default("digest_flush"),
  owners: z.int().describe("How many owners had queued updates."),
  updates: z.int().describe("How many updates were sent."),
  sent: z.int().describe("How many digests were sent: one for each owner and inbox."),
});
export type DigestFlush = z.infer<typeof DigestFlush>;
