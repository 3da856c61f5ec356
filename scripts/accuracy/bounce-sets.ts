import { readReport } from "../../packages/core/src/mail/reports/read-report.ts";
import type { MailReport, ReportedRecipient } from "../../packages/core/src/mail/reports/report.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import { type Check, check, type TestSet } from "./check.ts";
import { bytesOf, type Raw } from "./raw-mail.ts";

interface Bounce {
  status: string;
  reason: string;
  hard: boolean;
  feedback: string | null;
}

interface BounceCase {
  id: string;
  input: Raw;
  /** `"not a bounce"`, or one entry for each recipient. */
  expected: string | Bounce[];
  final_recipients?: string[];
}

/** Mail that says what became of other mail: reports of mail systems and complaints. */
export const BOUNCE_SETS: TestSet<BounceCase>[] = [
  {
    file: "bounces",
    targets: { recipients: 0.95, "hard or soft": 0.93, complaints: 0.95, "other mail left alone": 1 },
    async score({ id, input, expected, final_recipients = [] }) {
      const report = readReport({ mail: await parseMail(bytesOf(input)), mail_from: "" });
      if (typeof expected === "string")
        return [
          check("other mail left alone", id, report === undefined, () => [
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
        ...expected.map((bounce, index) =>
          bounce.reason === "feedback"
            ? complaint(id, bounce, report)
            : hardness(id, bounce, recipients[index]),
        ),
      ];
    },
  },
];

function hardness(id: string, { hard, reason }: Bounce, found: ReportedRecipient | undefined): Check {
  return check("hard or soft", id, (found?.outcome === "hard") === hard, () => [
    hard ? "hard taken for soft" : "soft taken for hard",
    `${reason} read as ${found?.outcome ?? "nothing"} (${found?.reason ?? ""}): ${found?.detail.slice(0, 160) ?? ""}`,
  ]);
}

/** A report on failed authentication (RFC 6591) comes in the form of a complaint, but nobody complained. */
function complaint(id: string, { feedback }: Bounce, report: MailReport | undefined): Check {
  const wanted = feedback === "auth-failure" ? undefined : feedback;
  const found = report?.type === "complaint" ? report.feedback_type : undefined;
  return check("complaints", id, found === wanted, () => [
    "other type",
    `${found ?? "none"}, wanted ${wanted ?? "none"}`,
  ]);
}
