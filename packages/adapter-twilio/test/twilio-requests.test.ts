import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type OutgoingCall, type Telephony, TelephonyFailure } from "@letterslot/core/ports";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../../test/support/free-port.ts";
import { createTwilioTelephony } from "../src/index.ts";
import { type FakeTwilio, startFakeTwilio } from "../testing/fake-twilio.ts";
import { attributeOf } from "../testing/signed-callback.ts";

const CALLBACKS = "https://mail.example.com/api/v1/internal/telephony/twilio";
const [OURS, THEIRS] = ["+14155550123", "+16175550199"];

let twilio: FakeTwilio;
let telephony: Telephony;
beforeEach(async () => {
  twilio = await startFakeTwilio();
  twilio.stock([OURS, "+14155550124", "+12125550100", "+14165550100"]);
  telephony = await telephonyAt(twilio.url);
});
afterEach(() => twilio.close());

const telephonyAt = (api_url: string, timeout_ms = 5_000) => {
  const { account_sid, auth_token } = twilio;
  return createTwilioTelephony({
    accountSid: account_sid,
    authToken: auth_token,
    callbacksUrl: CALLBACKS,
    apiUrl: api_url,
    timeoutMs: timeout_ms,
  });
};

const CALL: OutgoingCall = {
  message_id: "msg_1",
  from: OURS,
  to: THEIRS,
  say: "Good morning.",
  recording_notice: null,
  recording_seconds: 120,
  time_limit_seconds: 90,
};

const failureOf = async (request: Promise<unknown>): Promise<TelephonyFailure> => {
  const failure = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof TelephonyFailure)) throw new Error(`it failed with ${String(failure)}`);
  return failure;
};

const buy = (phone_number = OURS) => telephony.buyNumber({ phone_number, reference: "pn_1" });

describe("numbers at Twilio", () => {
  test("those for sale in an area code are listed with their state and what they can do", async () => {
    expect(await telephony.searchNumbers({ area_code: "415", limit: 5 })).toEqual([
      { phone_number: OURS, region: "CA", capabilities: ["sms", "voice"] },
      { phone_number: "+14155550124", region: "CA", capabilities: ["sms", "voice"] },
    ]);
    expect(await telephony.searchNumbers({ area_code: "415", limit: 1 })).toHaveLength(1);
  });

  test("a Canadian area code is looked for in Canada, and one without numbers has none", async () => {
    expect(await telephony.searchNumbers({ area_code: "416", limit: 5 })).toMatchObject([
      { phone_number: "+14165550100", region: "ON" },
    ]);
    expect(await telephony.searchNumbers({ area_code: "303", limit: 5 })).toEqual([]);
    expect(await telephony.searchNumbers({ area_code: "011", limit: 5 })).toEqual([]);
  });

  test("one is bought under our reference, with our callbacks, and found by it", async () => {
    const bought = await buy();
    expect(bought).toEqual({
      phone_number: OURS,
      region: null,
      capabilities: ["sms", "voice"],
      provider_id: twilio.numbers[0]?.sid,
    });
    expect(twilio.numbers).toMatchObject([
      { friendly_name: "pn_1", sms_url: `${CALLBACKS}/sms`, voice_url: `${CALLBACKS}/voice` },
    ]);
    expect(await telephony.findNumber("pn_1")).toEqual(bought);
    expect(await telephony.findNumber("pn_2")).toBeUndefined();
  });

  test("one that somebody else bought meanwhile is unavailable", async () => {
    expect(await failureOf(buy("+13035550100"))).toMatchObject({
      outcome: "refused",
      code: "phone_number_unavailable",
      message: "Twilio refuses it: +13035550100 is not available for purchase. (21422)",
    });
  });

  test("one is released once; a second time changes nothing", async () => {
    const { provider_id } = await buy();
    await telephony.releaseNumber(provider_id);
    await telephony.releaseNumber(provider_id);
    expect(twilio.numbers).toEqual([]);
  });
});

describe("a text by Twilio", () => {
  test("goes out as it is, with a callback that names our message", async () => {
    await buy();
    const text = "Grüße & <b>50%</b> + 1 = ?\n🚀";
    const { provider_id } = await telephony.sendSms({ message_id: "msg_1", from: OURS, to: THEIRS, text });
    expect(twilio.texts).toEqual([
      {
        sid: provider_id,
        from: OURS,
        to: THEIRS,
        body: text,
        status_callback: `${CALLBACKS}/sms-status?message=msg_1`,
      },
    ]);
  });

  const sms = { message_id: "msg_1", from: OURS, to: THEIRS, text: "Hello" };

  test.each([
    [
      "a recipient who has sent STOP",
      400,
      { code: 21_610, message: "Attempt to send to unsubscribed recipient" },
      "refused",
      "Twilio refuses it: Attempt to send to unsubscribed recipient (21610)",
    ],
    [
      "a number without A2P registration",
      400,
      { code: 30_034, message: "Message from an Unregistered Number" },
      "refused",
      "Twilio refuses it: Message from an Unregistered Number (30034)",
    ],
    [
      "too many requests",
      429,
      { code: 20_429, message: "Too Many Requests" },
      "unavailable",
      "Twilio is busy: Too Many Requests (20429)",
    ],
    [
      "a wrong auth token",
      401,
      { code: 20_003, message: "Authenticate" },
      "unavailable",
      "Twilio does not accept the service's credentials: Authenticate (20003)",
    ],
    [
      "a suspended account",
      403,
      { code: 20_005, message: "Account AC0123456789abcdef0123456789abcdef not active" },
      "unavailable",
      "Twilio does not accept the service's credentials: Account AC… not active (20005)",
    ],
    ["an error page", 400, "<html>", "refused", "Twilio refuses it: no reason (400)"],
    ["a redirect", 302, "", "unavailable", "Twilio answers with a redirect (302)."],
    ["a server error", 500, "", "unknown", "Twilio answers 500."],
    ["a gateway's time-out", 504, "", "unknown", "Twilio answers 504."],
    ["an answer that can't be read", 201, "{", "unknown", "Twilio's answer can't be read."],
  ] as const)("fails with %s", async (_, status, error, outcome, message) => {
    twilio.failNext("send", status, error);
    expect(await failureOf(telephony.sendSms(sms))).toMatchObject({ outcome, message });
  });

  test("may have gone out when Twilio doesn't answer in time, or hangs up", async () => {
    await buy();
    telephony = await telephonyAt(twilio.url, 200);
    void twilio.stall("send", "after");
    expect(await failureOf(telephony.sendSms(sms))).toMatchObject({ outcome: "unknown" });
    const taken = twilio.stall("send", "after");
    const failure = failureOf(telephony.sendSms(sms));
    await taken;
    twilio.hangUp();
    expect(await failure).toMatchObject({ outcome: "unknown", message: "Twilio did not answer." });
    expect(twilio.texts).toHaveLength(2);
  });

  test("has certainly not gone out when nobody listens", async () => {
    telephony = await telephonyAt(`http://127.0.0.1:${await freePort()}`);
    expect(await failureOf(telephony.sendSms(sms))).toMatchObject({
      outcome: "unavailable",
      message: "Twilio can't be reached.",
    });
  });

  test("no failure has the auth token", async () => {
    twilio.failNext("send", 400, { message: "no" });
    const failure = await failureOf(telephony.sendSms(sms));
    expect(JSON.stringify([failure.message, failure, failure.stack, failure.cause])).not.toContain(
      twilio.auth_token,
    );
  });
});

describe("a call by Twilio", () => {
  beforeEach(async () => void (await buy()));

  test("says the words, for at most the time that we allow, and reports to our message", async () => {
    const { provider_id } = await telephony.placeCall(CALL);
    expect(twilio.calls).toMatchObject([
      {
        sid: provider_id,
        from: OURS,
        to: THEIRS,
        time_limit: 90,
        status_callback: `${CALLBACKS}/call-status?message=msg_1`,
        twiml: '<?xml version="1.0" encoding="UTF-8"?><Response><Say>Good morning.</Say></Response>',
      },
    ]);
    expect(twilio.asked.at(-1)?.fields["StatusCallbackEvent"]).toEqual(["ringing", "completed"]);
  });

  test.each([
    [
      "markup",
      "</Say><Dial>+19005550100</Dial><Say>",
      "&lt;/Say&gt;&lt;Dial&gt;+19005550100&lt;/Dial&gt;&lt;Say&gt;",
    ],
    ["entities", "&lt;Hangup/&gt; ]]> <!--", "&amp;lt;Hangup/&amp;gt; ]]&gt; &lt;!--"],
    ["signs that XML can't have", "a\u0000b\u0008c\uFFFEd\uD800e", "a b c d\uFFFDe"],
  ])("has no %s from the words", async (_, say, said) => {
    await telephony.placeCall({ ...CALL, say });
    expect(twilio.calls[0]?.twiml).toBe(
      `<?xml version="1.0" encoding="UTF-8"?><Response><Say>${said}</Say></Response>`,
    );
  });

  test("records after the words, having said so first", async () => {
    await telephony.placeCall({ ...CALL, recording_notice: "This call is recorded." });
    const { twiml = "" } = twilio.calls[0] ?? {};
    expect(twiml).toContain("<Say>This call is recorded.</Say><Say>Good morning.</Say><Record ");
    const at = (name: string) => attributeOf(twiml, "Record", name);
    expect(at("maxLength")).toBe("120");
    expect(at("action")).toBe(`${CALLBACKS}/recorded`);
    const own = new URL(at("recordingStatusCallback")).searchParams;
    expect(Object.fromEntries(own)).toEqual({ message: "msg_1", from: THEIRS, to: OURS });
    expect(at("transcribeCallback")).toBe(`${CALLBACKS}/transcript`);
  });

  test("keeps within what Twilio takes, however many signs the words have that XML writes at length", async () => {
    await telephony.placeCall({
      ...CALL,
      say: "&<>".repeat(333),
      recording_notice: "This call is recorded.",
    });
    expect(twilio.calls[0]?.twiml.length).toBeLessThan(4_000);
  });

  test.each([
    ["queued", undefined, { status: "queued", duration_seconds: null, detail: "" }],
    ["ringing", undefined, { status: "ringing", duration_seconds: null, detail: "" }],
    ["in-progress", undefined, { status: "in-progress", duration_seconds: null, detail: "" }],
    ["completed", 42, { status: "completed", duration_seconds: 42, detail: "" }],
    ["busy", 0, { status: "no-answer", duration_seconds: 0, detail: "The line is busy." }],
    ["no-answer", 0, { status: "no-answer", duration_seconds: 0, detail: "" }],
    ["canceled", 0, { status: "failed", duration_seconds: 0, detail: "The call was cancelled at Twilio." }],
  ] as const)("that is %s is found so", async (status, seconds, state) => {
    const { provider_id } = await telephony.placeCall(CALL);
    twilio.callStatus(provider_id, status, seconds);
    expect(await telephony.findCall(provider_id)).toEqual(state);
  });

  test("that Twilio doesn't know isn't found; that it can't say now is a failure", async () => {
    expect(await telephony.findCall(`CA${"0".repeat(32)}`)).toBeUndefined();
    twilio.failNext("find_call", 503, "");
    expect(await failureOf(telephony.findCall(`CA${"0".repeat(32)}`))).toMatchObject({
      outcome: "unavailable",
    });
  });
});

describe("a recording at Twilio", () => {
  const record = async (spoken: { audio?: Uint8Array; content_type?: string }) => {
    if (twilio.numbers.length === 0) await buy();
    await telephony.placeCall({ ...CALL, recording_notice: "This call is recorded." });
    const [call] = twilio.calls;
    if (call === undefined) throw new Error("no call was placed");
    return twilio.speak(call, { seconds: 3, ...spoken }).recording_sid;
  };

  test("is fetched with its type", async () => {
    const audio = new Uint8Array([1, 2, 3]);
    const id = await record({ audio });
    const fetched = await telephony.fetchRecording(id, 3);
    expect(fetched.content_type).toBe("audio/mpeg");
    expect([...fetched.bytes]).toEqual([1, 2, 3]);
  });

  test("that is too large, or no audio, or gone, is refused", async () => {
    const id = await record({ audio: new Uint8Array(1_001) });
    expect(await failureOf(telephony.fetchRecording(id, 1_000))).toMatchObject({ outcome: "refused" });
    const page = await record({ content_type: "text/html" });
    expect(await failureOf(telephony.fetchRecording(page, 1_000))).toMatchObject({ outcome: "refused" });
    twilio.failNext("recording", 404, { code: 20_404, message: "not found" });
    expect(await failureOf(telephony.fetchRecording(id, 5_000))).toMatchObject({ outcome: "refused" });
  });

  test.each(["../Messages/SM00000000000000000000000000000001", "https://evil.example.com/RE1", "RE1", ""])(
    "%j is none, and nothing is asked",
    async (id) => {
      expect(await failureOf(telephony.fetchRecording(id, 10))).toMatchObject({ outcome: "refused" });
      expect([twilio.asked, twilio.unknown]).toEqual([[], []]);
    },
  );

  test("is not followed to another host, which never sees the credentials", async () => {
    const seen: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "audio/mpeg" }).end("x");
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    const redirecting = createServer((_, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    telephony = await telephonyAt(`http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`);
    expect(await failureOf(telephony.fetchRecording(`RE${"0".repeat(32)}`, 10))).toMatchObject({
      outcome: "unavailable",
    });
    expect(seen).toEqual([]);
    redirecting.close();
    other.close();
  });
});

test("an account's id that is none is refused at once", async () => {
  await expect(
    createTwilioTelephony({ accountSid: "SK1", authToken: "x", callbacksUrl: CALLBACKS }),
  ).rejects.toThrow(TypeError);
});
