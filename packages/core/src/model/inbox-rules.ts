import { z } from "zod";
import { LIMITS } from "../catalogue/limits.ts";
import { canonicalAddress, canonicalDomain } from "./address.ts";
import { Line, Timestamp } from "./fields.ts";

const bad = { error: "invalid_rule" };

/** An address, or an at sign and a domain for everybody at exactly this domain, in their canonical form. */
const Party = z
  .string(bad)
  .max(320, bad)
  .overwrite((text) => partyOf(text) ?? "")
  .refine((text) => text !== "", bad);

function partyOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith("@")) return canonicalAddress(trimmed);
  const domain = canonicalDomain(trimmed.slice(1));
  return domain === undefined ? undefined : `@${domain}`;
}
const Parties = z.array(Party, bad).min(1, bad).max(LIMITS.rule_parties, bad);
const Texts = z
  .array(
    z
      .string(bad)
      .max(LIMITS.rule_text_chars, bad)
      .refine((text) => text.trim() !== "", bad),
    bad,
  )
  .min(1, bad)
  .max(LIMITS.rule_texts, bad);
const YesOrNo = z.boolean(bad);
const texts = `any of these, capitals and accents or not; 1 to ${LIMITS.rule_texts} of 1 to ${LIMITS.rule_text_chars} characters.`;

/** The conditions of a rule: all that it has must hold, and it has at least one. */
export const RuleConditions = z
  .strictObject(
    {
      from: Parties.optional().describe(
        `The author is one of these: addresses, or \`@domain\`; 1 to ${LIMITS.rule_parties}.`,
      ),
      to: Parties.optional().describe(
        `To, Cc or the address that it came to is one of these: addresses, or \`@domain\`; 1 to ${LIMITS.rule_parties}.`,
      ),
      subject_contains: Texts.optional().describe(`The subject contains ${texts}`),
      body_contains: Texts.optional().describe(
        `The text, as far as its first ${LIMITS.rule_body_chars} characters, contains ${texts}`,
      ),
      auth: z.enum(["pass", "fail"], bad).optional().describe("Whether its sender was authenticated."),
      min_score: z
        .int(bad)
        .min(0, bad)
        .max(100, bad)
        .optional()
        .describe("The least score of screening, from 0 to 100."),
      has_attachment: YesOrNo.optional().describe("Whether it has attachments."),
      list: YesOrNo.optional().describe("Whether it came over a mailing list."),
      suspicious: YesOrNo.optional().describe("Whether screening found it suspicious."),
      new_sender: YesOrNo.optional().describe("Whether the inbox had no mail from or to its author before."),
    },
    bad,
  )
  .meta({ title: "RuleConditions" });
export type RuleConditions = z.infer<typeof RuleConditions>;

/** The name of a condition. */
export const ConditionName = RuleConditions.keyof();
export type ConditionName = z.infer<typeof ConditionName>;

/** The actions of a rule: each takes trust away or does work; none gives. It has at least one. */
export const RuleActions = z
  .strictObject(
    {
      add_labels: z
        .array(z.string(bad).min(1, bad).max(LIMITS.rule_text_chars, bad), bad)
        .min(1, bad)
        .max(LIMITS.rule_labels, bad)
        .optional()
        .describe(`Labels that the message gets, 1 to ${LIMITS.rule_labels}.`),
      mark_read: z.literal(true, bad).optional().describe("The message is read."),
      archive: z.literal(true, bad).optional().describe("Its thread is archived."),
      hold: z.literal(true, bad).optional().describe("The message is held until it is released."),
      no_task: z.literal(true, bad).optional().describe("The message makes no task."),
      forward_to: z
        .string(bad)
        .min(1, bad)
        .max(LIMITS.rule_text_chars, bad)
        .optional()
        .describe("It is forwarded to the address of this verified forwarding, named by its id or address."),
      auto_reply: z
        .strictObject(
          {
            text: z
              .string(bad)
              .max(LIMITS.auto_reply_chars, bad)
              .refine((text) => text.trim() !== "", bad)
              .describe(`The text, 1 to ${LIMITS.auto_reply_chars} characters.`),
            cooldown_hours: z
              .int(bad)
              .min(1, bad)
              .max(LIMITS.auto_reply_max_hours, bad)
              .optional()
              .describe(
                `For how long the same person gets no other one, 1 to ${LIMITS.auto_reply_max_hours} hours; ${LIMITS.auto_reply_default_hours} by default.`,
              ),
          },
          bad,
        )
        .meta({ title: "AutoReply" })
        .optional()
        .describe("Its author gets this answer, as RFC 3834 has it."),
      assign: z
        .strictObject(
          {
            assignee: Line(LIMITS.assignee_chars)
              .refine((name) => name.trim() !== "", bad)
              .describe(`Whom the thread is for, 1 to ${LIMITS.assignee_chars} characters.`),
          },
          bad,
        )
        .meta({ title: "RuleAssignment" })
        .optional()
        .describe("Its thread is assigned, without a lease, unless somebody has claimed it."),
    },
    bad,
  )
  .meta({ title: "RuleActions" });
export type RuleActions = z.infer<typeof RuleActions>;

/** The name of an action. */
export const ActionName = RuleActions.keyof();
export type ActionName = z.infer<typeof ActionName>;

/** An action of a rule that matched, and why it wasn't done. */
export const SkippedAction = z
  .object({
    action: z.string().describe("The action that is left out."),
    reason: z.string().describe("Why it isn't done, in a word, such as `owner`."),
  })
  .meta({ title: "SkippedAction" });

/** A rule of an inbox, which is tried on each mail. */
export const InboxRule = z.object({
  object: z.literal("inbox_rule").default("inbox_rule"),
  id: z.string().describe("The rule's id."),
  inbox_id: z.string().describe("The inbox whose mail it is tried on."),
  name: z.string().describe("Its name, for people."),
  enabled: z.boolean().describe("Whether it is tried."),
  position: z.int().describe("Its place in the order of the inbox's rules, from 1."),
  conditions: RuleConditions.describe("What must hold of a mail: all of it."),
  actions: RuleActions.describe("What is done with mail that matches."),
  stop_processing: z.boolean().describe("Whether later rules aren't tried on mail that matches."),
  match_count: z.int().describe("How many mails matched."),
  last_matched_at: Timestamp.nullable().describe("When the newest of them came; null if none did."),
  last_error: z.string().nullable().describe("Why it was disabled; null unless it was."),
  made_by: z
    .enum(["key", "person"])
    .describe("Who wrote it last: an agent, or a person with authority in their session."),
  client_id: z.string().nullable().describe("The caller's own id for it; null without one."),
  created_at: Timestamp.describe("When it was created (ISO 8601, UTC)."),
  updated_at: Timestamp.describe("When it was last changed (ISO 8601, UTC)."),
  idempotent: z
    .boolean()
    .default(false)
    .describe("Whether this answer repeats an earlier create with the same client_id."),
});
export type InboxRule = z.infer<typeof InboxRule>;

/** A rule as stored. */
export const InboxRuleRecord = InboxRule.omit({ object: true, idempotent: true }).extend({
  account_id: z.string().describe("The account that it belongs to."),
  key_id: z.string().nullable().describe("The key that wrote it; null for others."),
  grant_id: z.string().nullable().describe("The grant of the app that wrote it; null for others."),
});
export type InboxRuleRecord = z.infer<typeof InboxRuleRecord>;

const isSaid = (fields: object): boolean => Object.values(fields).some((field) => field !== undefined);

/** Conditions as input: at least one. */
export const NewConditions = RuleConditions.refine(isSaid, bad);

/** Actions as input: at least one. */
export const NewActions = RuleActions.refine(isSaid, bad);
