import { z } from "zod";
import { Timestamp } from "./fields.ts";

/** How a refused call came. */
export const RefusalSource = z.enum(["http", "mcp"]).describe("Whether the call came over HTTP or MCP.");
export type RefusalSource = z.infer<typeof RefusalSource>;

/** A call of a key or an app that was refused, without anything that it said. */
export const Refusal = z.object({
  object: z.literal("refusal").default("refusal"),
  id: z.string().describe("The refusal's id."),
  first_at: Timestamp.describe("When it was first refused in that minute (ISO 8601, UTC)."),
  last_at: Timestamp.describe("When it was last refused in that minute."),
  operation: z.string().describe("The operation, such as `messages.send`."),
  status: z.int().describe("The HTTP status, from 400 to 499."),
  error: z
    .object({
      type: z.string().describe("The error's type."),
      code: z.string().describe("The error's code."),
      param: z.string().nullable().describe("The field or permission that it named; null for none."),
    })
    .meta({ title: "RefusalError" })
    .describe("The error that the caller got."),
  key_id: z.string().nullable().describe("The key that called; null for an app."),
  client_id: z.string().nullable().describe("The app that called; null for a key."),
  inbox_id: z.string().nullable().describe("The inbox that the path named; null for none."),
  source: RefusalSource,
  count: z
    .int()
    .describe(
      "How often it was refused in that minute: the same caller, operation, code and inbox are one record.",
    ),
  request_id: z.string().describe("The first call's id, which its answer had as `x-request-id`."),
});
export type Refusal = z.infer<typeof Refusal>;

/** A refusal as stored. */
export const RefusalRecord = Refusal.omit({ object: true }).extend({
  account_id: z.string().describe("The account that the caller belongs to."),
  caller_id: z.string().describe("The key, or the app's grant."),
  minute: z
    .string()
    .describe("A hash of what makes calls one record: caller, operation, code, inbox and minute."),
  code: z.string().describe("The error's code, by which a list is narrowed."),
});
export type RefusalRecord = z.infer<typeof RefusalRecord>;
