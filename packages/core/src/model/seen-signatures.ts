import { z } from "zod";
import { Timestamp } from "./fields.ts";

/**
 * That a DKIM signature, or a Message-ID of an authenticated author, was seen at one place: an inbox, or the
 * reply address of a letter. Also that a provider's text or call was taken in by an inbox, and which message has a
 * recording.
 */
export const SeenSignatureRecord = z.object({
  hash: z.string().describe("SHA-256 of the signature, of author and Message-ID, or of a provider's id."),
  place: z.string().describe("The inbox's id, the hash of the reply address, or the message of a recording."),
  named: z
    .boolean()
    .describe(
      "Whether the author named that place as a recipient, so that other named places are copies of one mail.",
    ),
  expires_at: Timestamp.describe("When it is forgotten."),
});
export type SeenSignatureRecord = z.infer<typeof SeenSignatureRecord>;
