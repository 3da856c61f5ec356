import type { RecipientResult } from "@letterslot/core";

/** An error as nodemailer gives it. */
export interface SmtpFailure extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number | false;
  recipient?: string;
  rejectedErrors?: SmtpFailure[];
}

/** Characters kept of what the other side said. */
export const MAX_DETAIL_CHARS = 500;
/** Only answers to these are about the mail; a 5xx before them is about us, and may pass. */
const ABOUT_THE_MAIL = new Set(["MAIL FROM", "RCPT TO", "DATA"]);

/** The failures by recipient, in lower case. */
export function toFailures(errors: SmtpFailure[] | undefined): Map<string, SmtpFailure> {
  return new Map((errors ?? []).map((error) => [(error.recipient ?? "").toLowerCase(), error]));
}

/**
 * What became of one recipient: accepted with the server's words, or its failure and whether trying again can
 * help.
 */
export function toResult(
  recipient: string,
  failure: SmtpFailure | undefined,
  response: string,
  accepted: boolean,
): RecipientResult {
  if (accepted) return { recipient, outcome: "accepted", detail: bounded(response) };
  if (failure === undefined)
    return {
      recipient,
      outcome: "temporary_failure",
      detail: "The server said nothing about this recipient.",
    };
  const outcome = isPermanent(failure) ? "permanent_failure" : "temporary_failure";
  return { recipient, outcome, detail: bounded(failure.response ?? failure.message) };
}

/** The result for an address that is never handed to a server. */
export function unusable(recipient: string): RecipientResult {
  return {
    recipient,
    outcome: "permanent_failure",
    detail: "The envelope holds an address that can't be written in SMTP.",
  };
}

function isPermanent(failure: SmtpFailure): boolean {
  return Number(failure.responseCode) >= 500 && ABOUT_THE_MAIL.has(failure.command ?? "");
}

function bounded(words: string): string {
  return words
    .replace(/[\x00-\x1f\x7f]+/g, " ")
    .trim()
    .slice(0, MAX_DETAIL_CHARS);
}
