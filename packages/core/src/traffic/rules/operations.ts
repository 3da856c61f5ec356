import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { InboxId, RuleId } from "../../catalogue/id-inputs.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny } from "../../catalogue/permissions.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { answerInTransaction } from "../../kernel/idempotency.ts";
import { operation } from "../../kernel/operation.ts";
import type { Work } from "../../kernel/work.ts";
import { checkLabels } from "../../mailbox/messages/index.ts";
import { canonicalAddress } from "../../model/address.ts";
import { ClientId, Deleted, iso, Line, listOf, wholeList } from "../../model/fields.ts";
import {
  InboxRule,
  type InboxRuleRecord,
  NewActions,
  NewConditions,
  type RuleActions,
} from "../../model/inbox-rules.ts";
import { makerOf, ruleFaults } from "./makers.ts";
import { noteRules, rulesOf } from "./meet.ts";
import { checkOrder, checkRuleLimits, permissionsFor } from "./rules.ts";

const one = { inbox_id: InboxId, rule_id: RuleId };
const Name = Line(LIMITS.rule_name_chars)
  .refine((name) => name.trim() !== "", { error: "invalid_rule" })
  .describe(`Its name, for people, 1 to ${LIMITS.rule_name_chars} characters.`);
const Enabled = z.boolean().describe("Whether it is tried; true by default.");
const StopProcessing = z
  .boolean()
  .describe("Whether later rules aren't tried on mail that matches; false by default.");

/** The operations on an inbox's rules. */
export const rules = {
  create: operation({
    summary: "Adds a rule to an inbox, after its other rules.",
    when: "Sort, hold, assign or answer mail as it comes. A rule only takes trust away, or does work.",
    example: {
      name: "Newsletters",
      conditions: { list: true },
      actions: { add_labels: ["news"], mark_read: true },
    },
    errors: ["rule_limit", "invalid_rule", "invalid_label", "protected_label", "permission_denied"],
    scope: "inbox",
    effect: "write",
    allow: ["inbox_update"],
    idempotent: true,
    input: z.object({
      inbox_id: InboxId,
      name: Name,
      enabled: Enabled.default(true),
      conditions: NewConditions.describe("What must hold of a mail: all of it, and at least one condition."),
      actions: NewActions.describe("What is done with mail that matches: at least one action."),
      stop_processing: StopProcessing.default(false),
      client_id: ClientId.optional(),
    }),
    output: InboxRule,
    async replay({ storage, inbox }, { client_id }) {
      if (client_id === undefined) return undefined;
      const [first] = await storage.find("inbox_rules", {
        where: { inbox_id: inbox.id, client_id },
        limit: 1,
      });
      return first;
    },
    run(ctx, { inbox_id: _named, client_id = null, ...asked }) {
      const { inbox, now, makeId } = ctx;
      checkActions(ctx, asked.actions);
      return answerInTransaction(ctx, async (work) => {
        const given = { ...asked, actions: await namedActions(work, inbox.id, asked.actions) };
        const others = await rulesOf(work, inbox.id);
        const { record, inserted } = await work.insert("inbox_rules", {
          ...{ id: makeId("rul"), account_id: inbox.account_id, inbox_id: inbox.id, ...given, client_id },
          ...{ ...makerOf(ctx), position: others.length + 1, match_count: 0, last_matched_at: null },
          ...{ last_error: null, created_at: iso(now), updated_at: iso(now) },
        });
        if (!inserted) return { ...record, idempotent: true };
        checkRuleLimits([...others, record]);
        await noteWritten(work, inbox.id, [...others, record]);
        return record;
      });
    },
  }),

  list: operation({
    summary: "Lists the rules of an inbox, in the order in which they are tried.",
    when: "See what happens to mail as it comes.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    input: z.object({ inbox_id: InboxId }),
    output: listOf(InboxRule),
    run: async (ctx) => wholeList(await shown(ctx, await rulesOf(ctx.storage, ctx.inbox.id))),
  }),

  get: operation({
    summary: "Shows a rule of an inbox.",
    when: "See how often it matched, and whether it was disabled.",
    scope: "inbox",
    inbox_by_name: true,
    effect: "read",
    allow: ["message_read"],
    input: z.object(one),
    output: InboxRule,
    async run(ctx, { rule_id }) {
      const rule = await findRule(ctx.storage, ctx, rule_id);
      const [first = rule] = await shown(ctx, [rule]);
      return first;
    },
  }),

  update: operation({
    summary: "Changes a rule. Whoever changes it has written it.",
    when: "Mend a rule, or turn it off and on.",
    example: { enabled: false },
    errors: ["rule_limit", "invalid_rule", "invalid_label", "protected_label", "permission_denied"],
    scope: "inbox",
    effect: "write",
    allow: ["inbox_update"],
    patches: true,
    input: z.object({
      ...one,
      name: Name.optional(),
      enabled: Enabled.optional().describe("Whether it is tried; true makes it forget why it was disabled."),
      conditions: NewConditions.optional().describe("All of its conditions, instead of those that it has."),
      actions: NewActions.optional().describe("All of its actions, instead of those that it has."),
      stop_processing: StopProcessing.optional(),
    }),
    output: InboxRule,
    run: (ctx, { inbox_id: _named, rule_id: id, ...given }) =>
      ctx.transaction(async (work) => {
        const found = await findRule(work, ctx, id);
        const said = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        const named = given.actions ?? found.actions;
        checkActions(ctx, named);
        // One that stays disabled may keep a forwarding that has ended.
        const keeps = given.actions === undefined && !(given.enabled ?? found.enabled);
        const actions = keeps ? named : await namedActions(work, ctx.inbox.id, named);
        const change = { ...said, actions };
        const [changed] = await work.update(
          "inbox_rules",
          { id },
          {
            ...{ ...change, ...makerOf(ctx), updated_at: iso(ctx.now) },
            ...(given.enabled === true ? { last_error: null } : {}),
          },
        );
        const all = await rulesOf(work, ctx.inbox.id);
        checkRuleLimits(all);
        await noteWritten(work, ctx.inbox.id, all);
        return changed ?? found;
      }),
  }),

  delete: operation({
    summary: "Deletes a rule; those after it move up.",
    when: "A rule isn't needed any more.",
    scope: "inbox",
    effect: "delete",
    allow: ["inbox_update"],
    input: z.object(one),
    output: Deleted("inbox_rule"),
    run: (ctx, { rule_id: id }) =>
      ctx.transaction(async (work) => {
        const { inbox_id, position } = await findRule(work, ctx, id);
        await work.delete("inbox_rules", { id });
        const later = { inbox_id, position: { gt: position } };
        await work.update("inbox_rules", later, { position: { add: -1 } });
        await noteWritten(work, inbox_id, await rulesOf(work, inbox_id));
        return { id };
      }),
  }),

  reorder: operation({
    summary: "Puts the rules of an inbox into another order.",
    when: "A rule is to be tried before another.",
    errors: ["invalid_rule"],
    scope: "inbox",
    effect: "write",
    allow: ["inbox_update"],
    input: z.object({
      inbox_id: InboxId,
      rule_ids: z
        .array(RuleId)
        .max(LIMITS.rules_per_inbox)
        .describe("The ids of all rules of the inbox, in their new order."),
    }),
    output: listOf(InboxRule),
    run: (ctx, { rule_ids }) =>
      ctx.transaction(async (work) => {
        const all = await rulesOf(work, ctx.inbox.id);
        checkOrder(rule_ids, all);
        for (const [at, id] of rule_ids.entries())
          if (all[at]?.id !== id) await work.update("inbox_rules", { id }, { position: at + 1 });
        return wholeList(await rulesOf(work, ctx.inbox.id));
      }),
  }),
};

async function findRule(
  storage: Pick<Work, "get">,
  { inbox }: Pick<InboxContext, "inbox">,
  id: string,
): Promise<InboxRuleRecord> {
  const rule = await storage.get("inbox_rules", id);
  if (rule?.inbox_id !== inbox.id) throw notFound("rule_not_found", "rul", id);
  return rule;
}

/** Rules as they would be tried now: one that may not do its actions any more is disabled when the next mail meets it. */
async function shown(
  { storage, now }: Pick<InboxContext, "storage" | "now">,
  all: readonly InboxRuleRecord[],
): Promise<InboxRuleRecord[]> {
  const enabled = all.filter((rule) => rule.enabled);
  const faults = await ruleFaults(storage, enabled, now);
  return all.map((rule) => {
    const last_error = faults.get(rule.id);
    return last_error === undefined ? rule : { ...rule, enabled: false, last_error };
  });
}

/** Fails with `permission_denied`, `invalid_label` or `protected_label` where the caller may not write these actions. */
function checkActions({ caller }: Pick<InboxContext, "caller">, actions: RuleActions): void {
  checkLabels(actions.add_labels ?? [], "actions.add_labels");
  const missing = permissionsFor({ actions }).find((needed) => !holdsAny(caller.permissions, [needed]));
  if (missing !== undefined) throw fail("permission_denied", { param: missing });
}

/**
 * Actions with the id of the forwarding that they name by its id or address. Fails with `invalid_rule` unless it is a
 * verified one of the inbox.
 */
async function namedActions(work: Work, inbox_id: string, actions: RuleActions): Promise<RuleActions> {
  const { forward_to: named } = actions;
  if (named === undefined) return actions;
  const email = canonicalAddress(named) ?? "";
  const forwarding =
    (await work.get("forwardings", named)) ??
    (await work.find("forwardings", { where: { inbox_id, email }, limit: 1 }))[0];
  if (forwarding?.inbox_id === inbox_id && forwarding.status === "verified")
    return { ...actions, forward_to: forwarding.id };
  throw fail("invalid_rule", {
    param: "actions.forward_to",
    message: "It names no verified forwarding of this inbox.",
    fix: "Ask for one with POST /api/v1/inboxes/:inbox_id/forwarding, and wait for the event forwarding.verified.",
  });
}

/** Fails with `inbox_not_found` where the inbox is gone. */
async function noteWritten(work: Work, inbox_id: string, all: readonly InboxRuleRecord[]): Promise<void> {
  if (!(await noteRules(work, inbox_id, all))) throw notFound("inbox_not_found", "inb", inbox_id);
}
