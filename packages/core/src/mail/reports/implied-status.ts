import type { ReportedRecipient } from "./report.ts";

/**
 * What each reason is in the registry of enhanced status codes (RFC 5248): subject and detail. Reasons that the registry
 * has under several codes have the one that says least.
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
 * The enhanced status code (RFC 3463) of a recipient: the report's own or, where it has none, the one that the registry
 * has for its reason, of the class of the SMTP reply that it quotes. A failure without a reply is permanent (5), a delay
 * is not (4).
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
