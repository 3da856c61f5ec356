import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import type {
  CallbackRequest,
  CallbackResponse,
  TelephonyEvent,
  TelephonyReply,
} from "../ports/telephony.ts";

/**
 * Our answer to a callback, and what became of it: `handled`; `ignored`, as it tells nothing that we need;
 * `unknown`, as it is about a number or message that isn't ours; or `dropped`, as the inbox takes nothing now, or
 * not from there.
 */
export interface ReceivedCallback extends CallbackResponse {
  outcome: "handled" | "ignored" | "unknown" | "dropped";
}

/** What became of an event, and what the provider is to do next. */
export interface HandledEvent {
  outcome: ReceivedCallback["outcome"];
  reply: TelephonyReply;
}

/**
 * Receives a callback of the telephony provider. A replayed one changes nothing. What was stored is durable when it
 * resolves. Fails with `callback_refused` when the provider didn't sign it for this URL. Throws when the service
 * can't receive it now; the provider should then send it again.
 */
export async function receiveTelephonyCallback(
  services: Services,
  request: CallbackRequest,
): Promise<ReceivedCallback> {
  const { telephony } = services;
  const event = await telephony.verifyCallback(request);
  if (event === "forged") throw fail("callback_refused");
  const { outcome, reply } = event === "ignored" ? IGNORED : await handle(services, event);
  return { ...telephony.replyTo(event, reply), outcome };
}

const NOTHING: TelephonyReply = { kind: "nothing" };
const IGNORED: HandledEvent = { outcome: "ignored", reply: NOTHING };

async function handle(_services: Services, _event: TelephonyEvent): Promise<HandledEvent> {
  return IGNORED;
}
