import { z } from "zod";

/**
 * What a flush came to: owners who had something queued, updates that went out, and letters (decisions,
 * section 7).
 */
export const DigestFlush = z.object({
  object: z.literal("digest_flush").default("digest_flush"),
  owners: z.int(),
  updates: z.int(),
  sent: z.int(),
});
