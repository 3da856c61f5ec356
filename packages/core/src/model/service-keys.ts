import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A key of the service itself, which all of its processes use. */
export const ServiceKeyRecord = z.object({
  name: z.string().describe("What the key is for, such as `dkim agents.example.com letterslot`."),
  sealed_key: z.string().describe("The key, encrypted."),
  created_at: Timestamp.describe("When it was made."),
});
export type ServiceKeyRecord = z.infer<typeof ServiceKeyRecord>;

/**
 * A public key that this service signs mail with, or once did. It is remembered for good: what it signed proves
 * nobody outside, wherever the key is published later.
 */
export const KnownKeyRecord = z.object({
  hash: z.string().describe("SHA-256 of the key's SubjectPublicKeyInfo, in base64url."),
});
export type KnownKeyRecord = z.infer<typeof KnownKeyRecord>;
