import type { CallbackResponse, TelephonyReply } from "../../../ports/telephony.ts";

/**
 * Our response to a callback, and its outcome: `handled`; `ignored`, as it tells nothing that we need; `unknown`, as
 * it is about a number or message that isn't ours; `dropped`, as the inbox takes nothing now, or not from there; or
 * `duplicate`, as it was handled before.
 */
export interface ReceivedCallback extends CallbackResponse {
  outcome: "handled" | "ignored" | "unknown" | "dropped" | "duplicate";
}

/** The outcome of an event, and the instructions in `reply` for the provider, if any. */
export interface HandledEvent {
  outcome: ReceivedCallback["outcome"];
  reply?: TelephonyReply;
}
