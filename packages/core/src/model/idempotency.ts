import { z } from "zod";
import { Timestamp } from "./fields.ts";
/** The response of a successful call with an Idempotency-Key. */
export const IdempotencyRecord = z.object({
  account_id: z.string().describe("The account that it belongs to."),
  key: z.string().describe("The Idempotency-Key."),
  fingerprint: z
    .string()
    .describe("A hash of the request, by which another request with the same key is told."),
  response: z.record(z.string(), z.unknown()).describe("The answer of the first call."),
  expires_at: Timestamp.describe("When the key may be used anew."),
});

export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;
