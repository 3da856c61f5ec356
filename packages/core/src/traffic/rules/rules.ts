import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { holdsAny, type Permission } from "../../catalogue/permissions.ts";
import { foldForSearch } from "../../mail/search-words.ts";
import { addressKey } from "../../model/address.ts";
import type { GrantRecord } from "../../model/apps.ts";
import type {
  ActionName,
  ConditionName,
  InboxRuleRecord,
  RuleActions,
  RuleConditions,
} from "../../model/inbox-rules.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { MatchedRule } from "../../model/message-facts.ts";

/** The facts of a mail that conditions are about. */
export interface RuleFacts {
  /** The author's address, in its canonical form. */
  from: string;
  /** To, Cc and the address that it came to, in their canonical form. */
  recipients: readonly string[];
  subject: string;
  text: string;
  authenticated: boolean;
  score: number;
  has_attachment: boolean;
  list: boolean;
  suspicious: boolean;
  new_sender: boolean;
}

/** Facts with their texts folded once for all rules. */
export interface FoldedFacts extends RuleFacts {
  folded_subject: string;
  folded_text: string;
}

/** Folds what conditions look for texts in: case, accents and widths don't count; the first 100,000 characters of a text. */
export const foldFacts = (facts: RuleFacts): FoldedFacts => ({
  ...facts,
  folded_subject: foldForSearch(facts.subject),
  folded_text: foldForSearch(facts.text.slice(0, LIMITS.rule_body_chars)),
});

/** Tests each condition of a rule. */
export function conditionResults(
  conditions: RuleConditions,
  facts: FoldedFacts,
): { name: ConditionName; matched: boolean }[] {
  const names = Object.keys(conditions) as ConditionName[];
  return names
    .filter((name) => conditions[name] !== undefined)
    .map((name) => ({ name, matched: holds(name, conditions as AllOf<RuleConditions>, facts) }));
}

/** Whether all conditions of a rule hold. */
export const matches = (conditions: RuleConditions, facts: FoldedFacts): boolean =>
  conditionResults(conditions, facts).every(({ matched }) => matched);

/** Read only where it is set. */
type AllOf<T> = { [K in keyof T]-?: NonNullable<T[K]> };

/** Whether a condition that is set holds. */
function holds(name: ConditionName, conditions: AllOf<RuleConditions>, facts: FoldedFacts): boolean {
  if (name === "from") return isAmong([facts.from], conditions.from);
  if (name === "to") return isAmong(facts.recipients, conditions.to);
  if (name === "subject_contains") return containsAny(facts.folded_subject, conditions.subject_contains);
  if (name === "body_contains") return containsAny(facts.folded_text, conditions.body_contains);
  if (name === "auth") return facts.authenticated === (conditions.auth === "pass");
  if (name === "min_score") return facts.score >= conditions.min_score;
  return facts[name] === conditions[name];
}

const isAmong = (addresses: readonly string[], parties: readonly string[]): boolean =>
  addresses.some((address) =>
    parties.some((party) =>
      party.startsWith("@") ? address.slice(address.lastIndexOf("@")) === party : address === party,
    ),
  );

const containsAny = (folded: string, texts: readonly string[]): boolean =>
  texts.some((text) => folded.includes(foldForSearch(text)));

/** An effect of a rule on a mail. There is no verb that gives: none that releases, trusts, makes a task or skips a check. */
export type RuleEffect =
  | { verb: "label"; labels: readonly string[] }
  | { verb: "mark_read" }
  | { verb: "archive" }
  | { verb: "hold" }
  | { verb: "no_task" }
  | { verb: "reply"; rule_id: string }
  | { verb: "forward"; rule_id: string; forwarding_id: string }
  | { verb: "assign"; assignee: string };

/** The effects of rules on a mail, and which of them matched. */
export interface RulePlan {
  matched: MatchedRule[];
  effects: RuleEffect[];
}

/** The circumstances in which rules meet a mail. */
export interface Meeting {
  /** It counts as the word of an owner or authority, or of somebody whom an authority let in. */
  is_word: boolean;
  /** It was held and is released now, so that no rule holds it again. */
  released: boolean;
}

/** Returns the rules that match a mail, in order, up to the first that ends the processing. */
export function matchingRules(
  rules: readonly InboxRuleRecord[],
  facts: FoldedFacts,
  { is_word }: Pick<Meeting, "is_word">,
): InboxRuleRecord[] {
  const found: InboxRuleRecord[] = [];
  for (const rule of rules) {
    if (!rule.enabled || !matches(rule.conditions, facts)) continue;
    found.push(rule);
    if (rule.stop_processing && !isBarred(rule, is_word)) break;
  }
  return found;
}

/** Whether a rule may not touch a mail: only a person's may touch a person's word. */
const isBarred = ({ made_by }: Pick<InboxRuleRecord, "made_by">, is_word: boolean): boolean =>
  is_word && made_by !== "person";

/** Whether it matters to these rules that a mail counts as somebody's word. */
export const asksForWord = (rules: readonly InboxRuleRecord[]): boolean =>
  rules.some((rule) => isBarred(rule, true));

/** Actions of a mail that is held, which wait for nothing. */
const DONE_WHEN_HELD: readonly ActionName[] = ["hold", "add_labels", "no_task"];

/** Plans what matching rules do to a mail. */
export function planRules(matching: readonly InboxRuleRecord[], meeting: Meeting): RulePlan {
  const holding = matching.some(
    (rule) => rule.actions.hold !== undefined && skipReason(rule, "hold", meeting) === undefined,
  );
  const plan: RulePlan = { matched: [], effects: [] };
  for (const rule of matching) {
    const { id: rule_id, name } = rule;
    const matched: MatchedRule = { rule_id, name, actions: [], skipped: [] };
    for (const action of actionsOf(rule.actions)) {
      const reason =
        skipReason(rule, action, meeting) ??
        (holding && !DONE_WHEN_HELD.includes(action) ? "held" : undefined);
      if (reason !== undefined) matched.skipped.push({ action, reason });
      else {
        matched.actions.push(action);
        plan.effects.push(effectOf(rule, action));
      }
    }
    plan.matched.push(matched);
  }
  return plan;
}

/** The actions that a rule has. */
export const actionsOf = (actions: RuleActions): ActionName[] =>
  (Object.keys(actions) as ActionName[]).filter((name) => actions[name] !== undefined);

function skipReason(
  rule: InboxRuleRecord,
  action: ActionName,
  { is_word, released }: Meeting,
): string | undefined {
  if (isBarred(rule, is_word)) return "owner";
  return action === "hold" && released ? "released" : undefined;
}

/** Returns the effect of an action that is set. */
function effectOf({ id, actions }: InboxRuleRecord, action: ActionName): RuleEffect {
  const { add_labels, assign, forward_to } = actions as AllOf<RuleActions>;
  if (action === "add_labels") return { verb: "label", labels: add_labels };
  if (action === "forward_to") return { verb: "forward", rule_id: id, forwarding_id: forward_to };
  if (action === "auto_reply") return { verb: "reply", rule_id: id };
  if (action === "assign") return { verb: "assign", assignee: assign.assignee };
  return { verb: action };
}

/** The permission that an action takes of whoever writes it, besides that to write rules; null for most. */
export const PERMISSION_OF: Readonly<Record<ActionName, Permission | null>> = {
  ...{ add_labels: null, mark_read: null, archive: null, hold: null, no_task: null },
  ...{ forward_to: "message_send", auto_reply: "message_send", assign: "task_write" },
};

/** The permissions that a rule's actions take of whoever wrote it. */
export const permissionsFor = ({ actions }: Pick<InboxRuleRecord, "actions">): Permission[] =>
  actionsOf(actions).flatMap((action) => PERMISSION_OF[action] ?? []);

/** Whether a rule does only what the agent that wrote it may do: not a person's, nor one that takes no permission. */
export const dependsOnMaker = (rule: Pick<InboxRuleRecord, "made_by" | "actions">): boolean =>
  rule.made_by !== "person" && permissionsFor(rule).length > 0;

/** The key or grant that wrote a rule, as far as there is one. */
export interface Maker {
  key: Pick<KeyRecord, "permissions" | "inbox_id" | "revoked_at" | "expires_at"> | undefined;
  grant: Pick<GrantRecord, "scope" | "inbox_id" | "account_id" | "expires_at"> | undefined;
}

/** Why the agent that wrote a rule which depends on it may not do its actions any more, in a sentence; undefined while it may. */
export function makerFault(
  rule: Pick<InboxRuleRecord, "actions" | "key_id" | "inbox_id" | "account_id">,
  maker: Maker,
  now: string,
): string | undefined {
  const reach = reachOf(rule, maker, now);
  if (reach === undefined) return "The key or app that wrote it has ended.";
  if (reach.inbox_id !== null && reach.inbox_id !== rule.inbox_id)
    return "The key or app that wrote it doesn't reach the inbox any more.";
  const missing = permissionsFor(rule).find((permission) => !holdsAny(reach.permissions, [permission]));
  return missing && `The key or app that wrote it doesn't have the permission ${missing} any more.`;
}

function reachOf(
  { key_id, account_id }: Pick<InboxRuleRecord, "key_id" | "account_id">,
  { key, grant }: Maker,
  now: string,
): { permissions: readonly Permission[] | null; inbox_id: string | null } | undefined {
  const isOver = (expires_at: string | null) => expires_at !== null && expires_at <= now;
  if (key_id !== null)
    return key === undefined || key.revoked_at !== null || isOver(key.expires_at) ? undefined : key;
  if (grant?.account_id !== account_id || isOver(grant.expires_at)) return undefined;
  return { permissions: grant.scope, inbox_id: grant.inbox_id };
}

/** The texts that a rule looks for. */
export const textCount = ({ subject_contains = [], body_contains = [] }: RuleConditions): number =>
  subject_contains.length + body_contains.length;

/** Fails with `rule_limit` where an inbox has too many rules, or its rules too many texts. */
export function checkRuleLimits(rules: readonly Pick<InboxRuleRecord, "conditions">[]): void {
  const texts = rules.reduce((sum, { conditions }) => sum + textCount(conditions), 0);
  if (rules.length > LIMITS.rules_per_inbox || texts > LIMITS.rule_texts_per_inbox) throw fail("rule_limit");
}

/** Fails with `invalid_rule` unless all rules of an inbox are named once, in their new order. */
export function checkOrder(rule_ids: readonly string[], rules: readonly { id: string }[]): void {
  const named = new Set(rule_ids);
  if (named.size === rule_ids.length && named.size === rules.length && rules.every(({ id }) => named.has(id)))
    return;
  throw fail("invalid_rule", {
    param: "rule_ids",
    message: "The order doesn't name each rule of the inbox once.",
    fix: "List the rules, and send all of their ids in the new order.",
  });
}

/** Addresses that no automatic reply goes to (RFC 3834, section 2): machines, and those behind lists. */
const NO_REPLY =
  /^(?:owner-.*|.*-owner|.*-request|.*-bounces?|mailer-daemon|postmaster|(?:no|do-?not)[-_.]?reply.*|bounces?)(?:\+.*)?$/i;

/** The facts that an automatic reply depends on. */
export interface ReplyFacts {
  injected: boolean;
  /** A program wrote it, it is a report, or it came over a list. */
  automatic: boolean;
  authenticated: boolean;
  /** The author's address. */
  from: string;
  /** The envelope's sender; null where it isn't known any more. */
  return_path: string | null;
  /** To and Cc. */
  recipients: readonly string[];
  /** Whether an address is the inbox's own, with a tag or without. */
  isOwn(address: string): boolean;
}

/** To whom an automatic reply goes, or why none does (RFC 3834). */
export function replyTarget(facts: ReplyFacts): { to: string } | { reason: string } {
  const from = addressKey(facts.from);
  const to = addressKey(facts.return_path ?? facts.from);
  if (facts.injected) return { reason: "injected" };
  if (facts.automatic || to === "") return { reason: "automatic" };
  if (!facts.authenticated) return { reason: "unauthenticated" };
  if (domainOf(to) !== domainOf(from)) return { reason: "return_path" };
  if ([from, to].some((address) => NO_REPLY.test(address.slice(0, address.lastIndexOf("@")))))
    return { reason: "no_reply_address" };
  if ([from, to].some(facts.isOwn)) return { reason: "own_address" };
  if (!facts.recipients.some((address) => facts.isOwn(addressKey(address))))
    return { reason: "not_addressed" };
  return { to };
}

const domainOf = (address: string): string => address.slice(address.lastIndexOf("@") + 1);
