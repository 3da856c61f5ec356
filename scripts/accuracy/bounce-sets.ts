import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { readReport } from "../../packages/core/src/mail/reports/read-report.ts";
import type { MailReport, ReportedRecipient } from "../../packages/core/src/mail/reports/report.ts";
import { type Check, check, type TestSet } from "./check.ts";
import { decodeRaw, type Raw } from "./raw-mail.ts";

interface Bounce {
  status: string;
  reason: string;
  hard: boolean;
  feedback: string | null;
}

interface BounceCase {
  id: string;
  input: Raw;
  /** `"not a bounce"`, or one entry per recipient. */
  expected: string | Bounce[];
  final_recipients?: string[];
}

/** Reports about other mail: bounces and complaints. */
export const BOUNCE_SETS: TestSet<BounceCase>[] = [
  {
    file: "bounces",
    targets: {
      recipients: 0.95,
      "hard or soft": 0.95,
      status: 0.9,
      complaints: 0.95,
      "other mail ignored": 1,
    },
    async score({ id, input, expected, final_recipients = [] }) {
      const report = readReport({ mail: await parseMail(decodeRaw(input)), mail_from: "" });
      if (typeof expected === "string")
        return [
          check("other mail ignored", id, report === undefined, () => [
            "read as a report",
            report?.type ?? "",
          ]),
        ];
      const recipients = report?.type === "delivery" ? report.recipients : [];
      const found = new Set(recipients.flatMap(({ address, original }) => [address, original ?? address]));
      return [
        ...final_recipients.map((address) =>
          check("recipients", id, found.has(address.toLowerCase()), () => [
            "not found",
            `${address} in ${[...found].join()}`,
          ]),
        ),
        ...expected.flatMap((bounce, index) =>
          bounce.reason === "feedback"
            ? checkComplaint(id, bounce, report)
            : [checkHardness(id, bounce, recipients[index]), ...checkStatus(id, bounce, recipients[index])],
        ),
      ];
    },
  },
];

function checkHardness(id: string, { hard, reason }: Bounce, found: ReportedRecipient | undefined): Check {
  return check("hard or soft", id, (found?.outcome === "hard") === hard, () => [
    hard ? "hard read as soft" : "soft read as hard",
    `${reason} read as ${found?.outcome ?? "nothing"} (${found?.reason ?? ""}): ${found?.detail.slice(0, 160) ?? ""}`,
  ]);
}

/** The status (RFC 3463), where the report has one. */
function checkStatus(id: string, { status }: Bounce, found: ReportedRecipient | undefined): Check[] {
  if (!/^[245]\.\d+\.\d+$/.test(status)) return [];
  return [
    check("status", id, found?.status === status, () => [
      "other status",
      `${found?.status ?? "none"}, expected ${status}: ${found?.detail.slice(0, 160) ?? ""}`,
    ]),
  ];
}

/** A report on failed authentication (RFC 6591) has the format of a complaint, but nobody complained. */
function checkComplaint(id: string, { feedback }: Bounce, report: MailReport | undefined): Check {
  const expected = feedback === "auth-failure" ? undefined : feedback;
  const found = report?.type === "complaint" ? report.feedback_type : undefined;
  return check("complaints", id, found === expected, () => [
    "other type",
    `${found ?? "none"}, expected ${expected ?? "none"}`,
  ]);
}
