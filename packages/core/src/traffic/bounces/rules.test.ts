import { describe, expect, test } from "vitest";
import type { ReportedRecipient } from "../../mail/bounce-reports/report.ts";
import type { DeliveryEvent } from "../../model/message-facts.ts";
import { findingsOf, newFindings as newOnes } from "./rules.ts";

const sent = (
  change: { to?: string[]; cc?: string[]; bcc?: string[]; delivery_events?: DeliveryEvent[] } = {},
) => ({
  to: ["ada@example.com"],
  cc: [],
  bcc: [],
  delivery_events: [],
  ...change,
});
const many = sent({ to: ["ada@example.com"], cc: ["bo@example.org"], bcc: ["cy@example.net"] });
/** Returns the findings that a proven report adds, without their proof. */
const newFindings = (message: ReturnType<typeof sent>, report: Parameters<typeof findingsOf>[1]) =>
  newOnes(
    message,
    findingsOf(message, report).map((finding) => ({ ...finding, proof: "relay" as const })),
  ).map(({ type, recipient: to, kind, detail }) => ({ type, recipient: to, kind, detail }));
const recipient = (address: string, change: Partial<ReportedRecipient> = {}): ReportedRecipient => ({
  address,
  original: null,
  outcome: "hard",
  status: "5.1.1",
  reason: "unknown_user",
  detail: "550 no such user",
  ...change,
});
const delivery = (...recipients: ReportedRecipient[]) => ({
  type: "delivery" as const,
  recipients,
  original_message_id: null,
  report_header: null,
});
const complaint = (...recipients: string[]) => ({
  type: "complaint" as const,
  feedback_type: "abuse",
  recipients,
  original_message_id: null,
  report_header: null,
});

describe("a delivery report", () => {
  test("is read for each recipient that the message went to", () => {
    const report = delivery(
      recipient("bo@example.org", { outcome: "soft", status: null, reason: "mailbox_full", detail: "" }),
      recipient("cy@example.net"),
      recipient("eve@evil.test"),
    );
    expect(newFindings(many, report)).toEqual([
      { type: "bounced", recipient: "bo@example.org", kind: "soft", detail: "mailbox_full" },
      { type: "bounced", recipient: "cy@example.net", kind: "hard", detail: "5.1.1 550 no such user" },
    ]);
  });

  test.each([
    ["delayed", "deferred", null],
    ["delivered", "delivered", null],
    ["soft", "bounced", "soft"],
  ] as const)("that says %s is noted as %s", (outcome, type, kind) => {
    expect(newFindings(sent(), delivery(recipient("ada@example.com", { outcome })))).toMatchObject([
      { type, kind },
    ]);
  });

  test("names a recipient as the sender wrote it, even if it was rewritten in transit", () => {
    const report = delivery(recipient("ada@inner.example", { original: "ada@example.com" }));
    expect(newFindings(many, report)).toMatchObject([{ recipient: "ada@example.com" }]);
  });

  test("about an unknown address is attributed to the only recipient, and ignored if there are several", () => {
    const report = delivery(recipient("ada@forwarded.example"));
    expect(newFindings(sent(), report)).toMatchObject([{ recipient: "ada@example.com" }]);
    expect(newFindings(many, report)).toEqual([]);
  });

  test("has nothing new when repeated, also within one report", () => {
    const noted = {
      type: "bounced" as const,
      recipient: "ada@example.com",
      created_at: "2026-01-01T00:00:00.000Z",
      detail: "",
    };
    const report = delivery(recipient("ada@example.com"), recipient("ada@example.com"));
    expect(newFindings(sent({ delivery_events: [noted] }), report)).toEqual([]);
    expect(newFindings(sent(), report)).toHaveLength(1);
  });

  test.each([
    ["soft", "hard", true],
    ["hard", "soft", false],
    ["soft", "soft", false],
    ["hard", "hard", false],
    [undefined, "hard", false],
    [undefined, "soft", false],
  ] as const)("after a bounce that is %s, one that is %s is new: %s", (before, outcome, isNew) => {
    const noted = {
      ...{ type: "bounced" as const, recipient: "ada@example.com", detail: "" },
      created_at: "2026-01-01T00:00:00.000Z",
      ...(before === undefined ? {} : { bounce_type: before }),
    };
    const report = delivery(recipient("ada@example.com", { outcome }));
    expect(newFindings(sent({ delivery_events: [noted] }), report)).toHaveLength(isNew ? 1 : 0);
  });
});

describe("a complaint", () => {
  test("is recorded for those who complained", () => {
    expect(newFindings(many, complaint("bo@example.org", "eve@evil.test"))).toEqual([
      { type: "complained", recipient: "bo@example.org", kind: "abuse", detail: "abuse" },
    ]);
  });

  test("that names nobody is attributed to the only recipient, and ignored if there are several", () => {
    expect(newFindings(sent(), complaint())).toMatchObject([
      { type: "complained", recipient: "ada@example.com" },
    ]);
    expect(newFindings(many, complaint())).toEqual([]);
  });
});
