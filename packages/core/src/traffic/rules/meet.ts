import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { endJob } from "../../kernel/jobs/job-lease.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { publishFolder } from "../../mailbox/messages/index.ts";
import { assignByRule } from "../../mailbox/threads/index.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRuleRecord } from "../../model/inbox-rules.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { ThreadRecord } from "../../model/threads.ts";
import { ruleFaults } from "./makers.ts";
import { asksForWord, foldFacts, matchingRules, planRules, type RuleFacts, type RulePlan } from "./rules.ts";

/** The effects of an inbox's rules on a mail, and the rules that have to be disabled. */
export interface RuledMail extends RulePlan {
  ended: { rule: InboxRuleRecord; last_error: string }[];
}

/** The effects on a mail of an inbox without rules. */
export const NO_RULES: RuledMail = { matched: [], effects: [], ended: [] };

/** The rules of an inbox, in their order. */
export const rulesOf = (
  storage: Pick<Services["storage"], "find">,
  inbox_id: string,
): Promise<InboxRuleRecord[]> =>
  storage.find("inbox_rules", {
    where: { inbox_id },
    order: { by: "position", direction: "asc" },
    limit: LIMITS.rules_per_inbox,
  });

/** The circumstances of a mail: whether it counts as somebody's word is looked up only where a rule asks for it. */
interface Circumstances {
  isWord: () => Promise<boolean>;
  released: boolean;
}

/** Tries the rules of an inbox on a mail, after it was screened and before it is stored. */
export async function tryRules(
  { storage }: Pick<Services, "storage">,
  inbox: InboxRecord,
  facts: (rules: readonly InboxRuleRecord[]) => RuleFacts | Promise<RuleFacts>,
  circumstances: Circumstances,
  now: Date,
): Promise<RuledMail> {
  if (!inbox.has_rules) return NO_RULES;
  const rules = await rulesOf(storage, inbox.id);
  return planFor({ storage }, rules, await facts(rules), circumstances, now);
}

/** Plans what these rules do to a mail. */
export async function planFor(
  { storage }: Pick<Services, "storage">,
  rules: readonly InboxRuleRecord[],
  facts: RuleFacts,
  { isWord, released }: Circumstances,
  now: Date,
): Promise<RuledMail> {
  const folded = foldFacts(facts);
  // The fewest rules end the processing of somebody's word: all that match any mail are among these.
  const may_match = matchingRules(rules, folded, { is_word: true });
  const is_word = asksForWord(may_match) && (await isWord());
  const matching = matchingRules(may_match, folded, { is_word });
  const faults = await ruleFaults(storage, matching, now);
  // A rule that may not do one of its actions any more is disabled as a whole.
  const able = matching.filter(({ id }) => !faults.has(id));
  const plan = planRules(able, { is_word, released });
  return { ...plan, ended: endedAmong(matching, faults) };
}

function endedAmong(
  rules: readonly InboxRuleRecord[],
  faults: ReadonlyMap<string, string>,
): RuledMail["ended"] {
  return rules.flatMap((rule) => {
    const last_error = faults.get(rule.id);
    return last_error === undefined ? [] : [{ rule, last_error }];
  });
}

/** Whether a rule holds the mail. */
export const holdsByRule = ({ effects }: RulePlan): boolean => effects.some(({ verb }) => verb === "hold");

/** Does what rules do to a stored mail besides its own labels, in the transaction that stores or releases it. */
export async function carryOutRules(
  work: Work,
  { matched, effects, ended }: RuledMail,
  {
    message,
    thread,
    counted = [],
  }: { message: MessageRecord; thread: ThreadRecord; counted?: readonly string[] },
  { now, return_path }: { now: Date; return_path: string | null },
): Promise<void> {
  const ids = matched.map(({ rule_id }) => rule_id).filter((id) => !counted.includes(id));
  if (ids.length > 0)
    await work.update(
      "inbox_rules",
      { id: { in: ids } },
      { match_count: { add: 1 }, last_matched_at: iso(now) },
    );
  await disableRules(work, ended);
  if (thread.folder !== "archive" && effects.some(({ verb }) => verb === "archive")) {
    await work.update("threads", { id: thread.id }, { folder: "archive" });
    publishFolder(work, thread, "archive");
  }
  for (const [forwarding_id, rule_ids] of chosenBy(effects))
    work.job({ kind: "forwarding.send", subject_id: message.id, payload: { forwarding_id, rule_ids } });
  for (const effect of effects) {
    if (effect.verb === "assign") await assignByRule(work, thread, effect.assignee, now);
    if (effect.verb === "reply")
      work.job({
        kind: "rule.reply",
        subject_id: message.id,
        payload: { rule_id: effect.rule_id, return_path },
      });
  }
}

/** The forwardings that rules have a mail sent by, each with those rules. */
function chosenBy(effects: RulePlan["effects"]): Map<string, string[]> {
  const chosen = new Map<string, string[]>();
  for (const effect of effects)
    if (effect.verb === "forward")
      chosen.set(effect.forwarding_id, [...(chosen.get(effect.forwarding_id) ?? []), effect.rule_id]);
  return chosen;
}

/** The forwardings that rules have a mail sent by. */
export const forwardedBy = ({ effects }: RulePlan): string[] => [...chosenBy(effects).keys()];

/** Disables the rules of an inbox that may not do their actions any more. */
export async function checkRules(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock } = services;
  const inbox = await storage.get("inboxes", job.subject_id);
  if (inbox?.has_rules !== true) return endJob(storage, job);
  const now = clock.now();
  await unitOfWork(services, inbox.account_id, now, async (work) => {
    await endJob(work, job);
    const enabled = (await rulesOf(work, inbox.id)).filter((rule) => rule.enabled);
    await disableRules(work, endedAmong(enabled, await ruleFaults(work, enabled, now)));
  });
}

/** Disables rules of one inbox that may not do their actions any more; each once. */
export async function disableRules(work: Work, ended: RuledMail["ended"]): Promise<void> {
  const inboxes = new Set<string>();
  for (const { rule, last_error } of ended) {
    const enabled = { id: rule.id, enabled: true };
    const [disabled] = await work.update("inbox_rules", enabled, { enabled: false, last_error });
    if (disabled === undefined) continue;
    const { id: rule_id, inbox_id, name } = disabled;
    work.publish({ type: "rule.disabled", inbox_id, data: { rule_id, inbox_id, name, last_error } });
    inboxes.add(inbox_id);
  }
  for (const inbox_id of inboxes) await noteRules(work, inbox_id, await rulesOf(work, inbox_id));
}

/** Notes with an inbox whether it has rules that are tried; false where the inbox is gone. */
export async function noteRules(
  work: Work,
  inbox_id: string,
  all: readonly InboxRuleRecord[],
): Promise<boolean> {
  const has_rules = all.some(({ enabled }) => enabled);
  return (await work.update("inboxes", { id: inbox_id }, { has_rules })).length > 0;
}
