import { describe, expect, test } from "vitest";
import { statusOf } from "./implied-status.ts";
import type { ReportedRecipient } from "./report.ts";

const recipient = (change: Partial<ReportedRecipient>) => ({
  ...{ status: null, reason: "unknown_user", outcome: "hard" as const, detail: "" },
  ...change,
});

describe("the status of a recipient", () => {
  test.each<[string, Partial<ReportedRecipient>, string]>([
    ["as the report has it", { status: "5.7.25", reason: "unknown_user" }, "5.7.25"],
    ["of an unknown user", {}, "5.1.1"],
    ["of a full mailbox, for now", { reason: "mailbox_full", detail: "452 mailbox full" }, "4.2.2"],
    ["of a full mailbox, for good", { reason: "mailbox_full", detail: "552-5 mailbox full" }, "5.2.2"],
    ["of a host that can't be found", { reason: "unknown_host" }, "5.1.2"],
    ["of a domain that takes no mail", { reason: "takes_no_mail", detail: "556 null MX" }, "5.1.10"],
    [
      "of a delay, whatever was quoted",
      { outcome: "delayed", reason: "unreachable", detail: "554 no" },
      "4.4.7",
    ],
    ["of a reason without a code", { reason: "unknown", detail: "421 later" }, "4.0.0"],
    ["of a delivery", { outcome: "delivered", reason: "delivered" }, "2.1.5"],
    ["of a reply that isn't one", { detail: "10.0.450.1 said no, in 4500 ms" }, "5.1.1"],
    ["at the end of a line", { reason: "spam", detail: "refused with 451" }, "4.7.1"],
  ])("%s", (_, change, status) => {
    expect(statusOf(recipient(change))).toBe(status);
  });
});
