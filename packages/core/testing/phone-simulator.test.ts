import { describe, expect, test } from "vitest";
import { telephonyKit } from "../conformance/index.ts";
import { type CallbackRequest, TelephonyFailure } from "../src/ports/telephony.ts";
import { createManualClock } from "./manual-clock.ts";
import { createMemoryStorage } from "./memory-storage.ts";
import { createPhoneSimulator, type PhoneSimulatorOptions } from "./phone-simulator.ts";
import { toneOf } from "./simulated-audio.ts";

const AGENT = "+14155550100";
const PERSON = "+14155550199";

/** A simulator whose callbacks a scripted service takes: what it was told, in order. */
function start(options: PhoneSimulatorOptions = {}) {
  const clock = createManualClock();
  const simulator = createPhoneSimulator({ clock, ...options });
  const told: Record<string, unknown>[] = [];
  simulator.connect({
    services: { storage: createMemoryStorage() },
    async receiveCallback(request: CallbackRequest) {
      const event = await simulator.verifyCallback(request);
      if (event === "forged" || event === "ignored") return { status: 403, headers: {}, body: "" };
      told.push(event);
      if (event.kind === "call_received")
        return simulator.replyTo(event, { kind: "voicemail", greeting: "This is Ada.", max_seconds: 3 });
      if (event.kind === "sms_received" && event.text === "HELP")
        return simulator.replyTo(event, { kind: "text", text: "Hello" });
      return simulator.replyTo(event, { kind: "nothing" });
    },
  });
  const sms = (to: string) =>
    simulator.sendSms({ message_id: "msg_1", from: AGENT, to, text: "Your table is booked." });
  const placeCall = (to: string, records = false) =>
    simulator.placeCall({
      message_id: "msg_1",
      from: AGENT,
      to,
      say: "One two three four five.",
      recording_notice: records ? "This call is recorded." : null,
      recording_seconds: 120,
      time_limit_seconds: 300,
    });
  return { clock, simulator, told, sms, placeCall };
}

describe("the numbers of the simulator", () => {
  test("are sold once, found by what they were bought for, and taken back", async () => {
    const { simulator } = start();
    const offers = await simulator.searchNumbers({ area_code: "415", limit: 2 });
    expect(offers).toEqual([
      { phone_number: "+14155550100", region: "CA", capabilities: ["sms", "voice"] },
      { phone_number: "+14155550101", region: "CA", capabilities: ["sms", "voice"] },
    ]);
    const bought = await simulator.buyNumber({ phone_number: AGENT, reference: "phn_1" });
    expect(await simulator.findNumber("phn_1")).toEqual(bought);
    expect(bought).not.toHaveProperty("reference");
    const again = simulator.buyNumber({ phone_number: AGENT, reference: "phn_2" });
    await expect(again).rejects.toMatchObject({ outcome: "refused", code: "phone_number_unavailable" });
    expect((await simulator.searchNumbers({ area_code: "415", limit: 1 }))[0]?.phone_number).toBe(
      "+14155550101",
    );
    await simulator.releaseNumber(bought.provider_id);
    await simulator.releaseNumber(bought.provider_id);
    expect(await simulator.findNumber("phn_1")).toBeUndefined();
    await simulator.buyNumber({ phone_number: AGENT, reference: "phn_2" });
  });

  test.for(["+14155550190", "+14155551100", "+442071838750", "+1415555010"])(
    "%s is not for sale",
    async (e164) => {
      const buying = start().simulator.buyNumber({ phone_number: e164, reference: "phn_1" });
      await expect(buying).rejects.toMatchObject({ code: "phone_number_unavailable" });
    },
  );

  test("an area code has ninety of them", async () => {
    const { simulator } = start();
    expect(await simulator.searchNumbers({ area_code: "307", limit: 1_000 })).toHaveLength(90);
    expect(await simulator.searchNumbers({ area_code: null, limit: 20 })).toHaveLength(20);
  });
});

describe("callbacks", () => {
  test("are signed over their address and their content", async () => {
    const { simulator } = start();
    await simulator.text({ from: PERSON, to: AGENT, text: "Hi" });
    const [request] = simulator.callbacks;
    if (request === undefined) throw new Error("there is a callback");
    expect(await simulator.verifyCallback(request)).toMatchObject({ kind: "sms_received", text: "Hi" });
    expect(await simulator.verifyCallback({ ...request, url: `${request.url}?x=1` })).toBe("forged");
    expect(await simulator.verifyCallback({ ...request, body: request.body.replace("Hi", "Ho") })).toBe(
      "forged",
    );
    expect(await simulator.verifyCallback({ ...request, headers: {} })).toBe("forged");
    expect(await start().simulator.verifyCallback(request)).toBe("forged");
  });

  test("can be held back, and delivered again", async () => {
    const { simulator, told, sms } = start();
    await sms(PERSON);
    simulator.hold();
    const [text = { id: "" }] = simulator.texts;
    await simulator.reportText(text, "sent");
    await simulator.reportText(text, "failed", "Unreachable.");
    expect(told).toEqual([]);
    await simulator.release();
    expect(told).toMatchObject([{ status: "sent" }, { status: "failed", detail: "Unreachable." }]);
    const [first] = simulator.callbacks;
    if (first !== undefined) await simulator.deliver(first);
    expect(told.map(({ status }) => status)).toEqual(["sent", "failed", "sent"]);
  });
});

describe("driven from code", () => {
  test("a text may be answered with a text", async () => {
    const { simulator } = start();
    expect(await simulator.text({ from: PERSON, to: AGENT, text: "Hi" })).toBeNull();
    expect(await simulator.text({ from: PERSON, to: AGENT, text: "HELP" })).toBe("Hello");
    expect(simulator.texts.map(({ sent_by, text }) => `${sent_by}: ${text}`)).toEqual([
      "person: Hi",
      "person: HELP",
      "service: Hello",
    ]);
  });

  test("a call rings, is answered and ends", async () => {
    const { clock, simulator, told, placeCall } = start();
    const { provider_id: id } = await placeCall(PERSON, true);
    await clock.advance(600_000);
    expect(told).toEqual([]);
    await simulator.ring({ id });
    await simulator.answer({ id });
    await clock.advance(41_200);
    await simulator.speak({ id }, { text: "Yes, please", seconds: 500 });
    await simulator.hangUp({ id });
    expect(told).toMatchObject([
      { kind: "call_status", message_id: "msg_1", status: "ringing", duration_seconds: null },
      { kind: "recording", call_id: id, message_id: "msg_1", duration_seconds: 120, from: AGENT, to: PERSON },
      { kind: "transcript", text: "Yes, please" },
      { kind: "call_status", status: "completed", duration_seconds: 42 },
    ]);
    expect(simulator.calls[0]?.heard).toBe("This call is recorded. One two three four five.");
    await expect(simulator.ring({ id })).rejects.toThrow("has ended");
    expect(await simulator.findCall(id)).toEqual({ status: "completed", duration_seconds: 42, detail: "" });
    expect(await simulator.findCall("call-other")).toBeUndefined();
  });

  test("a voicemail has a recording that can be fetched, and what was said", async () => {
    const { simulator, told } = start();
    const audio = { bytes: new Uint8Array([1, 2, 3]), content_type: "audio/mpeg" };
    const call = await simulator.leaveVoicemail({ from: PERSON, to: AGENT, text: "Call me back", audio });
    expect(call).toMatchObject({ heard: "This is Ada.", said: "Call me back", status: "completed" });
    const { recording_id } = told.find(({ kind }) => kind === "recording") as { recording_id: string };
    expect(await simulator.fetchRecording(recording_id, 10)).toEqual(audio);
    await expect(simulator.fetchRecording(recording_id, 2)).rejects.toMatchObject({ outcome: "refused" });
    // Without a recording of one's own it is a tone, also after a restart.
    const { bytes, content_type } = await start().simulator.fetchRecording("recording-2-x", 20_000);
    expect([content_type, bytes.byteLength]).toEqual(["audio/wav", 16_044]);
    expect(bytes).toEqual(toneOf(2));
  });

  test("a request fails before or after it was done", async () => {
    const { simulator, sms } = start();
    simulator.failNext("sendSms", new TelephonyFailure("unavailable", "down"));
    simulator.failNext("sendSms", new TelephonyFailure("unknown", "time-out"), { happened: true });
    await expect(sms(PERSON)).rejects.toMatchObject({ outcome: "unavailable" });
    expect(simulator.texts).toEqual([]);
    await expect(sms(PERSON)).rejects.toMatchObject({ outcome: "unknown" });
    expect(simulator.texts).toHaveLength(1);
    await sms(PERSON);
  });
});

describe("by itself", () => {
  test("a text is delivered, and arrives at a number of the service", async () => {
    const { clock, simulator, told, sms } = start({ automatic: true });
    await simulator.buyNumber({ phone_number: "+14155550101", reference: "phn_1" });
    await sms("+14155550101");
    await clock.advance(1_000);
    expect(told.map(({ kind, status }) => status ?? kind)).toEqual(["sent", "delivered", "sms_received"]);
  });

  test.for<[to: string, statuses: string[], seconds: number | null]>([
    ["+14155550123", ["ringing", "completed"], 2],
    ["+14155550190", ["ringing", "no-answer"], null],
    ["+14155550191", ["failed"], null],
    [PERSON, ["ringing", "no-answer"], null],
  ])("a call to %s: %j", async ([to, statuses, seconds]) => {
    const { clock, simulator, told, placeCall } = start({ automatic: true });
    simulator.play(PERSON);
    await placeCall(to);
    await clock.advance(40_000);
    expect(told.map(({ status }) => status)).toEqual(statuses);
    expect(told.at(-1)?.["duration_seconds"]).toBe(seconds);
  });

  test("who plays a number has half a minute to answer, and the time of the recording to speak", async () => {
    const { clock, simulator, told, placeCall } = start({ automatic: true });
    simulator.play(PERSON);
    const { provider_id: id } = await placeCall(PERSON, true);
    await clock.advance(29_000);
    await simulator.answer({ id });
    await clock.advance(60_000);
    expect(simulator.calls[0]?.status).toBe("in-progress");
    await clock.advance(70_000);
    expect(told.at(-1)).toMatchObject({ status: "completed", duration_seconds: 124 });
  });

  test("555-0191 gets no text, and for 555-0192 the provider refuses", async () => {
    const { clock, told, sms, placeCall } = start({ automatic: true });
    await sms("+16045550191");
    await clock.advance(1_000);
    expect(told.map(({ status }) => status)).toEqual(["sent", "failed"]);
    await expect(sms("+16045550192")).rejects.toMatchObject({ outcome: "refused" });
    await expect(placeCall("+16045550192")).rejects.toMatchObject({ outcome: "refused" });
  });

  test("nothing comes after closing", async () => {
    const { clock, simulator, told, sms } = start({ automatic: true });
    await sms(PERSON);
    await simulator.close();
    await clock.advance(1_000);
    expect(told).toEqual([]);
  });
});

describe("the simulator as telephony", () => {
  telephonyKit({
    test,
    async open() {
      const { simulator } = start();
      return {
        telephony: simulator,
        async textTo(text) {
          await simulator.text(text);
          const request = simulator.callbacks.at(-1);
          if (request === undefined) throw new Error("a text has a callback");
          return request;
        },
        close: () => simulator.close(),
      };
    },
  });
});
