import type { CallbackResponse, TelephonyReply } from "../ports/telephony.ts";

/**
 * Our answer to a callback, and what became of it: `handled`; `ignored`, as it tells nothing that we need;
 * `unknown`, as it is about a number or message that isn't ours; `dropped`, as the inbox takes nothing now, or not
 * from there; or `duplicate`, as it was handled before.
 */
export interface ReceivedCallback extends CallbackResponse {
  outcome: "handled" | "ignored" | "unknown" | "dropped" | "duplicate";
}

/** What became of an event, and what the provider is to do next: nothing, unless `reply` says so. */
export interface HandledEvent {
  outcome: ReceivedCallback["outcome"];
  reply?: TelephonyReply;
}
