import { z } from "zod";
import { Timestamp } from "./fields.ts";
/** The response of a successful call with an Idempotency-Key; also the message that a sent draft became. */
export const IdempotencyRecord = z.object({
  account_id: z.string().describe("The account that it belongs to."),
  key: z.string().describe("The Idempotency-Key; of a sent draft `draft` and its id, apart by a blank."),
  fingerprint: z
    .string()
    .describe("A hash of the request, by which another request with the same key is told."),
  response: z
    .record(z.string(), z.unknown())
    .describe("The answer of the first call; of a sent draft its kind, and the id of its message."),
  expires_at: Timestamp.describe("When the key may be used anew."),
});

export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;
