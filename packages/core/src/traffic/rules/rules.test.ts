import { describe, expect, test } from "vitest";
import type { InboxRuleRecord, RuleActions, RuleConditions } from "../../model/inbox-rules.ts";
import {
  asksForWord,
  checkOrder,
  checkRuleLimits,
  conditionResults,
  dependsOnMaker,
  foldFacts,
  type Maker,
  makerFault,
  matches,
  matchingRules,
  planRules,
  type ReplyFacts,
  type RuleFacts,
  replyTarget,
} from "./rules.ts";

const facts = (change: Partial<RuleFacts> = {}) =>
  foldFacts({
    ...{
      from: "bo@shop.example",
      recipients: ["ada@example.com"],
      subject: "Große Rechnung",
      text: "Café Über",
    },
    ...{ authenticated: true, score: 20, has_attachment: false, list: false, suspicious: false },
    new_sender: true,
    ...change,
  });
const rule = (
  conditions: RuleConditions,
  actions: RuleActions,
  more: Partial<InboxRuleRecord> = {},
): InboxRuleRecord => ({
  ...{ id: "rul_1", account_id: "acct_1", inbox_id: "inb_1", name: "Rule", enabled: true, position: 1 },
  ...{ conditions, actions, stop_processing: false, match_count: 0, last_matched_at: null, last_error: null },
  ...{ made_by: "key", client_id: null, created_at: "", updated_at: "", key_id: "key_1", grant_id: null },
  ...more,
});
const ANY = { min_score: 0 };

describe("a condition", () => {
  test.for([
    ["the author", { from: ["bo@shop.example"] }, {}, true],
    ["another author", { from: ["eve@shop.example", "@evil.example"] }, {}, false],
    ["the author's domain", { from: ["@shop.example"] }, {}, true],
    ["not a domain below it", { from: ["@example"] }, {}, false],
    ["a recipient", { to: ["eve@x.example", "ada@example.com"] }, {}, true],
    ["another recipient", { to: ["eve@x.example"] }, {}, false],
    ["the subject, folded", { subject_contains: ["GROSSE rechnung"] }, {}, true],
    ["another subject", { subject_contains: ["offer"] }, {}, false],
    ["the text, folded", { body_contains: ["offer", "cafe uber"] }, {}, true],
    ["a literal text", { body_contains: [".*"] }, {}, false],
    [
      "past 100,000 characters",
      { body_contains: ["needle"] },
      { text: `${"x".repeat(100_000)}needle` },
      false,
    ],
    ["authenticated", { auth: "pass" }, {}, true],
    ["not authenticated", { auth: "fail" }, {}, false],
    ["a score", { min_score: 20 }, {}, true],
    ["a higher score", { min_score: 21 }, {}, false],
    ["an attachment", { has_attachment: true }, {}, false],
    ["no list", { list: false }, {}, true],
    ["suspicious", { suspicious: true }, { suspicious: true }, true],
    ["a new sender", { new_sender: false }, {}, false],
    ["all of several", { from: ["bo@shop.example"], list: true }, {}, false],
  ] as const)("%s", ([, conditions, change, matched]) => {
    expect(matches(conditions as unknown as RuleConditions, facts(change))).toBe(matched);
  });

  test("is told of by itself", () => {
    expect(conditionResults({ from: ["@shop.example"], list: true, auth: undefined }, facts())).toEqual([
      { name: "from", matched: true },
      { name: "list", matched: false },
    ]);
  });
});

describe("rules that match", () => {
  const meeting = { is_word: false, released: false };

  test("are tried in order, up to one that ends the processing", () => {
    const all = [
      rule(ANY, { mark_read: true }, { id: "rul_1", enabled: false }),
      rule({ list: true }, { mark_read: true }, { id: "rul_2" }),
      rule(ANY, { archive: true }, { id: "rul_3", stop_processing: true }),
      rule(ANY, { hold: true }, { id: "rul_4" }),
    ];
    const ids = (is_word: boolean) => matchingRules(all, facts(), { is_word }).map(({ id }) => id);
    expect(ids(false)).toEqual(["rul_3"]);
    expect(ids(true)).toEqual(["rul_3", "rul_4"]);
  });

  test("do what they say", () => {
    const actions = {
      ...{ add_labels: ["a"], mark_read: true, archive: true, no_task: true },
      ...{ auto_reply: { text: "Hi", cooldown_hours: 24 }, assign: { assignee: "bo" } },
    } as const;
    const { effects, matched } = planRules([rule(ANY, actions as unknown as RuleActions)], meeting);
    expect(effects).toEqual([
      { verb: "label", labels: ["a"] },
      { verb: "mark_read" },
      { verb: "archive" },
      { verb: "no_task" },
      { verb: "reply", rule_id: "rul_1" },
      { verb: "assign", assignee: "bo" },
    ]);
    expect(matched).toEqual([{ rule_id: "rul_1", name: "Rule", actions: Object.keys(actions), skipped: [] }]);
  });

  test("let held mail wait for its release", () => {
    const all = [rule(ANY, { archive: true, add_labels: ["a"] }), rule(ANY, { hold: true })];
    const held = planRules(all, meeting);
    expect(held.effects).toEqual([{ verb: "label", labels: ["a"] }, { verb: "hold" }]);
    expect(held.matched[0]?.skipped).toEqual([{ action: "archive", reason: "held" }]);
    const released = planRules(all, { ...meeting, released: true });
    expect(released.effects).toEqual([{ verb: "archive" }, { verb: "label", labels: ["a"] }]);
    expect(released.matched[1]?.skipped).toEqual([{ action: "hold", reason: "released" }]);
  });

  test("leave a person's word alone, unless a person wrote them", () => {
    const of = (made_by: "key" | "person") =>
      planRules([rule(ANY, { hold: true }, { made_by })], { ...meeting, is_word: true });
    expect(of("key")).toEqual({
      effects: [],
      matched: [
        { rule_id: "rul_1", name: "Rule", actions: [], skipped: [{ action: "hold", reason: "owner" }] },
      ],
    });
    expect(of("person").effects).toEqual([{ verb: "hold" }]);
  });

  test("ask whether a mail is somebody's word, unless people wrote them all", () => {
    const by = (made_by: "key" | "person") => rule(ANY, { hold: true }, { made_by });
    expect(asksForWord([by("person"), by("key")])).toBe(true);
    expect(asksForWord([by("person")])).toBe(false);
    expect(asksForWord([])).toBe(false);
  });
});

test("an inbox has at most 50 rules that look for 100 texts", () => {
  const many = (count: number, conditions: RuleConditions) =>
    Array.from({ length: count }, () => ({ conditions }));
  const texts = { subject_contains: ["a"], body_contains: ["b"] };
  expect(() => checkRuleLimits(many(50, texts))).not.toThrow();
  expect(() => checkRuleLimits(many(51, ANY))).toThrow(expect.objectContaining({ code: "rule_limit" }));
  expect(() => checkRuleLimits([...many(50, texts), ...many(1, texts)])).toThrow(
    expect.objectContaining({ code: "rule_limit" }),
  );
  expect(() => checkRuleLimits(many(34, { body_contains: ["a", "b", "c"] }))).toThrow(
    expect.objectContaining({ code: "rule_limit" }),
  );
});

test("an order names each rule once", () => {
  const rules = [{ id: "a" }, { id: "b" }];
  expect(() => checkOrder(["b", "a"], rules)).not.toThrow();
  for (const wrong of [["a"], ["a", "a"], ["a", "c"], ["a", "b", "b"]])
    expect(() => checkOrder(wrong, rules)).toThrow(expect.objectContaining({ param: "rule_ids" }));
});

describe("an automatic reply", () => {
  const asked: ReplyFacts = {
    ...{ injected: false, automatic: false, authenticated: true, from: "Bo@Shop.example" },
    ...{ return_path: "bo@shop.example", recipients: ["ada@example.com"] },
    isOwn: (address) => address === "ada@example.com",
  };
  test.for([
    ["goes to the return path", {}, { to: "bo@shop.example" }],
    ["goes to the author where that isn't known", { return_path: null }, { to: "bo@shop.example" }],
    ["injected", { injected: true }, { reason: "injected" }],
    ["automatic", { automatic: true }, { reason: "automatic" }],
    ["an empty return path", { return_path: "" }, { reason: "automatic" }],
    ["unauthenticated", { authenticated: false }, { reason: "unauthenticated" }],
    ["another domain", { return_path: "bo@bounces.example" }, { reason: "return_path" }],
    ["a machine", { from: "no-reply@shop.example" }, { reason: "no_reply_address" }],
    [
      "a list's return path",
      { return_path: "list-bounces+a=b@shop.example" },
      { reason: "no_reply_address" },
    ],
    ["itself", { from: "ada@example.com", return_path: null }, { reason: "own_address" }],
    ["a blind copy", { recipients: ["all@shop.example"] }, { reason: "not_addressed" }],
  ] as const)("%s", ([, change, target]) => {
    expect(replyTarget({ ...asked, ...change })).toEqual(target);
  });
});

test("a rule depends on its maker where it takes a permission, and no person wrote it", () => {
  const assign = { assign: { assignee: "bo" } };
  expect(dependsOnMaker(rule(ANY, assign))).toBe(true);
  expect(dependsOnMaker(rule(ANY, assign, { made_by: "person" }))).toBe(false);
  expect(dependsOnMaker(rule(ANY, { archive: true, mark_read: true }))).toBe(false);
});

describe("what the maker of a rule may still do", () => {
  const NOW = "2026-01-01T10:00:00.000Z";
  const LATER = "2026-01-01T10:00:00.001Z";
  const key: NonNullable<Maker["key"]> = {
    ...{ permissions: ["task_write"], inbox_id: null, revoked_at: null, expires_at: null },
  };
  const grant: NonNullable<Maker["grant"]> = {
    ...{ scope: ["task_write"], inbox_id: "inb_1", account_id: "acct_1", expires_at: LATER },
  };
  const ENDED = "The key or app that wrote it has ended.";
  const BEYOND = "The key or app that wrote it doesn't reach the inbox any more.";
  const LACKS = "The key or app that wrote it doesn't have the permission task_write any more.";
  test.for([
    ["a key", { key }, undefined],
    ["a key with all permissions", { key: { ...key, permissions: null } }, undefined],
    ["a key of the inbox", { key: { ...key, inbox_id: "inb_1" } }, undefined],
    ["a key that is there no more", {}, ENDED],
    ["a revoked key", { key: { ...key, revoked_at: NOW } }, ENDED],
    ["a key that has expired", { key: { ...key, expires_at: NOW } }, ENDED],
    ["a key that expires later", { key: { ...key, expires_at: LATER } }, undefined],
    ["a key of another inbox", { key: { ...key, inbox_id: "inb_2" } }, BEYOND],
    ["a key without the permission", { key: { ...key, permissions: ["message_read"] } }, LACKS],
    ["an app", { grant }, undefined],
    ["no app", { key_id: null }, ENDED],
    ["an app of another account", { grant: { ...grant, account_id: "acct_2" } }, ENDED],
    ["an app whose time is over", { grant: { ...grant, expires_at: NOW } }, ENDED],
    ["an app of another inbox", { grant: { ...grant, inbox_id: "inb_2" } }, BEYOND],
    ["an app without the permission", { grant: { ...grant, scope: ["message_read"] } }, LACKS],
  ] as const)("%s", ([, maker, fault]) => {
    const { key: by_key, grant: by_grant } = maker as Partial<Maker>;
    const key_id = "grant" in maker || "key_id" in maker ? null : "key_1";
    const written = rule(ANY, { assign: { assignee: "bo" } }, { key_id });
    expect(makerFault(written, { key: by_key, grant: by_grant }, NOW)).toBe(fault);
  });
});
