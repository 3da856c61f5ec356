/** Below the service's place for callbacks: what Twilio asks for there. */
export const PATHS = {
  /** A text came in. */
  sms: "/sms",
  /** Delivery status of an outbound text. */
  sms_status: "/sms-status",
  /** Somebody calls. */
  voice: "/voice",
  /** Progress of an outbound call. */
  call_status: "/call-status",
  /** The end of a recording, while the call is on: there is nothing more to do. */
  recorded: "/recorded",
  /** A recording is ready. */
  recording: "/recording",
  /** The words of a recording. */
  transcript: "/transcript",
} as const;

/** Our own facts in a callback's query, which Twilio signs with the rest of the URL and gives back. */
export interface OwnFacts {
  message?: string | undefined;
  from?: string;
  to?: string;
}

/** The URL of a callback below `callbacks_url`. */
export function callbackUrl(
  callbacks_url: string,
  path: string,
  { message, from, to }: OwnFacts = {},
): string {
  const query = new URLSearchParams();
  if (message !== undefined) query.set("message", message);
  if (from !== undefined) query.set("from", from);
  if (to !== undefined) query.set("to", to);
  return query.size === 0 ? `${callbacks_url}${path}` : `${callbacks_url}${path}?${query.toString()}`;
}
