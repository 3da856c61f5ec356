import type { RecipientResult } from "@letterslot/core";

/** An error from nodemailer. */
export interface SmtpFailure extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number | false;
  recipient?: string;
  rejectedErrors?: SmtpFailure[];
}

/** Characters kept of a server's reply. */
const MAX_DETAIL_CHARS = 500;
/** Only replies to these concern the message. A 5xx before them concerns this client, and may pass. */
const MESSAGE_COMMANDS = new Set(["MAIL FROM", "RCPT TO", "DATA"]);

/** Failures keyed by lower-case recipient. */
export function failuresByRecipient(errors: SmtpFailure[] | undefined): Map<string, SmtpFailure> {
  return new Map((errors ?? []).map((error) => [(error.recipient ?? "").toLowerCase(), error]));
}

/** The result for one recipient: accepted with the server's reply, or a temporary or permanent failure. */
export function toResult(
  recipient: string,
  failure: SmtpFailure | undefined,
  response: string,
  accepted: boolean,
): RecipientResult {
  if (accepted) return { recipient, outcome: "accepted", detail: toDetail(response) };
  if (failure === undefined)
    return {
      recipient,
      outcome: "temporary_failure",
      detail: "The server did not report on this recipient.",
    };
  const outcome = isPermanent(failure) ? "permanent_failure" : "temporary_failure";
  return { recipient, outcome, detail: toDetail(failure.response ?? failure.message) };
}

/** The result for an address that is never sent to a server. */
export function invalidAddress(recipient: string): RecipientResult {
  return {
    recipient,
    outcome: "permanent_failure",
    detail: "The envelope contains an address that SMTP cannot carry.",
  };
}

function isPermanent(failure: SmtpFailure): boolean {
  return Number(failure.responseCode) >= 500 && MESSAGE_COMMANDS.has(failure.command ?? "");
}

function toDetail(reply: string): string {
  return reply
    .replace(/[\x00-\x1f\x7f]+/g, " ")
    .trim()
    .slice(0, MAX_DETAIL_CHARS);
}
