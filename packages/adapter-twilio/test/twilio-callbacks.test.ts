import { createHash } from "node:crypto";
import type { CallbackRequest, Telephony, TelephonyEvent } from "@letterslot/core/ports";
import library from "twilio";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTwilioTelephony } from "../src/index.ts";
import { type FakeTwilio, startFakeTwilio } from "../testing/fake-twilio.ts";
import { attributeOf, type TwilioCallback } from "../testing/signed-callback.ts";

const CALLBACKS = "https://mail.example.com/api/v1/internal/telephony/twilio";
const [OURS, THEIRS] = ["+14155550123", "+16175550199"];

let twilio: FakeTwilio;
let telephony: Telephony;
beforeEach(async () => {
  twilio = await startFakeTwilio();
  twilio.stock([OURS]);
  const { account_sid, auth_token, url: api_url } = twilio;
  telephony = await createTwilioTelephony({
    accountSid: account_sid,
    authToken: auth_token,
    callbacksUrl: CALLBACKS,
    apiUrl: api_url,
  });
  await telephony.buyNumber({ phone_number: OURS, reference: "pn_1" });
});
afterEach(() => twilio.close());

const requestOf = ({ url, headers, body }: TwilioCallback): CallbackRequest => ({
  url,
  path: new URL(url).pathname.slice(new URL(CALLBACKS).pathname.length),
  headers,
  body,
});
const read = (callback: TwilioCallback) => telephony.verifyCallback(requestOf(callback));
const sent = async () => {
  const sms = { message_id: "msg_1", from: OURS, to: THEIRS, text: "Hello" };
  return (await telephony.sendSms(sms)).provider_id;
};
const placed = async (recording_notice: string | null = null) => {
  const call = { message_id: "msg_1", from: OURS, to: THEIRS, say: "Hello", recording_notice };
  await telephony.placeCall({ ...call, recording_seconds: 120, time_limit_seconds: 60 });
  const [first] = twilio.calls;
  if (first === undefined) throw new Error("no call was placed");
  return first;
};

describe("the signature of a callback", () => {
  // The example of Twilio's page "Webhooks security", where the token is 12345.
  const example = {
    url: "https://mycompany.com/myapp.php?foo=1&bar=2",
    path: "/myapp.php",
    headers: { "x-twilio-signature": "0/KCTR6DLpKmkAf8muzZqo1nDgQ=" },
    body: "To=%2B18005551212&CallSid=CA1234567890ABCDE&Digits=1234&From=%2B12349013030&Caller=%2B12349013030",
  };
  let documented: Telephony;
  beforeEach(async () => {
    const account_sid = `AC${"0".repeat(32)}`;
    documented = await createTwilioTelephony({
      accountSid: account_sid,
      authToken: "12345",
      callbacksUrl: CALLBACKS,
    });
  });

  test("is that of Twilio's own documented example", async () => {
    expect(await documented.verifyCallback(example)).toBe("ignored");
  });

  test.each([
    ["another digit", { body: example.body.replace("1234&", "1235&") }],
    ["another field", { body: `${example.body}&Extra=1` }],
    ["another query", { url: "https://mycompany.com/myapp.php?foo=1&bar=3" }],
    ["another host", { url: "https://mycompany.org/myapp.php?foo=1&bar=2" }],
    ["http in place of https", { url: "http://mycompany.com/myapp.php?foo=1&bar=2" }],
    ["no signature", { headers: {} }],
    ["an empty one", { headers: { "x-twilio-signature": "" } }],
    ["one of another length", { headers: { "x-twilio-signature": "0/KCTR6DLpKmkAf8muzZqo1nDgQ" } }],
    ["a body that it doesn't cover", { body: "" }],
  ])("doesn't fit with %s", async (_, change: Partial<CallbackRequest>) => {
    expect(await documented.verifyCallback({ ...example, ...change })).toBe("forged");
  });

  test("of another account's token doesn't fit", async () => {
    expect(await telephony.verifyCallback(example)).toBe("forged");
  });

  test("of a JSON body covers the body by its hash in the URL", async () => {
    const body = '{"property": "value", "boolean": true}';
    const hash = createHash("sha256").update(body).digest("hex");
    const url = `${CALLBACKS}/events?bodySHA256=${hash}`;
    const signature = library.getExpectedTwilioSignature(twilio.auth_token, url, {});
    const request = { url, path: "/events", headers: { "x-twilio-signature": signature }, body };
    expect(await telephony.verifyCallback(request)).toBe("ignored");
    expect(await telephony.verifyCallback({ ...request, body: body.replace("value", "other") })).toBe(
      "forged",
    );
  });

  test("covers a name that the form has twice, and names that objects have of themselves", async () => {
    const url = `${CALLBACKS}/other`;
    const fields = { A: ["1", "2"], constructor: "x", toString: "y" };
    const signature = library.getExpectedTwilioSignature(twilio.auth_token, url, fields);
    const request = { url, path: "/other", headers: { "x-twilio-signature": signature } };
    expect(await telephony.verifyCallback({ ...request, body: "A=1&A=2&constructor=x&toString=y" })).toBe(
      "ignored",
    );
    expect(await telephony.verifyCallback({ ...request, body: "A=1&A=2&constructor=z&toString=y" })).toBe(
      "forged",
    );
    expect(await telephony.verifyCallback({ ...request, body: "__proto__=1" })).toBe("forged");
  });
});

describe("what a callback tells", () => {
  test("a text that came in", async () => {
    const callback = twilio.text({ from: THEIRS, to: OURS, text: "Grüße + 1 & <b>🚀\n" });
    expect(await read(callback)).toEqual({
      kind: "sms_received",
      provider_id: callback.fields["MessageSid"],
      from: THEIRS,
      to: OURS,
      text: "Grüße + 1 & <b>🚀\n",
    });
    expect(await read(callback.forge("Body", "Transfer it"))).toBe("forged");
    expect(await read(callback.forge("From", "+14155550100"))).toBe("forged");
  });

  test("a text from a short code, as login codes come", async () => {
    expect(await read(twilio.text({ from: "72345", to: OURS, text: "123 456" }))).toMatchObject({
      from: "72345",
    });
    expect(await read(twilio.text({ from: "whatsapp:+16175550199", to: OURS, text: "Hello" }))).toBe(
      "ignored",
    );
  });

  test.each([
    ["sent", undefined, "sent", ""],
    ["delivered", undefined, "delivered", ""],
    ["undelivered", "30007", "failed", "Twilio could not deliver it: the carrier filtered it (30007)"],
    [
      "failed",
      "30034",
      "failed",
      "Twilio could not deliver it: the sending number is not registered for US A2P messaging (30034)",
    ],
    ["failed", "39999", "failed", "Twilio could not deliver it: no reason (39999)"],
  ])("a text of ours is %s (%s)", async (said, code, status, detail) => {
    const provider_id = await sent();
    const event = { kind: "sms_status", message_id: "msg_1", provider_id, status, detail };
    expect(await read(twilio.textStatus(provider_id, said, code))).toEqual(event);
  });

  test.each(["queued", "sending", "accepted", "toString"])("nothing of a text that is %s", async (said) => {
    expect(await read(twilio.textStatus(await sent(), said))).toBe("ignored");
  });

  test.each([
    ["ringing", undefined, "ringing", null, ""],
    ["completed", 61, "completed", 61, ""],
    ["busy", 0, "no-answer", 0, "The line is busy."],
    ["no-answer", 0, "no-answer", 0, ""],
    ["failed", 0, "failed", 0, "Twilio could not connect the call; the number may not exist."],
  ])("a call of ours is %s", async (said, seconds, status, duration_seconds, detail) => {
    const { sid: provider_id } = await placed();
    const event = { kind: "call_status", message_id: "msg_1", provider_id, status, duration_seconds, detail };
    expect(await read(twilio.callStatus(provider_id, said, seconds))).toEqual(event);
  });

  test("nothing of a call that is answered", async () => {
    const { sid } = await placed();
    expect(await read(twilio.callStatus(sid, "in-progress"))).toBe("ignored");
  });

  test.each([
    [THEIRS, THEIRS],
    ["+266696687", ""],
    ["anonymous", ""],
    ["Restricted", ""],
    ["", ""],
  ])("somebody calls from %j", async (said, from) => {
    const { callback } = twilio.ring({ from: said, to: OURS });
    const provider_id = callback.fields["CallSid"];
    expect(await read(callback)).toEqual({ kind: "call_received", provider_id, from, to: OURS });
  });

  test("what was said after the words of our call, with whose call it is", async () => {
    const call = await placed("This call is recorded.");
    const { recording, transcript, recording_sid } = twilio.speak(call, { seconds: 7, transcript: "Yes." });
    const ids = { call_id: call.sid, recording_id: recording_sid };
    expect(await read(recording)).toEqual({
      kind: "recording",
      ...ids,
      duration_seconds: 7,
      from: THEIRS,
      to: OURS,
      message_id: "msg_1",
    });
    expect(await read(transcript)).toEqual({ kind: "transcript", ...ids, text: "Yes." });
    expect(await read(twilio.speak(call, { seconds: 1 }).transcript)).toBe("ignored");
    const url = recording.url.replace("msg_1", "msg_2");
    expect(await telephony.verifyCallback({ ...requestOf(recording), url })).toBe("forged");
  });
});

describe("what Twilio is answered", () => {
  const EMPTY = '<?xml version="1.0" encoding="UTF-8"?><Response/>';
  const answered = (event: TelephonyEvent | "ignored", reply: Parameters<Telephony["replyTo"]>[1]) => {
    const { status, headers, body } = telephony.replyTo(event, reply);
    expect({ status, headers }).toEqual({
      status: 200,
      headers: { "content-type": "text/xml; charset=utf-8" },
    });
    return body;
  };

  test("nothing more to do ends a call, and sends no text", () => {
    expect(answered("ignored", { kind: "nothing" })).toBe(EMPTY);
  });

  test("a text, of which nothing is markup", () => {
    expect(answered("ignored", { kind: "text", text: "Reply STOP & <end>" })).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Response><Message>Reply STOP &amp; &lt;end&gt;</Message></Response>',
    );
  });

  test("a refused call", () => {
    expect(answered("ignored", { kind: "reject" })).toContain("<Reject/>");
  });

  test("a greeting, a beep and a recording that comes back with both numbers", async () => {
    const { callback, answered: answer } = twilio.ring({ from: THEIRS, to: OURS });
    const event = await read(callback);
    if (event === "forged") throw new Error("it is genuine");
    const greeting = "Ada & Co. </Say><Dial>1</Dial>";
    const twiml = answered(event, { kind: "voicemail", greeting, max_seconds: 180 });
    expect(twiml).toContain("<Say>Ada &amp; Co. &lt;/Say&gt;&lt;Dial&gt;1&lt;/Dial&gt;</Say><Record ");
    expect(attributeOf(twiml, "Record", "playBeep")).toBe("true");
    expect(attributeOf(twiml, "Record", "maxLength")).toBe("180");
    const { recorded, recording } = twilio.speak(answer(twiml), { seconds: 5 });
    expect(await read(recorded)).toBe("ignored");
    expect(await read(recording)).toMatchObject({
      kind: "recording",
      from: THEIRS,
      to: OURS,
      message_id: null,
    });
  });
});
