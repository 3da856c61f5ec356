import { statusOf } from "../../packages/core/src/mail/bounce-reports/implied-status.ts";
import { readReport } from "../../packages/core/src/mail/bounce-reports/read-report.ts";
import type { MailReport, ReportedRecipient } from "../../packages/core/src/mail/bounce-reports/report.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
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

/** The set's names for each of our reasons; a name that it also uses for other causes is listed under each. */
const NAMES_OF_REASONS: Readonly<Record<string, readonly string[]>> = {
  unknown_user: ["userunknown"],
  moved: ["hasmoved"],
  unknown_host: ["hostunknown"],
  takes_no_mail: ["notaccept"],
  mailbox_full: ["mailboxfull"],
  too_large: ["mesgtoobig", "exceedlimit"],
  suspended: ["suspend"],
  filtered: ["filtered"],
  policy: ["filtered", "policyviolation", "securityerror", "notcompliantrfc", "contenterror"],
  host_refused: ["blocked", "badreputation", "requireptr"],
  authentication: ["authfailure"],
  spam: ["spamdetected", "virusdetected", "contenterror"],
  rate: ["toomanyconn", "speeding"],
  relaying: ["norelaying"],
  sender_refused: ["rejected"],
  unreachable: ["expired", "networkerror"],
  server_trouble: ["systemerror", "mailererror"],
  delivered: ["delivered"],
  unknown: ["undefined", "onhold", "vacation"],
};

/** Reports about other mail: bounces and complaints. */
export const BOUNCE_SETS: TestSet<BounceCase>[] = [
  {
    file: "bounces",
    targets: {
      recipients: 0.95,
      "hard or soft": 0.95,
      status: 0.95,
      "status, stated or not": 0.9,
      reason: 0,
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
            : [
                checkHardness(id, bounce, recipients[index]),
                ...checkStatus(id, bounce, recipients[index]),
                ...checkAnyStatus(id, bounce, recipients[index]),
                checkReason(id, bounce, recipients[index]),
              ],
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

/**
 * The status (RFC 3463), where the report has one. Otherwise the set gives `x.0.9nn`, numbers of its own for its
 * reasons, which no server sends and no registry knows: these are measured as reasons.
 */
function checkStatus(id: string, { status }: Bounce, found: ReportedRecipient | undefined): Check[] {
  if (!/^[245]\.\d+\.\d+$/.test(status) || /^\d\.0\.9\d\d$/.test(status)) return [];
  return [
    check("status", id, found?.status === status, () => [
      "other status",
      `${found?.status ?? "none"}, expected ${status}: ${found?.detail.slice(0, 160) ?? ""}`,
    ]),
  ];
}

/** The codes of the registry (RFC 5248) for the set's names of reasons: subject and detail. */
const CODES_OF_NAMES: Readonly<Record<string, readonly string[]>> = {
  userunknown: ["1.1"],
  hostunknown: ["1.2", "4.4"],
  mailboxfull: ["2.2"],
  mesgtoobig: ["3.4", "2.3"],
  suspend: ["2.1"],
  filtered: ["7.1", "2.1"],
  blocked: ["7.1", "7.25"],
  requireptr: ["7.25", "7.1"],
  rejected: ["1.8", "1.7", "7.1"],
  expired: ["4.7", "4.1"],
  networkerror: ["4.1", "4.2", "4.4", "4.7"],
  mailererror: ["3.0"],
  onhold: ["0.0"],
  undefined: ["0.0"],
};

/** Checks the status of every recipient; if the report has none, that its reply and reason mean the same. */
function checkAnyStatus(
  id: string,
  { status, reason }: Bounce,
  found: ReportedRecipient | undefined,
): Check[] {
  if (status === "") return [];
  const said = found === undefined ? "none" : statusOf(found);
  const ok = /^\d\.0\.9\d\d$/.test(status)
    ? said.startsWith(status.charAt(0)) && (CODES_OF_NAMES[reason] ?? []).includes(said.slice(2))
    : said === status;
  return [
    check("status, stated or not", id, ok, () => ["other status", `${said}, expected ${status} (${reason})`]),
  ];
}

/** The reason; the set's names and ours divide the causes differently, so it has no target. */
function checkReason(id: string, { reason }: Bounce, found: ReportedRecipient | undefined): Check {
  const names = NAMES_OF_REASONS[found?.reason ?? ""] ?? [];
  return check("reason", id, names.includes(reason), () => [
    "other reason",
    `${found?.reason ?? "nothing"}, expected ${reason}: ${found?.detail.slice(0, 160) ?? ""}`,
  ]);
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
