import { describe, expect, test } from "vitest";
import { fail } from "../../catalogue/errors.ts";
import { CHECK_NAMES, type Facts, judge, judgeLate, passOrFail } from "./rules.ts";

const health = {
  state: "good",
  sent: 0,
  bounced: 0,
  complained: 0,
  bounce_rate: 0,
  complaint_rate: 0,
} as const;
const words = { to: ["ada@example.com"], cc: [], bcc: [], text: "Hello" };
const mail: Facts = {
  ...{ way: "mail", words, health, state: { paused: false, expired: false }, claimed: true },
  ...{ lists: undefined, suppressed: null, tripped: null },
};
const call: Facts = { ...mail, way: "call", reachable: null, number: null, allowance: null };
const entry = { entry: "ada@example.com", names: "outside", inbox_id: null };
const listed = (type: "allow" | "block") => ({
  inbox_allows: false,
  account_allows: true,
  entries: [{ ...entry, type }],
});

const refusals: [why: string, facts: Facts, codes: (string | null)[]][] = [
  ["nothing", mail, []],
  ["nobody is named", { ...mail, words: { ...words, to: [] } }, ["no_recipients"]],
  ["an address is none", { ...mail, words: { ...words, bcc: ["ada"] } }, ["invalid_address"]],
  [
    "too many are named",
    { ...mail, words: { ...words, to: Array.from({ length: 51 }, (_, at) => `a${at}@example.com`) } },
    ["too_many_recipients"],
  ],
  ["it has no words", { ...mail, words: { ...words, text: "" } }, ["missing_body"]],
  ["a label is the service's", { ...mail, words: { ...words, labels: ["held"] } }, ["protected_label"]],
  ["the inbox is paused", { ...mail, state: { paused: true, expired: false } }, ["inbox_paused"]],
  ["the inbox is expired", { ...mail, state: { paused: true, expired: true } }, ["inbox_expired"]],
  ["the number's inbox is expired", { ...call, state: { paused: false, expired: true } }, ["inbox_expired"]],
  ["the number's inbox is paused", { ...call, state: { paused: true, expired: false } }, ["inbox_paused"]],
  ["the account isn't claimed", { ...mail, claimed: false }, ["account_unclaimed"]],
  ["a block list has the recipient", { ...mail, lists: listed("block") }, ["recipient_blocked"]],
  ["an allow list has the recipient", { ...mail, lists: listed("allow") }, []],
  [
    "an allow list lacks them",
    { ...mail, lists: { ...listed("allow"), entries: [] } },
    ["recipient_blocked"],
  ],
  [
    "the recipient is suppressed",
    { ...mail, suppressed: fail("recipient_suppressed") },
    ["recipient_suppressed"],
  ],
  ["a secret is in it", { ...mail, secret: fail("own_secret") }, ["own_secret"]],
  ["sending is paused", { ...mail, health: { ...health, state: "paused" } }, ["sending_paused"]],
  [
    "what is asked of a call alone",
    {
      ...{ ...call, reachable: fail("invalid_e164"), number: fail("phone_number_not_found") },
      allowance: fail("daily_call_cap"),
    },
    ["invalid_e164", "phone_number_not_found", "daily_call_cap"],
  ],
];

describe("the gate", () => {
  test.each(refusals)("refuses because of %s", (_why, facts, codes) => {
    const checks = judge(facts);
    expect(checks.flatMap(({ result, code }) => (result === "fail" ? [code] : []))).toEqual(codes);
    const passing = () => passOrFail(checks);
    if (codes.length === 0) expect(passing).not.toThrow();
    else expect(passing).toThrow(expect.objectContaining({ code: codes[0] }));
  });

  test("lists what is found where it is stored after all others", () => {
    const late = judgeLate({
      ...{ size: fail("message_too_large"), storage: fail("plan_limit_exceeded"), plan: null },
      ...{ domain: fail("domain_not_verified"), loop: fail("loop_stopped"), budget: fail("budget_exceeded") },
    });
    expect(late.map(({ code }) => code)).toEqual([
      ...["message_too_large", "plan_limit_exceeded", "domain_not_verified", "loop_stopped"],
      ...[null, "budget_exceeded"],
    ]);
    expect(judgeLate({ budget: null }).map(({ result }) => result)).toEqual(["pass"]);
  });

  test("lists all checks in their order, none hidden behind an earlier one", () => {
    const checks = judge({ ...mail, words: { ...words, to: [], text: "" }, claimed: false });
    expect(checks.map(({ name, result }) => [name, result])).toEqual([
      ...[
        ["recipients", "fail"],
        ["body", "fail"],
        ["labels", "pass"],
        ["inbox", "pass"],
        ["canary", "pass"],
        ["claim", "fail"],
      ],
      ...[
        ["lists", "pass"],
        ["suppressions", "pass"],
        ["health", "pass"],
      ],
    ]);
    expect(judge(call).map(({ name }) => name)).toEqual(
      CHECK_NAMES.filter((name) => judge(call).some((check) => check.name === name)),
    );
  });
});
