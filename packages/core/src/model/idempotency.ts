import { z } from "zod";
import { Timestamp } from "./fields.ts";
/** The response of a successful call with an Idempotency-Key. */
export const IdempotencyRecord = z.object({
  account_id: z.string(),
  key: z.string(),
  fingerprint: z.string(),
  response: z.record(z.string(), z.unknown()),
  expires_at: Timestamp,
});

export type IdempotencyRecord = z.infer<typeof IdempotencyRecord>;
