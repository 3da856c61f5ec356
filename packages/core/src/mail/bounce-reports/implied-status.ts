import type { ReportedRecipient } from "./report.ts";

/**
 * The subject and detail of each reason in the registry of enhanced status codes (RFC 5248). A reason with several
 * codes in the registry has the least specific one.
 */
const CODE_OF_REASON: Readonly<Record<string, string>> = {
  unknown_user: "1.1",
  unknown_host: "1.2",
  moved: "1.6",
  sender_refused: "1.8",
  takes_no_mail: "1.10",
  suspended: "2.1",
  mailbox_full: "2.2",
  server_trouble: "3.0",
  too_large: "3.4",
  rate: "4.5",
  unreachable: "4.7",
  filtered: "7.1",
  host_refused: "7.1",
  policy: "7.1",
  relaying: "7.1",
  spam: "7.1",
  authentication: "7.26",
};
const REPLY_CODE = /(?<![\d.])([45])\d\d(?=[\s\-:;,.]|$)(?!\.\d)/;

/**
 * Returns the enhanced status code (RFC 3463) of a recipient: the report's own or, if it has none, the registry's code
 * for its reason, in the class of the quoted SMTP reply. Without a reply, a failure is permanent (5), and a delay is
 * not (4).
 */
export function statusOf({
  status,
  reason,
  outcome,
  detail,
}: Pick<ReportedRecipient, "status" | "reason" | "outcome" | "detail">): string {
  if (status !== null) return status;
  if (outcome === "delivered") return "2.1.5";
  const said = outcome === "delayed" ? "4" : (REPLY_CODE.exec(detail)?.[1] ?? "5");
  return `${said}.${CODE_OF_REASON[reason] ?? "0.0"}`;
}
