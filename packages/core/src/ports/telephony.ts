/** A capability of a phone number. */
export type PhoneCapability = "sms" | "voice";

/** A number that the provider sells. */
export interface AvailableNumber {
  /** In E.164. */
  phone_number: string;
  /** The state, province or territory that it belongs to, in two letters; null if the provider doesn't say. */
  region: string | null;
  capabilities: PhoneCapability[];
}

/** A number that the provider has sold to this service. */
export interface BoughtNumber extends AvailableNumber {
  /** The provider's id for it. */
  provider_id: string;
}

/** A text message to be sent. */
export interface OutgoingSms {
  /** The id of our message: callbacks about the text name it. */
  message_id: string;
  from: string;
  to: string;
  text: string;
}

/** A call to be placed. */
export interface OutgoingCall {
  /** The id of our message: callbacks about the call name it. */
  message_id: string;
  from: string;
  to: string;
  /** The words to speak, as text: the adapter makes sure that none of it is taken for markup. */
  say: string;
  /** The notice spoken first if the other side's answer is recorded; null if it isn't. */
  recording_notice: string | null;
  /** The longest recording, in seconds. */
  recording_seconds: number;
  /** The provider ends the call after this many seconds. */
  time_limit_seconds: number;
}

/** The progress of a call, in the words of the interface. */
export type CallStatus = "ringing" | "completed" | "no-answer" | "failed";

/** A call as the provider knows it. */
export interface CallState {
  status: "queued" | "in-progress" | CallStatus;
  /** The duration of the call; null until it ended. */
  duration_seconds: number | null;
  /** The reason for a failure; empty if it didn't fail. */
  detail: string;
}

/** A request of the provider, as it arrived. */
export interface CallbackRequest {
  /** The public URL of ours that it requested, with its query, regardless of proxies. */
  url: string;
  /** The path below this provider's prefix, such as `/sms`. */
  path: string;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The content of a genuine callback. Numbers are in E.164; `message_id` is that of our own text or call. */
export type TelephonyEvent =
  | { kind: "sms_received"; provider_id: string; from: string; to: string; text: string }
  | {
      kind: "sms_status";
      message_id: string;
      provider_id: string;
      status: "sent" | "delivered" | "failed";
      /** The reason for a failure, in the provider's words; empty if it didn't fail. */
      detail: string;
    }
  | { kind: "call_received"; provider_id: string; from: string; to: string }
  | ({ kind: "call_status"; message_id: string; provider_id: string; status: CallStatus } & Pick<
      CallState,
      "duration_seconds" | "detail"
    >)
  | {
      kind: "recording";
      /** The provider's id of the call. */
      call_id: string;
      recording_id: string;
      duration_seconds: number;
      from: string;
      to: string;
      /** Our call that it belongs to; null for a voicemail. */
      message_id: string | null;
    }
  | { kind: "transcript"; call_id: string; recording_id: string; text: string };

/** The provider's next action. */
export type TelephonyReply =
  | { kind: "nothing" }
  /** Answer a text with a text. */
  | { kind: "text"; text: string }
  /** Say the greeting, beep, and record. */
  | { kind: "voicemail"; greeting: string; max_seconds: number }
  /** Refuse the call. */
  | { kind: "reject" };

/** A response in the form that the provider expects. */
export interface CallbackResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The outcome of a failed request to the provider. `refused`: it was understood and refused, and a retry changes
 * nothing. `unavailable`: certainly nothing happened, and it may be retried. `unknown`: it may have happened.
 */
export type TelephonyOutcome = "refused" | "unavailable" | "unknown";

/** A request to the provider that didn't succeed. */
export class TelephonyFailure extends Error {
  readonly outcome: TelephonyOutcome;
  /** The specific error code of a refusal, if there is one. */
  readonly code: "phone_number_unavailable" | "invalid_area_code" | undefined;
  /** `detail` is for people: the reason in the provider's words, without credentials. */
  constructor(outcome: TelephonyOutcome, detail: string, code?: TelephonyFailure["code"]) {
    super(detail);
    this.outcome = outcome;
    this.code = code;
  }
}

/**
 * A provider of phone numbers, text messages and calls in the US and Canada. Every request that doesn't succeed
 * fails with a `TelephonyFailure`, within 30 seconds.
 */
export interface Telephony {
  /** A short name of letters and digits: `provider` of messages, and the prefix of callback paths. */
  name: string;
  /** Whether the provider itself answers STOP, START and HELP; if not, we do. */
  answers_keywords: boolean;
  /** Returns at most `limit` numbers for sale; none if the area code has none. */
  searchNumbers(search: { area_code: string | null; limit: number }): Promise<AvailableNumber[]>;
  /** Buys a number and stores our reference with it, by which `findNumber` finds it after a crash. */
  buyNumber(request: { phone_number: string; reference: string }): Promise<BoughtNumber>;
  /** Finds the number that was bought with this reference and not released. */
  findNumber(reference: string): Promise<BoughtNumber | undefined>;
  /** Releases a number; a second call changes nothing. */
  releaseNumber(provider_id: string): Promise<void>;
  /** Sends a text; resolves once the provider has accepted it. The provider does not detect duplicates. */
  sendSms(sms: OutgoingSms): Promise<{ provider_id: string }>;
  /** Places a call; resolves once the provider has accepted it. */
  placeCall(call: OutgoingCall): Promise<{ provider_id: string }>;
  /** Returns the progress of a call, for when no callback came; undefined when the provider doesn't know the call. */
  findCall(provider_id: string): Promise<CallState | undefined>;
  /** Fetches the audio of a recording, at most `max_bytes` of it, from the provider's own host. */
  fetchRecording(
    recording_id: string,
    max_bytes: number,
  ): Promise<{ bytes: Uint8Array; content_type: string }>;
  /**
   * Reads a callback: returns its event, `ignored` if it is genuine but irrelevant, or `forged` if it is not signed by
   * the provider for this URL.
   */
  verifyCallback(request: CallbackRequest): Promise<TelephonyEvent | "ignored" | "forged">;
  /** Returns our answer to a genuine callback. */
  replyTo(event: TelephonyEvent | "ignored", reply: TelephonyReply): CallbackResponse;
  close(): Promise<void>;
}

const unavailable = async (): Promise<never> => {
  throw new TelephonyFailure("unavailable", "This service has no telephony.");
};

/** The telephony of a service without a provider: nothing can be bought, sent or called. */
export const noTelephony: Telephony = {
  name: "none",
  answers_keywords: false,
  searchNumbers: unavailable,
  buyNumber: unavailable,
  findNumber: unavailable,
  releaseNumber: unavailable,
  sendSms: unavailable,
  placeCall: unavailable,
  findCall: unavailable,
  fetchRecording: unavailable,
  verifyCallback: async () => "forged",
  replyTo: () => ({ status: 204, headers: {}, body: "" }),
  close: async () => undefined,
};
