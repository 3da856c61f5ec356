import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** A word that must never leave: planted where an agent can read it, it tells on whoever makes the agent pass it on. */
export const Canary = z.object({
  object: z.literal("canary").default("canary"),
  id: z.string().describe("The canary's id."),
  inbox_id: z.string().describe("The inbox that it watches."),
  name: z.string().describe("Where it is planted, in the words of whoever did."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  spent_at: Timestamp.nullable().describe(
    "When it first came in with mail, so that others know it: it is still kept from leaving, but pauses nothing; null before that.",
  ),
  tripped_at: Timestamp.nullable().describe("When it was last kept from leaving; null if it never was."),
});
export type Canary = z.infer<typeof Canary>;

/** A new canary, with its word, which is shown only once. */
export const NewCanary = Canary.extend({
  canary: z.string().describe("The word itself: `lsc` and 38 letters and digits. Only its hash is kept."),
}).meta({ title: "CreatedCanary" });
export type NewCanary = z.infer<typeof NewCanary>;

/** A canary as stored. */
export const CanaryRecord = Canary.omit({ object: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  hash: z.string().describe("The hash of its word."),
});
export type CanaryRecord = z.infer<typeof CanaryRecord>;
