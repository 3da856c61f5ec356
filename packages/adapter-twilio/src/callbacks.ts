import type { CallbackRequest, CallStatus, TelephonyEvent } from "@letterslot/core/ports";
import type { Twilio } from "./library.ts";
import { PATHS } from "./paths.ts";

type Fields = Record<string, string | string[]>;
type Event = TelephonyEvent | "ignored";

/** The values that Twilio sends instead of a withheld number: words, spelled out or as keys of a phone. */
const WITHHELD = new Set(["+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253"]);

const SMS_STATUSES = new Map<string, "sent" | "delivered" | "failed">([
  ["sent", "sent"],
  ["delivered", "delivered"],
  ["read", "delivered"],
  ["undelivered", "failed"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

const CALL_STATUSES = new Map<string, CallStatus>([
  ["ringing", "ringing"],
  ["completed", "completed"],
  ["busy", "no-answer"],
  ["no-answer", "no-answer"],
  ["failed", "failed"],
  ["canceled", "failed"],
]);

/**
 * Reads a callback of Twilio's (its "webhook security": HMAC-SHA1 over the URL and the fields of a form, or over a
 * URL that has the hash of the body; compared in constant time).
 */
export function readCallback(
  { validateRequest, validateRequestWithBody }: Twilio,
  auth_token: string,
  { url, path, headers, body }: CallbackRequest,
): Event | "forged" {
  const signature = headers["x-twilio-signature"] ?? "";
  const { searchParams: own } = new URL(url);
  if (own.has("bodySHA256"))
    return validateRequestWithBody(auth_token, signature, url, body) ? "ignored" : "forged";
  const fields = fieldsOf(body);
  if (!validateRequest(auth_token, signature, url, fields)) return "forged";
  return eventOf(path, fields, own);
}

function eventOf(path: string, fields: Fields, own: URLSearchParams): Event {
  const field = (name: string) => {
    const value = fields[name] ?? "";
    return typeof value === "string" ? value : "";
  };
  switch (path) {
    case PATHS.sms:
      return textOf(field);
    case PATHS.sms_status:
      return smsStatusOf(field, own.get("message") ?? "");
    case PATHS.voice:
      return received(field("CallSid"), { from: numberOf(field("From")), to: field("To") });
    case PATHS.call_status:
      return callStatusOf(field, own.get("message") ?? "");
    case PATHS.recording:
      return recordingOf(field, own);
    case PATHS.transcript:
      return transcriptOf(field);
    default:
      return "ignored";
  }
}

type Field = (name: string) => string;

function textOf(field: Field): Event {
  const [provider_id, from] = [field("MessageSid"), field("From")];
  // Short codes, which companies send from, are numbers of five or six digits.
  if (provider_id === "" || !/^\+?\d{3,15}$/.test(from)) return "ignored";
  return { kind: "sms_received", provider_id, from, to: field("To"), text: field("Body") };
}

function smsStatusOf(field: Field, message_id: string): Event {
  const status = SMS_STATUSES.get(field("MessageStatus"));
  const provider_id = field("MessageSid");
  if (status === undefined || provider_id === "" || message_id === "") return "ignored";
  const detail = status === "failed" ? wordsOfError(field("ErrorCode"), field("ErrorMessage")) : "";
  return { kind: "sms_status", message_id, provider_id, status, detail };
}

const received = (provider_id: string, numbers: { from: string; to: string }): Event =>
  provider_id === "" ? "ignored" : { kind: "call_received", provider_id, ...numbers };

function callStatusOf(field: Field, message_id: string): Event {
  const said = field("CallStatus");
  const status = callStatus(said);
  const provider_id = field("CallSid");
  if (status === undefined || provider_id === "" || message_id === "") return "ignored";
  const duration_seconds = status === "ringing" ? null : secondsOf(field("CallDuration"));
  return { kind: "call_status", message_id, provider_id, status, duration_seconds, detail: callDetail(said) };
}

/** Returns the interface's status for one of Twilio's; undefined for those that the interface doesn't distinguish. */
export const callStatus = (said: string): CallStatus | undefined => CALL_STATUSES.get(said);

/** Why a call failed or wasn't answered, where Twilio's word says more than the status. */
export function callDetail(said: string): string {
  if (said === "busy") return "The line is busy.";
  if (said === "failed") return "Twilio could not connect the call; the number may not exist.";
  return said === "canceled" ? "The call was cancelled at Twilio." : "";
}

function recordingOf(field: Field, own: URLSearchParams): Event {
  const [call_id, recording_id] = [field("CallSid"), field("RecordingSid")];
  if (field("RecordingStatus") !== "completed" || call_id === "" || recording_id === "") return "ignored";
  return {
    kind: "recording",
    call_id,
    recording_id,
    duration_seconds: secondsOf(field("RecordingDuration")) ?? 0,
    from: own.get("from") ?? "",
    to: own.get("to") ?? "",
    message_id: own.get("message"),
  };
}

function transcriptOf(field: Field): Event {
  const [call_id, recording_id, text] = [field("CallSid"), field("RecordingSid"), field("TranscriptionText")];
  if (field("TranscriptionStatus") !== "completed" || recording_id === "" || text === "") return "ignored";
  return { kind: "transcript", call_id, recording_id, text };
}

/** Seconds as Twilio writes them; null where it writes none. */
export const secondsOf = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

/** A caller's number; empty if it is withheld. */
const numberOf = (from: string): string => (/^\+\d{3,15}$/.test(from) && !WITHHELD.has(from) ? from : "");

/** The fields of a form; a name that is there twice has all its values, as the signature counts them. */
function fieldsOf(body: string): Fields {
  const form = new URLSearchParams(body);
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? "") : values];
    }),
  );
}

/** Twilio's commonest codes for texts that don't arrive, in words: its callbacks have the code alone. */
const WORDS = new Map([
  ["21610", "the recipient has sent STOP to this number"],
  ["30003", "the recipient's phone is switched off or out of reach"],
  ["30004", "the recipient does not take messages from this number"],
  ["30005", "the number does not exist or is not in service"],
  ["30006", "the number is a landline, or its carrier can't be reached"],
  ["30007", "the carrier filtered it"],
  ["30008", "unknown error"],
  ["30032", "the toll-free number is not verified"],
  ["30034", "the sending number is not registered for US A2P messaging"],
]);

/** Why a text failed: Twilio's code, with its words or ours. */
function wordsOfError(code: string, message: string): string {
  const words = message || (WORDS.get(code) ?? "no reason");
  return `Twilio could not deliver it: ${words}${code === "" ? "" : ` (${code})`}`;
}
