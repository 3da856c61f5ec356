import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * That a DKIM signature, or a Message-ID of an authenticated author, was seen at one place: an inbox, or the
 * reply address of a letter.
 */
export const SeenSignatureRecord = z.object({
  /** SHA-256 of the signature, or of author and Message-ID. */
  hash: z.string(),
  /** The inbox's id, or the hash of the reply address. */
  place: z.string(),
  /** The author named that place as a recipient, so that other named places are copies of one mail. */
  named: z.boolean(),
  expires_at: Timestamp,
});
export type SeenSignatureRecord = z.infer<typeof SeenSignatureRecord>;
