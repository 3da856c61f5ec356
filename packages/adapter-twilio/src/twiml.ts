import type { OutgoingCall, TelephonyEvent, TelephonyReply } from "@letterslot/core/ports";
import type { Twilio } from "./library.ts";
import { callbackUrl, type OwnFacts, PATHS } from "./paths.ts";

/** The longest TwiML that a call can be placed with (Twilio's API, "Create a Call": Twiml). */
const MAX_CALL_CHARS = 4_000;

/** Creates the TwiML for calls that we place and for answers to Twilio's callbacks. */
export function createTwiml({ twiml }: Twilio, callbacks_url: string) {
  const record = (own: OwnFacts, max_seconds: number) => ({
    maxLength: max_seconds,
    playBeep: true,
    // Without an address of its own Twilio would ask for the greeting again.
    action: callbackUrl(callbacks_url, PATHS.recorded),
    recordingStatusCallback: callbackUrl(callbacks_url, PATHS.recording, own),
    transcribe: true,
    transcribeCallback: callbackUrl(callbacks_url, PATHS.transcript),
  });

  const callSaying = (call: OutgoingCall, say: string) => {
    const response = new twiml.VoiceResponse();
    if (call.recording_notice !== null) response.say(sayable(call.recording_notice));
    response.say(sayable(say));
    // The recording's speaker is the person who was called.
    const own = { message: call.message_id, from: call.to, to: call.from };
    if (call.recording_notice !== null) response.record(record(own, call.recording_seconds));
    return response.toString();
  };

  return {
    callOf(call: OutgoingCall): string {
      const whole = callSaying(call, call.say);
      // Only signs that nobody can say make it so long: written for XML each takes up to five characters.
      return whole.length <= MAX_CALL_CHARS ? whole : callSaying(call, call.say.replaceAll(/[<>&]/g, " "));
    },
    replyOf(event: TelephonyEvent | "ignored", reply: TelephonyReply): string {
      if (reply.kind === "text") {
        const response = new twiml.MessagingResponse();
        response.message(sayable(reply.text));
        return response.toString();
      }
      const response = new twiml.VoiceResponse();
      if (reply.kind === "reject") response.reject();
      if (reply.kind === "voicemail" && event !== "ignored" && event.kind === "call_received") {
        response.say(sayable(reply.greeting));
        response.record(record({ from: event.from, to: event.to }, reply.max_seconds));
      }
      return response.toString();
    },
  };
}

/** A text that XML 1.0 can have; that none of it is markup, the library sees to. */
const sayable = (text: string): string =>
  text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]/gu, " ");
