import { type Client, whole } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeTwilio, startFakeTwilio } from "../packages/adapter-twilio/testing/fake-twilio.ts";
import type { ServerProcess } from "./support/server-process.ts";
import { type ServerWorld, startServerWorld } from "./support/server-world.ts";
import { until } from "./support/until.ts";

const THEIRS = "+14155550198";
/** Twilio signs this URL; a proxy hands its requests to the server, which listens elsewhere. */
const BASE_URL = "https://mail.example.com";

let twilio: FakeTwilio;
let world: ServerWorld;
let server: ServerProcess;
let client: Client;
/** Without retries. */
let impatient: Client;
let inbox_id: string;
let api_key: string;
let number: string;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  twilio.stock(["+14155550100"]);
  world = await startServerWorld({
    BASE_URL,
    TWILIO_ACCOUNT_SID: twilio.account_sid,
    TWILIO_AUTH_TOKEN: twilio.auth_token,
    TWILIO_API_URL: twilio.url,
  });
  server = await world.home.start();
  twilio.deliverTo(world.home.base_url);
  ({ reader: client, client: impatient, inbox_id, api_key } = await world.onboard());
  ({ e164: number } = whole(await client.phoneNumbers.create({ inbox_id, area_code: "415" })));
}, 120_000);
afterAll(async () => {
  await server?.end("SIGTERM");
  await twilio.close();
  await world.close();
});

const messageOf = (message_id: string) => client.messages.get({ inbox_id, message_id });
const voicemails = async () =>
  (await client.messages.list({ inbox_id, direction: "inbound" })).data.filter(
    ({ channel }) => channel === "voicemail",
  );
const taken = () => ({ status: 200 });

describe("a server with Twilio", { timeout: 90_000 }, () => {
  test("says so when it starts, and never its token", () => {
    expect(server.output()).toContain('"telephony":"twilio"');
    expect(server.output()).toContain("Telephony      by Twilio");
    expect(server.output()).not.toContain(twilio.auth_token);
  });

  test("texts, and tells what became of it", async () => {
    const { id } = await client.messages.sendSms({ inbox_id, to: THEIRS, text: "Two boxes <b>arrive</b>." });
    const text = await until("the text", () => twilio.texts.find(({ to }) => to === THEIRS));
    expect(text).toMatchObject({ from: number, body: "Two boxes <b>arrive</b>." });
    const [sent, delivered] = [twilio.textStatus(text.sid, "sent"), twilio.textStatus(text.sid, "delivered")];
    for (const callback of [delivered, sent, delivered]) expect(await callback.send()).toMatchObject(taken());
    const message = await messageOf(id);
    expect(message).toMatchObject({ channel: "sms", status: "sent" });
    expect(message.delivery_events.map(({ type }) => type)).toEqual(["sent", "delivered"]);
  });

  test("a number that isn't registered for A2P is told as the reason", async () => {
    twilio.failNext("send", 400, { code: 30_034, message: "Message from an Unregistered Number" });
    const { id } = await client.messages.sendSms({ inbox_id, to: THEIRS, text: "Hello" });
    const message = await until("the failure", async () => {
      const found = await messageOf(id);
      return found.status === "failed" && found;
    });
    expect(message.delivery_events).toMatchObject([
      { type: "failed", detail: "Twilio refuses it: Message from an Unregistered Number (30034)" },
    ]);
  });

  test("takes a text in once, in one thread with ours", async () => {
    const callback = twilio.text({ from: THEIRS, to: number, text: "Thank you!" });
    for (const each of [callback, callback]) expect(await each.send()).toMatchObject(taken());
    const { data } = await client.messages.list({ inbox_id, direction: "inbound" });
    const texts = data.filter(({ channel }) => channel === "sms");
    expect(texts).toMatchObject([{ from: THEIRS, to: [number], extracted_text: "Thank you!" }]);
    const [ours] = (await client.messages.list({ inbox_id, direction: "outbound" })).data;
    expect(texts[0]?.thread_id).toBe(ours?.thread_id);
  });

  test("calls, records the answer, and fetches it", async () => {
    const call_of = { inbox_id, to: THEIRS, say: "Will you come?", mode: "say_and_record" } as const;
    const { id } = await client.messages.call(call_of);
    const call = await until("the call", () => twilio.calls.find(({ to }) => to === THEIRS));
    expect(call.twiml).toMatch(/<Response><Say>[^<]*recorded[^<]*<\/Say><Say>Will you come\?<\/Say><Record /);
    const { recording, transcript } = twilio.speak(call, {
      seconds: 4,
      audio: new Uint8Array([1, 2, 3, 4]),
      transcript: "Yes, at noon.",
    });
    const [ringing, completed] = [
      twilio.callStatus(call.sid, "ringing"),
      twilio.callStatus(call.sid, "completed", 21),
    ];
    for (const callback of [completed, ringing, recording, transcript, recording, completed])
      expect(await callback.send()).toMatchObject(taken());
    expect(await messageOf(id)).toMatchObject({ status: "completed", duration_seconds: 21 });
    const [answer] = await until("the audio", async () => {
      const found = await voicemails();
      return found[0]?.recording_url != null && found;
    });
    expect(answer).toMatchObject({ from: THEIRS, duration_seconds: 4, transcript: "Yes, at noon." });
    const audio = await fetch((answer?.recording_url ?? "").replace(BASE_URL, world.home.base_url), {
      headers: { authorization: `Bearer ${api_key}` },
    });
    expect([audio.status, [...new Uint8Array(await audio.arrayBuffer())]]).toEqual([200, [1, 2, 3, 4]]);
  });

  test("takes a voicemail after its greeting, and ends the call", async () => {
    const before = (await voicemails()).length;
    const { callback, answered } = twilio.ring({ from: THEIRS, to: number });
    const greeting = await callback.send();
    expect(greeting).toMatchObject(taken());
    const call = answered(greeting.body);
    const { recorded, recording } = twilio.speak(call, { seconds: 9 });
    expect((await recorded.send()).body).toContain("<Response/>");
    await recording.send();
    const [voicemail, ...others] = await voicemails();
    expect(others).toHaveLength(before);
    expect(voicemail).toMatchObject({ type: "voicemail", caller_number: THEIRS, duration_seconds: 9 });
  });

  test("refuses what Twilio hasn't signed, and counts it", async () => {
    const callback = twilio.text({ from: THEIRS, to: number, text: "Hello" });
    expect(await callback.forge("Body", "Wire the money").send()).toMatchObject({ status: 403 });
    const metrics = await (await fetch(`${world.home.base_url}/metrics`)).text();
    expect(metrics).toContain('letterslot_telephony_callbacks_total{outcome="refused"} 1');
    expect(metrics).toContain('letterslot_telephony_callbacks_total{outcome="duplicate"}');
  });

  test("says that telephony is unavailable while Twilio is, and buys nothing", async () => {
    const second = await client.inboxes.create({ username: "second" });
    const unavailable = { code: "telephony_unavailable", status: 503, retryable: true };
    twilio.failNext("search", 503, "");
    await expect(impatient.phoneNumbers.listAvailable({ area_code: "415" })).rejects.toMatchObject(
      unavailable,
    );
    twilio.stock(["+14155550101"]);
    twilio.failNext("buy", 429, { code: 20_429, message: "Too Many Requests" });
    const bought = impatient.phoneNumbers.create({ inbox_id: second.id, area_code: "415" });
    await expect(bought).rejects.toMatchObject(unavailable);
    expect(twilio.numbers.map(({ phone_number }) => phone_number)).toEqual([number]);
    await expect(impatient.phoneNumbers.get({ inbox_id: second.id })).rejects.toMatchObject({
      code: "phone_number_missing",
    });
  });
});
