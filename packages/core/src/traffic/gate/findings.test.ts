import { describe, expect, test } from "vitest";
import { findingsIn, isKnown, type OutboundFacts, type RecipientFacts } from "./findings.ts";

const now = new Date("2026-11-27T12:00:00.000Z");
const day = (days_ago: number) => new Date(now.getTime() - days_ago * 24 * 3600_000).toISOString();
const mention = { first_at: day(3), message_id: "msg_1", inbox_id: "inb_1" };
const stranger: RecipientFacts = {
  ...{ address: "drop@evil.example", param: "to", own: false, left_at: null },
  ...{ mention: undefined, answered: false, unproven: false },
};
const facts = (
  recipient: Partial<RecipientFacts> = {},
  more: Partial<OutboundFacts> = {},
): OutboundFacts => ({
  policies: { untrusted: "approve", content: "approve", new_recipients: "observe" },
  recipients: [{ ...stranger, ...recipient }],
  ...{ outside_thread: false, elsewhere: [], content: { findings: [], unscanned: [] }, hidden: [], now },
  ...more,
});

test.each<[string, OutboundFacts, string[]]>([
  ["nobody knows", facts(), ["new_recipient"]],
  ["a stranger's mail names", facts({ mention }), ["untrusted_recipient", "new_recipient"]],
  ["joins a thread of strangers", facts({}, { outside_thread: true }), ["untrusted_thread", "new_recipient"]],
  ["an unproven mail names", facts({ unproven: true }), ["unproven_recipient", "new_recipient"]],
  ["is one's own", facts({ own: true, mention, unproven: true }, { outside_thread: true }), []],
  ["wrote the mail that is answered", facts({ answered: true, mention }, { outside_thread: true }), []],
  ["was written to long ago", facts({ left_at: day(8) }), []],
  ["was written to before it was named", facts({ left_at: day(8), mention }), []],
  [
    "was written to after it was named",
    facts({ left_at: day(8), mention: { ...mention, first_at: day(9) } }),
    ["untrusted_recipient", "new_recipient"],
  ],
  ["was written to lately", facts({ left_at: day(6) }), ["new_recipient"]],
])("a recipient who %s", (_who, given, codes) => {
  expect(findingsIn(given).map(({ code }) => code)).toEqual(codes);
});

describe("policies", () => {
  test("of a group that is off find nothing", () => {
    const policies = { untrusted: "off", content: "off", new_recipients: "off" } as const;
    expect(findingsIn(facts({ mention }, { policies }))).toEqual([]);
  });

  test("say what is done about what is found, and where it comes from", () => {
    expect(
      findingsIn(
        facts(
          { mention },
          { elsewhere: [{ kind: "file", name: "a.pdf", message_id: "msg_2", inbox_id: "inb_1" }] },
        ),
      ),
    ).toEqual([
      {
        ...{ code: "untrusted_recipient", policy: "approve", detail: "drop@evil.example", param: "to" },
        ...{ message_id: "msg_1", inbox_id: "inb_1" },
      },
      {
        ...{ code: "elsewhere_attachment", policy: "approve", detail: "a.pdf", param: "attachments" },
        ...{ message_id: "msg_2", inbox_id: "inb_1" },
      },
      { code: "new_recipient", policy: "observe", detail: "drop@evil.example", param: "to" },
    ]);
  });
});

test("what a content scanner finds names kind and place, once each", () => {
  const place = { part: "text", start: 0, end: 9, fingerprint: "f" };
  const content = {
    findings: [
      { ...place, code: "secret" as const, kind: "github_token" },
      { ...place, code: "secret" as const, kind: "github_token", start: 20, end: 29 },
      { ...place, code: "personal_data" as const, kind: "iban" },
    ],
    unscanned: ["a.zip"],
  };
  expect(
    findingsIn(facts({ own: true }, { content })).map(({ code, detail, policy }) => [code, detail, policy]),
  ).toEqual([
    ["secret", "github_token in text", "approve"],
    ["personal_data", "iban in text", "approve"],
    ["unscanned", "a.zip", "approve"],
  ]);
});

test("seven days are seven days", () => {
  const known = (left_at: string) => isKnown({ answered: false, left_at, mention: undefined }, now);
  expect([known(day(7)), known(new Date(Date.parse(day(7)) + 1).toISOString())]).toEqual([true, false]);
});
