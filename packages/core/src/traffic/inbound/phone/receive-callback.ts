import { fail } from "../../../catalogue/errors.ts";
import type { Services } from "../../../kernel/context.ts";
import { recordCallStatus, recordSmsStatus } from "../../../phone/telephony/index.ts";
import type { CallbackRequest, TelephonyEvent } from "../../../ports/telephony.ts";
import type { HandledEvent, ReceivedCallback } from "./callback-outcome.ts";
import { receiveText } from "./receive-text.ts";
import { answerCall, receiveRecording, receiveTranscript } from "./receive-voicemail.ts";

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
  const handled: HandledEvent =
    event === "ignored" ? { outcome: "ignored" } : await handle(services, event, services.clock.now());
  const { outcome, reply = { kind: "nothing" } } = handled;
  return { ...telephony.replyTo(event, reply), outcome };
}

async function handle(services: Services, event: TelephonyEvent, now: Date): Promise<HandledEvent> {
  switch (event.kind) {
    case "sms_received":
      return receiveText(services, event, now);
    case "sms_status":
      return ofOurs(await recordSmsStatus(services, event, now));
    case "call_received":
      return answerCall(services, event, now);
    case "call_status":
      return ofOurs(await recordCallStatus(services, event, now));
    case "recording":
      return receiveRecording(services, event, now);
    case "transcript":
      return receiveTranscript(services, event, now);
  }
}

const ofOurs = (ours: boolean): HandledEvent => ({ outcome: ours ? "handled" : "unknown" });
