import { randomUUID } from "node:crypto";
import type { Services } from "../src/kernel/context.ts";
import { type Clock, systemClock } from "../src/ports/clock.ts";
import {
  type AvailableNumber,
  type BoughtNumber,
  type CallbackRequest,
  type CallbackResponse,
  type CallState,
  type Telephony,
  TelephonyFailure,
} from "../src/ports/telephony.ts";
import { toneOf } from "./simulated-audio.ts";
import { createSimulatedCallbacks, type SimulatedCallbacks } from "./simulated-callbacks.ts";
import { regionOf } from "./simulated-regions.ts";

/** The requests of `Telephony` that can be made to fail. */
export type SimulatedRequest =
  | "searchNumbers"
  | "buyNumber"
  | "findNumber"
  | "releaseNumber"
  | "sendSms"
  | "placeCall"
  | "findCall"
  | "fetchRecording";

/** A text that the simulator carried. */
export interface SimulatedText {
  id: string;
  sent_by: "service" | "person";
  /** The service's message; null for a person's. */
  message_id: string | null;
  from: string;
  to: string;
  text: string;
  status: "sent" | "delivered" | "failed";
  at: string;
}

/** A call that the simulator carried. */
export interface SimulatedCall {
  id: string;
  placed_by: "service" | "person";
  /** The service's message; null for a person's call. */
  message_id: string | null;
  from: string;
  to: string;
  status: CallState["status"];
  duration_seconds: number | null;
  /** Why it failed; empty if it didn't. */
  detail: string;
  /** The words that the person hears: the agent's, after the notice of a recording, or the greeting. */
  heard: string;
  /** The maximum duration of a recording; null if nothing is recorded. */
  recording_seconds: number | null;
  /** The words that the person spoke into the recording; null until then. */
  said: string | null;
  at: string;
  answered_at: string | null;
}

/** A person's speech into a recording. */
export interface Spoken {
  text: string;
  /** Its duration in seconds; by default that of the words. */
  seconds?: number;
  /** The recording; by default a soft tone, as WAV. */
  audio?: { bytes: Uint8Array; content_type: string };
  /** The provider's transcript of it; by default the words, null for none. */
  transcript?: string | null;
}

/** The service that numbers of a simulator belong to: a `Letterslot`. */
export interface SimulatedService {
  receiveCallback(request: CallbackRequest): Promise<CallbackResponse>;
  services: Pick<Services, "storage">;
}

type Call = Pick<SimulatedCall, "id">;

/**
 * A provider of phone numbers without a telephone network, driven from code. Numbers are of the kind that is never
 * given to anybody: +1, an area code, 555-0100 to 555-0189; 555-0190 to 555-0199 are for people. Callbacks are signed.
 */
export interface PhoneSimulator extends Telephony, Pick<SimulatedCallbacks, "deliver" | "hold" | "release"> {
  /** The service that callbacks go to; its storage knows which numbers are taken. */
  connect(service: SimulatedService): void;
  /** The last 10,000 texts, oldest first. */
  texts: SimulatedText[];
  /** The last 10,000 calls, oldest first. */
  calls: SimulatedCall[];
  /** Numbers that this simulator sold and didn't take back. */
  sold: BoughtNumber[];
  /** The last 10,000 callbacks that were made, oldest first, as requests that can be delivered again. */
  callbacks: CallbackRequest[];
  /** The next request of this kind fails; with `happened`, after it was done, as when the answer is lost. */
  failNext(request: SimulatedRequest, failure: TelephonyFailure, options?: { happened: boolean }): void;
  /** A person texts a number of the service: the text that it answers with, or null. */
  text(text: { from: string; to: string; text: string }): Promise<string | null>;
  /** Reports the outcome of a text of the service. */
  reportText(
    text: Pick<SimulatedText, "id">,
    status: SimulatedText["status"],
    detail?: string,
  ): Promise<void>;
  /** A person calls a number of the service, and hears what it answers; `failed` if it refuses the call. */
  call(call: { from: string; to: string }): Promise<SimulatedCall>;
  /** A person calls, speaks after the beep, and hangs up. */
  leaveVoicemail(call: { from: string; to: string } & Spoken): Promise<SimulatedCall>;
  /** The phone of whom the service calls rings. */
  ring(call: Call): Promise<void>;
  /** The person answers a call of the service. */
  answer(call: Call): Promise<void>;
  /** Nobody answers. */
  ignore(call: Call): Promise<void>;
  /** The call fails. */
  breakOff(call: Call, detail?: string): Promise<void>;
  /** The person speaks into the recording of a call, at most as long as it may be. */
  speak(call: Call, spoken: Spoken): Promise<void>;
  /** The call ends; by default it lasted as long as the clock says, at least one second. */
  hangUp(call: Call, duration_seconds?: number): Promise<void>;
  /** Calls to this number are left to ring for half a minute, for somebody to answer; only if it is automatic. */
  play(e164: string): void;
}

/** The options of a simulator. */
export interface PhoneSimulatorOptions {
  /** The system clock by default. */
  clock?: Clock;
  /** The URL of callbacks, as an operator would enter it at a provider. */
  callbacks_url?: string;
  /**
   * Delivers texts and answers calls automatically as time goes by. Calls to 555-0190 aren't answered, those to
   * 555-0191 fail, and those to 555-0192 are refused.
   */
  automatic?: boolean;
}

const NAME = "simulator";
const NUMBER = /^\+1([2-9]\d\d)55501(\d\d)$/;
/** From 555-0190 on numbers are for people. */
const NUMBERS_FOR_SALE = 90;
/** The area codes of numbers when none is requested. */
const AREA_CODES = ["415", "212", "604"];
const UNANSWERED = "5550190";
const BROKEN = "5550191";
const REFUSED = "5550192";
const WORDS_PER_SECOND = 2.5;
const DELIVERY_MS = 200;
const RING_MS = 500;
const ANSWER_MS = 2_000;
const PATIENCE_MS = 30_000;
/** The number of texts and of calls that are kept for inspection. */
const KEPT = 10_000;

/** Creates a simulator that has sold no numbers; `connect` it before anything happens. */
export function createPhoneSimulator({
  clock = systemClock,
  callbacks_url = "http://localhost:8025/api/v1/internal/telephony/simulator",
  automatic = false,
}: PhoneSimulatorOptions = {}): PhoneSimulator {
  const callbacks = createSimulatedCallbacks(callbacks_url);
  const texts: SimulatedText[] = [];
  const calls: SimulatedCall[] = [];
  const sold: (BoughtNumber & { reference: string })[] = [];
  const audio = new Map<string, { bytes: Uint8Array; content_type: string }>();
  const failures = new Map<SimulatedRequest, { failure: TelephonyFailure; happened: boolean }[]>();
  const timers = new Set<() => void>();
  const played = new Set<string>();
  let storage: Services["storage"] | undefined;

  const now = () => clock.now().toISOString();

  const request = async <T>(kind: SimulatedRequest, run: () => Promise<T>): Promise<T> => {
    const planned = failures.get(kind)?.shift();
    if (planned?.happened === false) throw planned.failure;
    const result = await run();
    if (planned !== undefined) throw planned.failure;
    return result;
  };

  const isTaken = async (e164: string) => {
    if (sold.some(({ phone_number }) => phone_number === e164)) return true;
    const held = await storage?.find("phone_numbers", { where: { held_e164: e164 }, limit: 1 });
    return (held?.length ?? 0) > 0;
  };

  const keep = <T>(all: T[], one: T) => {
    all.push(one);
    if (all.length > KEPT) all.shift();
  };

  const later = (milliseconds: number, run: () => Promise<void>) => {
    if (!automatic) return;
    const cancel = clock.after(milliseconds, () => {
      timers.delete(cancel);
      // As at a real provider, a callback that the service doesn't take is lost.
      run().catch(() => undefined);
    });
    timers.add(cancel);
  };

  const find = <T extends { id: string }>(all: T[], { id }: { id: string }): T => {
    const found = all.findLast((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no ${id}`);
    return found;
  };

  const tell = async (call: SimulatedCall, status: SimulatedCall["status"], detail = "") => {
    if (isOver(call)) throw new Error("the call has ended");
    Object.assign(call, { status, detail });
    if (call.message_id === null || status === "queued" || status === "in-progress") return;
    const { message_id, id: provider_id, duration_seconds } = call;
    await callbacks.send({ kind: "call_status", message_id, provider_id, status, duration_seconds, detail });
  };

  const reportText: PhoneSimulator["reportText"] = async (which, status, detail = "") => {
    const text = find(texts, which);
    text.status = status;
    const { message_id, id: provider_id } = text;
    if (message_id === null) throw new Error("the service didn't send this text");
    await callbacks.send({ kind: "sms_status", message_id, provider_id, status, detail });
  };

  const receiveText = async (text: Pick<SimulatedText, "from" | "to" | "text">) => {
    const id = `text-${randomUUID()}`;
    const reply = await callbacks.send({ kind: "sms_received", provider_id: id, ...text });
    return { id, reply };
  };

  const simulator: PhoneSimulator = {
    name: NAME,
    answers_keywords: false,
    texts,
    calls,
    sold,
    callbacks: callbacks.made,
    deliver: callbacks.deliver,
    hold: callbacks.hold,
    release: callbacks.release,
    connect(service) {
      ({ storage } = service.services);
      callbacks.connect((callback) => service.receiveCallback(callback));
    },
    failNext(kind, failure, { happened } = { happened: false }) {
      failures.set(kind, [...(failures.get(kind) ?? []), { failure, happened }]);
    },

    searchNumbers: ({ area_code, limit }) =>
      request("searchNumbers", async () => {
        const found: AvailableNumber[] = [];
        for (const area of area_code === null ? AREA_CODES : [area_code]) {
          for (let line = 0; line < NUMBERS_FOR_SALE && found.length < limit; line++) {
            const e164 = `+1${area}55501${String(line).padStart(2, "0")}`;
            if (!(await isTaken(e164))) found.push(offerOf(e164, area));
          }
        }
        return found;
      }),
    buyNumber: ({ phone_number, reference }) =>
      request("buyNumber", async () => {
        const [, area, line] = NUMBER.exec(phone_number) ?? [];
        const bought = sold.some((number) => number.phone_number === phone_number);
        if (area === undefined || Number(line) >= NUMBERS_FOR_SALE || bought)
          throw new TelephonyFailure(
            "refused",
            `${phone_number} can't be bought.`,
            "phone_number_unavailable",
          );
        const number = { ...offerOf(phone_number, area), provider_id: `number-${phone_number}`, reference };
        sold.push(number);
        return shownNumber(number);
      }),
    findNumber: (reference) =>
      request("findNumber", async () => {
        const number = sold.find((one) => one.reference === reference);
        return number && shownNumber(number);
      }),
    releaseNumber: (provider_id) =>
      request("releaseNumber", async () => {
        const place = sold.findIndex((number) => number.provider_id === provider_id);
        if (place >= 0) sold.splice(place, 1);
      }),
    sendSms: ({ message_id, from, to, text }) =>
      request("sendSms", async () => {
        refuseTo(to, automatic);
        const id = `text-${randomUUID()}`;
        keep(texts, { id, sent_by: "service", message_id, from, to, text, status: "sent", at: now() });
        later(DELIVERY_MS, async () => {
          await reportText({ id }, "sent");
          if (to.endsWith(BROKEN)) return reportText({ id }, "failed", "The number can't be reached.");
          await reportText({ id }, "delivered");
          if (await isTaken(to)) await receiveText({ from, to, text });
        });
        return { provider_id: id };
      }),
    placeCall: ({ message_id, from, to, say, recording_notice, recording_seconds }) =>
      request("placeCall", async () => {
        refuseTo(to, automatic);
        const call: SimulatedCall = {
          id: `call-${randomUUID()}`,
          placed_by: "service",
          message_id,
          from,
          to,
          status: "queued",
          duration_seconds: null,
          detail: "",
          heard: recording_notice === null ? say : `${recording_notice} ${say}`,
          recording_seconds: recording_notice === null ? null : recording_seconds,
          said: null,
          at: now(),
          answered_at: null,
        };
        keep(calls, call);
        later(RING_MS, () => ringThenPlay(call));
        return { provider_id: call.id };
      }),
    findCall: (provider_id) =>
      request("findCall", async () => {
        const call = calls.find(({ id }) => id === provider_id);
        return call && { status: call.status, duration_seconds: call.duration_seconds, detail: call.detail };
      }),
    fetchRecording: (recording_id, max_bytes) =>
      request("fetchRecording", async () => {
        const [, seconds] = /^recording-(\d{1,5})-/.exec(recording_id) ?? [];
        if (seconds === undefined) throw new TelephonyFailure("refused", "There is no such recording.");
        const given = audio.get(recording_id) ?? {
          bytes: toneOf(Number(seconds)),
          content_type: "audio/wav",
        };
        if (given.bytes.byteLength > max_bytes)
          throw new TelephonyFailure("refused", `The recording is longer than ${max_bytes} bytes.`);
        return given;
      }),
    verifyCallback: async (callback) => callbacks.verify(callback),
    replyTo: (_event, reply) => callbacks.reply(reply),

    reportText,
    async text({ from, to, text }) {
      const { id, reply } = await receiveText({ from, to, text });
      const carried = { from, to, text, message_id: null, status: "delivered" as const, at: now() };
      keep(texts, { id, sent_by: "person", ...carried });
      if (reply.kind !== "text") return null;
      const answer = { ...carried, from: to, to: from, text: reply.text };
      keep(texts, { id: `text-${randomUUID()}`, sent_by: "service", ...answer });
      return reply.text;
    },
    async call({ from, to }) {
      const id = `call-${randomUUID()}`;
      const reply = await callbacks.send({ kind: "call_received", provider_id: id, from, to });
      const taken = reply.kind === "voicemail";
      const call: SimulatedCall = {
        id,
        placed_by: "person",
        message_id: null,
        from,
        to,
        status: taken ? "in-progress" : "failed",
        duration_seconds: null,
        detail: taken ? "" : "The number doesn't take calls.",
        heard: taken ? reply.greeting : "",
        recording_seconds: taken ? reply.max_seconds : null,
        said: null,
        at: now(),
        answered_at: taken ? now() : null,
      };
      keep(calls, call);
      return call;
    },
    async leaveVoicemail({ from, to, ...spoken }) {
      const call = await simulator.call({ from, to });
      if (call.status === "failed") return call;
      await simulator.speak(call, spoken);
      await simulator.hangUp(call);
      return call;
    },
    ring: (which) => tell(find(calls, which), "ringing"),
    async answer(which) {
      const call = find(calls, which);
      await tell(call, "in-progress");
      call.answered_at = now();
      const recorded = played.has(call.to) ? (call.recording_seconds ?? 0) : 0;
      later((secondsOf(call.heard) + recorded) * 1_000, async () => {
        if (!isOver(call)) await simulator.hangUp(call);
      });
    },
    ignore: (which) => tell(find(calls, which), "no-answer"),
    breakOff: (which, detail = "The call can't be completed.") => tell(find(calls, which), "failed", detail),
    async speak(which, { text, seconds = secondsOf(text), audio: given, transcript = text }) {
      const call = find(calls, which);
      if (call.recording_seconds === null || call.said !== null) throw new Error("nothing is recorded");
      call.said = text;
      const duration_seconds = Math.min(seconds, call.recording_seconds);
      const recording_id = `recording-${Math.round(duration_seconds)}-${randomUUID()}`;
      if (given !== undefined) audio.set(recording_id, given);
      const { id: call_id, from, to, message_id } = call;
      await callbacks.send({
        kind: "recording",
        call_id,
        recording_id,
        duration_seconds,
        from,
        to,
        message_id,
      });
      if (transcript === null) return;
      await callbacks.send({ kind: "transcript", call_id, recording_id, text: transcript });
    },
    async hangUp(which, duration_seconds) {
      const call = find(calls, which);
      if (call.answered_at === null) return simulator.ignore(call);
      const lasted = (clock.now().getTime() - Date.parse(call.answered_at)) / 1_000;
      call.duration_seconds = duration_seconds ?? Math.max(1, Math.ceil(lasted));
      await tell(call, "completed");
    },
    play: (e164) => void played.add(e164),
    async close() {
      for (const cancel of timers) cancel();
      timers.clear();
    },
  };

  const ringThenPlay = async (call: SimulatedCall) => {
    if (call.to.endsWith(BROKEN)) return simulator.breakOff(call);
    await simulator.ring(call);
    if (call.to.endsWith(UNANSWERED) || played.has(call.to))
      return later(PATIENCE_MS, async () => {
        if (call.status === "ringing") await simulator.ignore(call);
      });
    later(ANSWER_MS, () => simulator.answer(call));
  };

  return simulator;
}

/** Returns the number of seconds that it takes to say this, at least one. */
function secondsOf(words: string): number {
  return Math.max(1, Math.ceil(words.split(/\s+/).filter(Boolean).length / WORDS_PER_SECOND));
}

function isOver({ status }: SimulatedCall): boolean {
  return status === "completed" || status === "no-answer" || status === "failed";
}

function refuseTo(to: string, automatic: boolean): void {
  if (automatic && to.endsWith(REFUSED))
    throw new TelephonyFailure("refused", "The sending number is not registered for texts and calls.");
}

function offerOf(phone_number: string, area: string): AvailableNumber {
  return { phone_number, region: regionOf(area), capabilities: ["sms", "voice"] };
}

function shownNumber({
  reference: _reference,
  ...number
}: BoughtNumber & { reference: string }): BoughtNumber {
  return number;
}
