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

/** What became of one recipient: accepted with the server's words, or its failure and whether trying again can help. */
export function toResult(recipient: string, failure: SmtpFailure | undefined, response: string): RecipientResult {
  if (failure === undefined) return { recipient, outcome: "accepted", detail: bounded(response) };
  return { recipient, outcome: isPermanent(failure) ? "permanent_failure" : "temporary_failure", detail: bounded(failure.response ?? failure.message) };
}

function isPermanent(failure: SmtpFailure): boolean {
  // An address that can't be written in SMTP never will be; nodemailer says so without asking the server.
  if (failure.code === "EENVELOPE" && failure.command === "API") return true;
  return Number(failure.responseCode) >= 500 && ABOUT_THE_MAIL.has(failure.command ?? "");
}

function bounded(words: string): string {
  return words
    .replace(/[\x00-\x1f\x7f]+/g, " ")
    .trim()
    .slice(0, MAX_DETAIL_CHARS);
}
