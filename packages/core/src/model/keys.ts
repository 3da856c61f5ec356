import { z } from "zod";
import { Permission } from "../catalogue/permissions.ts";
import { Timestamp } from "./fields.ts";

/** An API key as shown, without its secret (interface, "API key"). */
export const Key = z.object({
  object: z.literal("api_key").default("api_key"),
  id: z.string(),
  name: z.string(),
  /** The first characters of the secret, so that people can tell keys apart. */
  prefix: z.string(),
  inbox_id: z.string().nullable(),
  permissions: z.array(Permission).nullable(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
  expires_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
});
export type Key = z.infer<typeof Key>;

/** A new key with its secret, which is shown only once. */
export const NewKey = Key.extend({ api_key: z.string(), account_id: z.string() });

/** An API key as stored, with only a SHA-256 of the secret. */
export const KeyRecord = Key.omit({ object: true }).extend({ account_id: z.string(), hash: z.string() });
export type KeyRecord = z.infer<typeof KeyRecord>;
