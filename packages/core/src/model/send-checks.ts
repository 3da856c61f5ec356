import { z } from "zod";
import { Reason } from "./approvals.ts";

/** The result of a dry run, with everything that was checked; nothing was sent, stored or counted. */
export const SendCheck = z.object({
  object: z.literal("send_check"),
  would: z
    .enum(["send", "hold", "refuse"])
    .describe("Whether it would leave, wait for its time or an owner, or be refused."),
  from: z.string().describe("The address or number that it would come from."),
  to: z.array(z.string()).describe("To whom it would go."),
  cc: z.array(z.string()).describe("The addresses in Cc."),
  bcc: z.array(z.string()).describe("The addresses in Bcc."),
  subject: z.string().describe("The subject line; empty for a text or call."),
  thread_id: z.string().nullable().describe("The thread that it would be in; null if it would open one."),
  size_bytes: z.int().describe("The bytes of its bodies and files."),
  digest: z
    .string()
    .nullable()
    .describe(
      "The digest of the mail as given, which an approval of it would have if its HTML needs no cleaning; null for a text or call.",
    ),
  checks: z
    .array(
      z.object({
        name: z.string().describe("What was checked."),
        result: z
          .enum(["pass", "warn", "hold", "fail"])
          .describe("`fail` refuses it, `hold` has an owner asked, `warn` only stands there."),
        code: z.string().nullable().describe("The code of the error or finding; null where it passed."),
        detail: z.string().nullable().describe("What was found; null where it passed."),
        param: z.string().nullable().describe("The field that it is about; null without one."),
      }),
    )
    .describe(
      "All checks in their order, none hidden behind an earlier one. The first that fails is the error of the call.",
    ),
  reasons: z.array(Reason).describe("Why an owner would be asked."),
  budget: z
    .object({
      sends_left: z
        .int()
        .nullable()
        .describe("How many more recipients the key may write to today; null for no limit."),
      new_recipients_left: z
        .int()
        .nullable()
        .describe("How many of them may be new to the account; null for no limit."),
    })
    .describe("What is left of the key's budgets."),
});
export type SendCheck = z.infer<typeof SendCheck>;
