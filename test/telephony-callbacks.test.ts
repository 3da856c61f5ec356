import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTwilioTelephony } from "../packages/adapter-twilio/src/index.ts";
import { type FakeTwilio, startFakeTwilio } from "../packages/adapter-twilio/testing/fake-twilio.ts";
import type { TwilioCallback } from "../packages/adapter-twilio/testing/signed-callback.ts";
import { LIMITS } from "../packages/core/src/index.ts";
import { fail } from "../packages/core/src/ports/index.ts";
import { createMemoryStorage, type TestAccount } from "../packages/core/testing/index.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";

const BASE_URL = "https://mail.example.com/post";
const BELOW = "/api/v1/internal/telephony";
const THEIRS = "+16175550199";

let down = false;
/** A storage that fails while it is `down`. */
const storage = new Proxy(createMemoryStorage(), {
  get: (memory, name) =>
    down ? async () => Promise.reject(fail("storage_unavailable")) : Reflect.get(memory, name),
});

let twilio: FakeTwilio;
let served: Served;
let agent: TestAccount;
let number: string;
beforeAll(async () => {
  twilio = await startFakeTwilio();
  twilio.stock(["+14155550123"]);
  const { account_sid, auth_token, url: api_url } = twilio;
  const callbacks_url = `${BASE_URL}${BELOW}/twilio`;
  const telephony = await createTwilioTelephony({
    accountSid: account_sid,
    authToken: auth_token,
    callbacksUrl: callbacks_url,
    apiUrl: api_url,
  });
  served = await serve({ config: { telephony, storage, baseUrl: BASE_URL } });
  agent = await served.signUp("ada");
  ({ e164: number } = await agent.as.phoneNumbers.create({ inbox_id: agent.inbox.id, area_code: "415" }));
});
afterAll(() => Promise.all([served.close(), twilio.close()]));

/** Sends a callback through a proxy that may change everything but the URL that Twilio requested. */
function post(
  { headers, body }: Pick<TwilioCallback, "headers" | "body">,
  path: string,
  more: Record<string, string> = {},
): Promise<{ status: number; type: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${served.base_url}${path}`,
      { method: "POST", headers: { ...headers, ...more } },
      (response) => {
        const { statusCode: status = 0, headers: given } = response;
        const text = response.toArray().then((chunks) => chunks.join(""));
        text.then((whole) => resolve({ status, type: given["content-type"], text: whole }), reject);
      },
    );
    sent.on("error", reject).end(body);
  });
}

const texts = async () => (await agent.as.messages.list({ inbox_id: agent.inbox.id, limit: 50 })).data;
const proxied = {
  host: "10.0.0.7:8025",
  "x-forwarded-proto": "http",
  "x-forwarded-host": "evil.example.com",
};

describe("a callback of the telephony provider", () => {
  test("is taken in at BASE_URL's path, whatever a proxy made of host and protocol, and once", async () => {
    const callback = twilio.text({ from: THEIRS, to: number, text: "Hello & goodbye?" });
    for (const path of [`${BELOW}/twilio/sms`, `${BELOW}/twilio/sms`]) {
      const { status, type, text } = await post(callback, path, proxied);
      expect([status, type]).toEqual([200, "text/xml; charset=utf-8"]);
      expect(text).toBe('<?xml version="1.0" encoding="UTF-8"?><Response/>');
    }
    expect(await texts()).toMatchObject([
      { channel: "sms", from: THEIRS, to: [number], extracted_text: "Hello & goodbye?" },
    ]);
  });

  test("a call is answered with a greeting", async () => {
    const { callback } = twilio.ring({ from: THEIRS, to: number });
    const { status, text } = await post(callback, `${BELOW}/twilio/voice`);
    expect(status).toBe(200);
    expect(text).toMatch(/<Response><Say>.+<\/Say><Record /);
  });

  test("one that isn't signed for what arrives is refused, and stores nothing", async () => {
    const before = await texts();
    const callback = twilio.text({ from: THEIRS, to: number, text: "Hello" });
    const wrong: [Pick<TwilioCallback, "headers" | "body">, string][] = [
      [callback.forge("Body", "Wire the money"), "/twilio/sms"],
      [callback.forge("From", "+16175550198"), "/twilio/sms"],
      [callback, "/twilio/voice"],
      [callback, "/twilio/sms?message=msg_1"],
      [{ ...callback, headers: { "content-type": "application/x-www-form-urlencoded" } }, "/twilio/sms"],
      [{ ...callback, body: "" }, "/twilio/sms"],
    ];
    for (const [sent, path] of wrong) {
      const { status, text } = await post(sent, `${BELOW}${path}`);
      expect([status, JSON.parse(text)]).toMatchObject([403, { error: { code: "callback_refused" } }]);
    }
    expect(await texts()).toEqual(before);
  });

  test.each([
    ["for another provider", `${BELOW}/simulator/sms`, 404, "route_not_found"],
    ["for no provider", `${BELOW}/sms`, 404, "route_not_found"],
    ["further below", `${BELOW}/twilio/sms/more`, 404, "route_not_found"],
  ])("one %s finds nothing", async (_, path, status, code) => {
    const callback = twilio.text({ from: THEIRS, to: number, text: "Hello" });
    const answer = await post(callback, path);
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { error: { code } }]);
  });

  test("one that is too large is refused before it is read", async () => {
    const callback = twilio.text({
      from: THEIRS,
      to: number,
      text: "x".repeat(LIMITS.telephony_callback_bytes),
    });
    expect(await post(callback, `${BELOW}/twilio/sms`)).toMatchObject({ status: 413 });
  });

  test("one that comes while the storage is down is asked for again, and taken in then", async () => {
    const callback = twilio.text({ from: THEIRS, to: number, text: "Later." });
    down = true;
    expect(await post(callback, `${BELOW}/twilio/sms`)).toMatchObject({ status: 503 });
    down = false;
    expect(await post(callback, `${BELOW}/twilio/sms`)).toMatchObject({ status: 200 });
    expect((await texts())[0]).toMatchObject({ extracted_text: "Later." });
  });

  test("only POST is taken", async () => {
    const response = await fetch(`${served.base_url}${BELOW}/twilio/sms`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
