import { TelephonyFailure, type TelephonyOutcome } from "@letterslot/core/ports";

/** Twilio understood a request and refused it. */
export class TwilioRefusal extends TelephonyFailure {
  override name = "TwilioRefusal";
  /** The status of its answer. */
  readonly status: number;

  constructor(status: number, detail: string, code?: TelephonyFailure["code"]) {
    super("refused", detail, code);
    this.status = status;
  }
}

/** The fields of an error from Twilio's API (its "error and warning dictionary"). */
interface TwilioError {
  code?: unknown;
  message?: unknown;
}

const MAX_WORDS_CHARS = 300;
const TOO_MANY_REQUESTS = 429;
const UNAUTHORIZED = 401;
const ACCOUNT_NOT_ACTIVE = 20005;

/** Codes of Twilio's that say that a number can't be had. */
const NUMBER_UNAVAILABLE = new Set([21421, 21422, 21452]);
const INVALID_AREA_CODE = 21451;

/** Failures of a connection before anything was written to it. */
const NOT_CONNECTED = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Returns the failure for an answer that isn't 2xx. A request that only reads has had no effect. */
export function failureOfAnswer(status: number, body: string, reads: boolean): TelephonyFailure {
  const { code, message } = parsed(body);
  const words = `${printable(message) || "no reason"} (${typeof code === "number" ? code : status})`;
  if (status === UNAUTHORIZED || code === ACCOUNT_NOT_ACTIVE)
    return new TelephonyFailure("unavailable", `Twilio does not accept the service's credentials: ${words}`);
  if (status === TOO_MANY_REQUESTS) return new TelephonyFailure("unavailable", `Twilio is busy: ${words}`);
  if (status >= 300 && status < 400)
    return new TelephonyFailure("unavailable", `Twilio answers with a redirect (${status}).`);
  if (status >= 400 && status < 500)
    return new TwilioRefusal(status, `Twilio refuses it: ${words}`, refusedWith(code));
  return new TelephonyFailure(afterWriting(reads), `Twilio answers ${status}.`);
}

/** The failure for a request without an answer. */
export function failureWithoutAnswer(error: unknown, reads: boolean): TelephonyFailure {
  if (error instanceof TelephonyFailure) return error;
  const { code } = ((error as Error).cause ?? error) as { code?: string };
  const outcome = NOT_CONNECTED.has(code ?? "") || isTls(code) ? "unavailable" : afterWriting(reads);
  const why = outcome === "unavailable" ? "Twilio can't be reached." : "Twilio did not answer.";
  return new TelephonyFailure(outcome, why);
}

const afterWriting = (reads: boolean): TelephonyOutcome => (reads ? "unavailable" : "unknown");

/** Whether a certificate was refused, which is before anything was written. */
const isTls = (code = "") => /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);

function refusedWith(code: unknown): TelephonyFailure["code"] {
  if (code === INVALID_AREA_CODE) return "invalid_area_code";
  return typeof code === "number" && NUMBER_UNAVAILABLE.has(code) ? "phone_number_unavailable" : undefined;
}

function parsed(body: string): TwilioError {
  try {
    const error: unknown = JSON.parse(body);
    return typeof error === "object" && error !== null ? error : {};
  } catch {
    return {};
  }
}

/** Twilio's words, without what could break a line, and without the ids of accounts. */
const printable = (words: unknown): string =>
  typeof words === "string"
    ? words
        .replaceAll(/AC[0-9a-f]{32}/g, "AC…")
        .replaceAll(/\p{C}/gu, " ")
        .trim()
        .slice(0, MAX_WORDS_CHARS)
    : "";
