import type { RecipientResult } from "@letterslot/core/ports";

/** An error from nodemailer. */
export interface SmtpFailure extends Error {
  code?: string | undefined;
  /** The code of the system or of TLS, such as ECONNREFUSED. */
  originalCode?: string | undefined;
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | false | undefined;
  recipient?: string | undefined;
  rejectedErrors?: SmtpFailure[] | undefined;
}

/** A server's answer to a mail that at least one recipient accepted. */
export interface SmtpSent {
  response?: string;
  accepted: readonly string[];
  rejectedErrors?: SmtpFailure[] | undefined;
}

/** Characters kept of a server's reply. */
const MAX_DETAIL_CHARS = 500;
/** Only replies to these concern the message. A 5xx before them concerns this client, and may pass. */
const MESSAGE_COMMANDS = new Set(["MAIL FROM", "RCPT TO", "DATA"]);

/**
 * Returns the result for each recipient of one mail, by the address given to the server: from the server's answer, or
 * from the error that ended the sending.
 */
export function resultsOfSend(
  ended: { sent: SmtpSent } | { error: unknown },
): (recipient: string, wire: string) => RecipientResult {
  if ("sent" in ended) {
    const { accepted, rejectedErrors, response = "" } = ended.sent;
    const accepting = new Set(accepted.map((address) => address.toLowerCase()));
    const failures = failuresByRecipient(rejectedErrors);
    return (recipient, wire) => {
      const key = wire.toLowerCase();
      return toResult(recipient, failures.get(key), response, accepting.has(key));
    };
  }
  const failure = (
    ended.error instanceof Error ? ended.error : new Error(String(ended.error))
  ) as SmtpFailure;
  const failures = failuresByRecipient(failure.rejectedErrors);
  return (recipient, wire) => toResult(recipient, failures.get(wire.toLowerCase()) ?? failure, "", false);
}

/** Failures keyed by lower-case recipient. */
function failuresByRecipient(errors: SmtpFailure[] | undefined): Map<string, SmtpFailure> {
  return new Map((errors ?? []).map((error) => [(error.recipient ?? "").toLowerCase(), error]));
}

/** The result for one recipient: accepted with the server's reply, or a temporary or permanent failure. */
function toResult(
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

/** A server's reply as one line of at most 500 characters. */
export function toDetail(reply: string): string {
  return reply
    .replace(/[\x00-\x1f\x7f]+/g, " ")
    .trim()
    .slice(0, MAX_DETAIL_CHARS);
}
