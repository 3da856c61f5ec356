import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A key of the service itself, which all of its processes use. */
export const ServiceKeyRecord = z.object({
  name: z.string().describe("What the key is for, such as `dkim agents.example.com letterslot`."),
  sealed_key: z.string().describe("The key, encrypted."),
  created_at: Timestamp.describe("When it was made."),
});
export type ServiceKeyRecord = z.infer<typeof ServiceKeyRecord>;
