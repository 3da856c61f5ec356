import { describe, expect, test } from "vitest";
import { fail } from "../../catalogue/errors.ts";
import { type Facts, judge, judgeLate, passOrFail } from "./rules.ts";

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

const named = (count: number) => Array.from({ length: count }, (_, at) => `a${at}@example.com`);

/** Why something is refused: each code, with the field that it names. */
const refusals: [why: string, facts: Facts, refused: string[]][] = [
  ["nothing", mail, []],
  ["nothing: a call is no mail", { ...call, words: { to: [], cc: [], bcc: [] } }, []],
  ["nobody is named", { ...mail, words: { ...words, to: [] } }, ["no_recipients to"]],
  ["an address in to is none", { ...mail, words: { ...words, to: ["ada"] } }, ["invalid_address to"]],
  ["an address in cc is none", { ...mail, words: { ...words, cc: ["ada"] } }, ["invalid_address cc"]],
  ["an address in bcc is none", { ...mail, words: { ...words, bcc: ["ada"] } }, ["invalid_address bcc"]],
  ["too many are named", { ...mail, words: { ...words, to: named(51) } }, ["too_many_recipients to"]],
  ["nothing: as many are named as may be", { ...mail, words: { ...words, to: named(50) } }, []],
  ["nothing: one is named twice", { ...mail, words: { ...words, to: [...named(50), "A0@example.com"] } }, []],
  ["it has no words", { ...mail, words: { ...words, text: "" } }, ["missing_body text"]],
  ["nothing: its words are HTML", { ...mail, words: { ...words, text: null, html: "<p>Hi" } }, []],
  [
    "a label is the service's",
    { ...mail, words: { ...words, labels: ["held"] } },
    ["protected_label labels"],
  ],
  ["nothing: a label is the agent's", { ...mail, words: { ...words, labels: ["mine"] } }, []],
  ["the inbox is paused", { ...mail, state: { paused: true, expired: false } }, ["inbox_paused"]],
  ["the inbox is expired", { ...mail, state: { paused: true, expired: true } }, ["inbox_expired"]],
  ["the number's inbox is expired", { ...call, state: { paused: false, expired: true } }, ["inbox_expired"]],
  ["the number's inbox is paused", { ...call, state: { paused: true, expired: false } }, ["inbox_paused"]],
  ["the account isn't claimed", { ...mail, claimed: false }, ["account_unclaimed"]],
  ["a block list has the recipient", { ...mail, lists: listed("block") }, ["recipient_blocked to"]],
  [
    "a block list has somebody in bcc",
    { ...mail, words: { ...words, to: ["bo@example.com"], bcc: words.to }, lists: listed("block") },
    ["recipient_blocked to"],
  ],
  ["nothing: an allow list has the recipient", { ...mail, lists: listed("allow") }, []],
  [
    "nothing: an allow list has the address for whoever proves to be an inbox, and a recipient proves nothing",
    {
      ...mail,
      lists: { ...listed("allow"), entries: [{ ...entry, names: "inb_1", type: "allow" as const }] },
    },
    [],
  ],
  [
    "an allow list lacks them",
    { ...mail, lists: { ...listed("allow"), entries: [] } },
    ["recipient_blocked to"],
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
  test.each(refusals)("refuses because of %s", (_why, facts, refused) => {
    const checks = judge(facts);
    const failed = checks.filter(({ result }) => result === "fail");
    expect(failed.map(({ code, param }) => (param === null ? code : `${code} ${param}`))).toEqual(refused);
    const passing = () => passOrFail(checks);
    if (refused.length === 0) expect(passing).not.toThrow();
    else expect(passing).toThrow(failed[0]?.error);
  });

  test("says of each check how it came out, and in which words", () => {
    const error = fail("inbox_paused");
    const of = (facts: Facts, name: string) => judge(facts).find((check) => check.name === name);
    expect(of({ ...mail, state: { paused: true, expired: false } }, "inbox")).toEqual({
      ...{ name: "inbox", result: "fail", code: "inbox_paused", param: null },
      ...{ detail: error.message, error: expect.objectContaining({ code: "inbox_paused" }) },
    });
    expect(of(mail, "inbox")).toEqual({
      ...{ name: "inbox", result: "pass", code: null, detail: null, param: null, error: null },
    });
    expect(of({ ...mail, lists: listed("block") }, "lists")?.detail).toBe(
      "ada@example.com is on a block list.",
    );
    expect(of({ ...mail, lists: { ...listed("allow"), entries: [] } }, "lists")?.detail).toBe(
      "ada@example.com is not on the allow list.",
    );
    const ill = { ...health, state: "paused", sent: 7 } as const;
    expect(of({ ...mail, health: ill }, "health")?.detail).toMatch(
      /^Of 7 recipients .* until the rates fall/,
    );
  });

  test("lists what is found where it is stored after all others", () => {
    const late = judgeLate({
      ...{ size: fail("message_too_large"), storage: fail("plan_limit_exceeded"), plan: null },
      ...{ domain: fail("domain_not_verified"), loop: fail("loop_stopped"), budget: fail("budget_exceeded") },
      reply: fail("message_not_found"),
    });
    expect(late.map(({ name, code }) => [name, code])).toEqual([
      ["size", "message_too_large"],
      ["storage", "plan_limit_exceeded"],
      ["domain", "domain_not_verified"],
      ["reply", "message_not_found"],
      ["loop", "loop_stopped"],
      ["plan", null],
      ["budget", "budget_exceeded"],
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
    expect(judge({ ...call, secret: null }).map(({ name }) => name)).toEqual([
      ...["words", "number", "inbox", "allowance", "expiry", "canary", "claim"],
      ...["lists", "suppressions", "health", "own_secret"],
    ]);
  });
});
