import { describe, expect, test } from "vitest";
import { LIMITS } from "../../catalogue/limits.ts";
import {
  afterAttempt,
  attemptIsUnknown,
  attentionOf,
  changeLabels,
  checkLabelChange,
  replyRecipients,
  replyReferences,
  replySubject,
} from "./rules.ts";

describe("labels", () => {
  const cases: [string[], string[], string[], string[]][] = [
    [["unread"], ["read"], [], ["read"]],
    [["read"], ["unread"], [], ["unread"]],
    [["unread"], [], ["unread"], ["read"]],
    [["read"], [], ["read"], ["unread"]],
    [["received", "unread"], ["todo"], [], ["received", "unread", "todo"]],
    [["a", "b"], ["b"], ["a"], ["b"]],
    [["unread"], ["read"], ["unread"], ["read"]],
  ];
  test.each(cases)("%j with %j added and %j removed is %j", (labels, add, remove, after) => {
    expect(changeLabels(labels, add, remove)).toEqual(after);
  });
  test("their number is limited", () => {
    const many = Array.from({ length: LIMITS.labels }, (_, n) => `l${n}`);
    expect(() => changeLabels(many, ["one-more"], [])).toThrow("at most");
  });
  test.each([
    [[], [], "missing_labels"],
    [["x"], ["x"], "label_conflict"],
    [["read", "unread"], [], "label_conflict"],
    [[], ["read", "unread"], "label_conflict"],
    [["held"], [], "protected_label"],
    [[], ["received"], "protected_label"],
    [["UPPER"], [], "invalid_label"],
    [[], ["x".repeat(65)], "invalid_label"],
  ])("adding %j and removing %j fails with %s", (add, remove, code) => {
    expect(() => checkLabelChange(add, remove)).toThrow(expect.objectContaining({ code }));
  });
  test("a valid change passes", () => {
    expect(() => checkLabelChange(["read", "a:b_c-1"], ["todo"])).not.toThrow();
  });
});

describe("the attention that a message needs", () => {
  const bounce = { type: "bounced", recipient: "a@x.example", created_at: "", detail: "" } as const;
  const hard = { ...bounce, bounce_type: "hard" } as const;
  test.each([
    ["mail that came", "inbound", "received", ["received", "unread"], [], null],
    ["held mail", "inbound", "received", ["received", "held"], [], "held"],
    ["mail that was sent", "outbound", "sent", ["sent"], [], null],
    ["mail that failed", "outbound", "failed", ["sent"], [], "failed"],
    ["a hard bounce", "outbound", "sent", ["sent", "bounced"], [hard], "failed"],
    ["a soft bounce", "outbound", "sent", ["sent", "bounced"], [{ ...bounce, bounce_type: "soft" }], null],
    ["an unproven report", "outbound", "sent", ["sent"], [{ ...hard, unproven: true }], null],
    ["a delivery", "outbound", "sent", ["sent"], [{ ...hard, type: "delivered" }], null],
  ] as const)("%s: %s, %s", (_, direction, status, labels, delivery_events, attention) => {
    expect(
      attentionOf({ direction, status, labels: [...labels], delivery_events: [...delivery_events] }),
    ).toBe(attention);
  });
});

describe("replies", () => {
  const inbound = {
    direction: "inbound" as const,
    from: "a@x.example",
    reply_to: null,
    more_reply_to: [],
    to: ["me@x.example", "b@x.example"],
    cc: ["c@x.example", "me@x.example"],
    subject: "S",
    message_id: "<2>",
    references: ["<1>"],
  };
  const own = "me@x.example";
  const outbound = { ...inbound, direction: "outbound" as const };
  const NOBODY = { to: [], cc: [] };
  test.each([
    ["one", inbound, false, { to: ["a@x.example"], cc: [] }],
    ["Reply-To", { ...inbound, reply_to: "r@x.example" }, false, { to: ["r@x.example"], cc: [] }],
    ["all", inbound, true, { to: ["a@x.example", "b@x.example"], cc: ["c@x.example"] }],
    [
      "our own mail",
      { ...inbound, direction: "outbound" as const, to: ["b@x.example"] },
      false,
      { to: ["b@x.example"], cc: [] },
    ],
    [
      "our own mail, all",
      { ...inbound, direction: "outbound" as const, to: ["b@x.example", "d@x.example"] },
      true,
      { to: ["b@x.example", "d@x.example"], cc: ["c@x.example"] },
    ],
    ["our own mail to ourselves", { ...outbound, to: [own, "Me+x@X.example"], cc: [] }, true, NOBODY],
    ["a note to oneself, all", { ...inbound, from: own, to: [own], cc: [] }, true, NOBODY],
    ["no author", { ...inbound, from: "" }, true, { to: ["b@x.example"], cc: ["c@x.example"] }],
    ["only people in Cc", { ...inbound, from: "", to: [] }, true, { to: ["c@x.example"], cc: [] }],
    [
      "several in Reply-To, with our own and the same one again",
      {
        ...inbound,
        reply_to: "R@x.example",
        more_reply_to: ["ME+1@x.example", "s@x.example", "r@X.example"],
      },
      false,
      { to: ["R@x.example", "s@x.example"], cc: [] },
    ],
    [
      "our own address in Reply-To",
      { ...inbound, reply_to: "me+a@x.example" },
      false,
      { to: ["a@x.example"], cc: [] },
    ],
    [
      "what is no address",
      { ...inbound, to: ["b@", '"b c"@x.example'], cc: ["r+abcdefghijklmnopqrstuvwxyz@x.example"] },
      true,
      { to: ["a@x.example"], cc: [] },
    ],
  ])("a reply to %s has the right recipients", (_what, answered, all, expected) => {
    expect(replyRecipients(answered, own, all)).toEqual(expected);
  });
  test.each([
    ["Plan", "Re: Plan"],
    ["Re: Plan", "Re: Plan"],
    ["RE: re: Re[2]: Plan", "Re: Plan"],
    ["Regarding", "Re: Regarding"],
    ["", "Re:"],
  ])("the reply to %j is %j", (subject, reply) => {
    expect(replySubject(subject)).toBe(reply);
  });
  test.each([
    [
      { message_id: "<2>", references: ["<1>"] },
      { in_reply_to: "<2>", references: ["<1>", "<2>"] },
    ],
    [
      { message_id: "<2>", references: ["<1>", "<2>"] },
      { in_reply_to: "<2>", references: ["<1>", "<2>"] },
    ],
    [
      { message_id: null, references: ["<1>"] },
      { in_reply_to: null, references: ["<1>"] },
    ],
  ])("the chain after %j is %j", (answered, chain) => {
    expect(replyReferences(answered)).toEqual(chain);
  });
});

describe("send attempts", () => {
  const results = (...outcomes: ("accepted" | "temporary_failure" | "permanent_failure")[]) =>
    outcomes.map((outcome, index) => ({ recipient: `r${index}`, outcome, detail: "" }));
  const pending = ["r0", "r1"];
  test.each([
    [results("accepted", "accepted"), 1, { pending: [], accepted: true, gave_up: false, wait_ms: 60_000 }],
    [
      results("accepted", "temporary_failure"),
      1,
      { pending: ["r1"], accepted: true, gave_up: false, wait_ms: 60_000 },
    ],
    [
      results("permanent_failure", "temporary_failure"),
      2,
      { pending: ["r1"], accepted: false, gave_up: false, wait_ms: 300_000 },
    ],
    [
      results("temporary_failure", "temporary_failure"),
      12,
      { pending: [], accepted: false, gave_up: true, wait_ms: 43_200_000 },
    ],
  ])("%j at try %i leaves %j", (outcome, tries, expected) => {
    expect(afterAttempt({ pending, tried: tries - 1, begun: tries }, outcome)).toEqual(expected);
  });
  test("an attempt that began and has no recorded result is unknown", () => {
    expect(attemptIsUnknown({ pending, tried: 0, begun: 0 })).toBe(false);
    expect(attemptIsUnknown({ pending, tried: 0, begun: 1 })).toBe(true);
    expect(attemptIsUnknown({ pending, tried: 1, begun: 1 })).toBe(false);
  });
});
