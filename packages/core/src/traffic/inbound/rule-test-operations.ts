import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, MessageId } from "../../catalogue/id-inputs.ts";
import { LIMITS, MESSAGE_SIZE } from "../../catalogue/limits.ts";
import { operation } from "../../kernel/operation.ts";
import { Base64Bytes } from "../../model/fields.ts";
import { ConditionName, NewActions, NewConditions, SkippedAction } from "../../model/inbox-rules.ts";
import { InjectInput } from "./inject.ts";
import { countMatches, testRules } from "./rule-test.ts";

/** Trying rules on mail, which changes nothing. */
export const ruleTest = {
  test: operation({
    summary:
      "Says what an inbox's rules, or one that isn't stored, would do with a mail; or how many stored mails a rule matches. Changes nothing.",
    when: "Try a rule before you turn it on, or find out why it didn't match.",
    example: {
      message: { from: "Shop <news@shop.example>", subject: "Sale", text: "Everything must go." },
      rule: { conditions: { subject_contains: ["sale"] }, actions: { archive: true } },
    },
    errors: ["message_not_found", "mail_unreadable", "invalid_rule"],
    scope: "inbox",
    effect: "read",
    allow: ["message_read"],
    input: z.object({
      inbox_id: InboxId,
      message_id: MessageId.optional().describe("A stored message to try them on."),
      raw: Base64Bytes("mail_unreadable")
        .optional()
        .describe(`A whole mail (RFC 5322) in Base64 to try them on. ${MESSAGE_SIZE}`),
      message: InjectInput.pick({
        ...{ from: true, to: true, cc: true, subject: true, text: true, html: true, headers: true },
        auth: true,
      })
        .strict()
        .meta({ title: "TestMail" })
        .optional()
        .describe("The fields of a mail to try them on."),
      rule: z
        .strictObject({
          name: z.string().max(LIMITS.rule_name_chars).default("").describe("Its name, for people."),
          conditions: NewConditions.describe("What must hold of the mail."),
          actions: NewActions.describe("What would be done with it."),
        })
        .meta({ title: "TestRule" })
        .optional()
        .describe("A rule to try instead of those of the inbox."),
      last: z
        .int()
        .min(1)
        .max(LIMITS.rule_test_messages)
        .optional()
        .describe(
          `Instead of one mail, counts the matches of \`rule\` among so many of the newest received messages, 1 to ${LIMITS.rule_test_messages}.`,
        ),
    }),
    output: z.object({
      object: z.literal("inbox_rule_test").default("inbox_rule_test"),
      inbox_id: z.string().describe("The inbox."),
      tested: z.int().describe("How many mails were tried."),
      matches: z.int().describe("How many of them at least one of the rules matched."),
      data: z
        .array(
          z
            .object({
              rule_id: z.string().nullable().describe("The rule; null for one that isn't stored."),
              name: z.string().describe("What the rule is called."),
              matched: z.boolean().describe("Whether it would be carried out: all of its conditions hold."),
              conditions: z
                .array(
                  z
                    .object({
                      name: ConditionName.describe("The condition."),
                      matched: z.boolean().describe("Whether it holds."),
                    })
                    .meta({ title: "TestedCondition" }),
                )
                .describe("What comes of each of its conditions."),
              actions: z.array(z.string()).describe("What would be done."),
              skipped: z.array(SkippedAction).describe("What would not be done, and why."),
            })
            .meta({ title: "TestedRule" }),
        )
        .describe("The rules in their order, as far as they are tried on the one mail; empty with `last`."),
    }),
    async run(ctx, { inbox_id: _named, message_id, raw, message, rule, last }) {
      const ways = [message_id, raw, message, last].filter((way) => way !== undefined);
      if (ways.length !== 1 || (last !== undefined && rule === undefined))
        throw fail("invalid_request", {
          param: last === undefined ? "message_id" : "rule",
          message: "A test takes one of message_id, raw, message, or last with a rule.",
        });
      if (last !== undefined && rule !== undefined) return countMatches(ctx, rule, last);
      return testRules(ctx, { message_id, raw, message }, rule);
    },
  }),
};
