import { z } from "zod";

/** The answer to a repeated call in place of a record that its caller may not read. */
export const Replayed = z
  .object({
    object: z.literal("replayed").default("replayed"),
    id: z.string().describe("The id of what the first call made."),
    kind: z.string().describe("The kind of record, such as `message` or `draft`: its own `object`."),
    idempotent: z.literal(true).describe("Always true."),
  })
  .meta({
    title: "Replayed",
    description:
      "What a repeated call answers instead of a record that the caller has no permission to read: enough to know that it was done, and by which id.",
  });
export type Replayed = z.infer<typeof Replayed>;
