import { request } from "node:http";
import { createPhoneSimulator, type TestAccount } from "@letterslot/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const PERSON = "+14155550198";

const simulator = createPhoneSimulator({ automatic: true });
let served: Served;
let agent: TestAccount;
let number: string;

beforeAll(async () => {
  served = await serve({ phoneSimulator: simulator, config: { telephony: simulator } });
  simulator.connect(served.letterslot);
  agent = await served.signUp("ada");
  ({ e164: number } = await agent.as.phoneNumbers.create({ inbox_id: agent.inbox.id, area_code: "415" }));
});
afterAll(() => Promise.all([served.close(), simulator.close()]));

/** Asks for a page, or posts a form, with headers that `fetch` does not allow to set. */
function ask(
  path: string,
  { form, headers = {} }: { form?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<{ status: number; text: string; location: string | undefined }> {
  const method = form === undefined ? "GET" : "POST";
  const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const site = form === undefined ? {} : { "sec-fetch-site": "same-origin" };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${served.base_url}${path}`,
      { method, headers: { ...type, ...site, ...headers } },
      (response) => {
        const { statusCode: status = 0, headers: given } = response;
        const text = response.toArray().then((chunks) => chunks.join(""));
        text.then((whole) => resolve({ status, text: whole, location: given.location }), reject);
      },
    );
    sent.on("error", reject).end(form === undefined ? undefined : new URLSearchParams(form).toString());
  });
}

const press = (act: string, fields: Record<string, string> = {}) =>
  ask("/phone", { form: { me: PERSON, act, ...fields } });

const messages = async () => (await agent.as.messages.list({ inbox_id: agent.inbox.id })).data;

describe("the page /phone", () => {
  test("shows which agents have a number", async () => {
    const { status, text } = await ask("/phone");
    expect(status).toBe(200);
    expect(text).toContain(`<option value="${number}">ada@letterslot.localhost (${number})</option>`);
    expect(text).toContain('value="+14155550199"');
  });

  test("a text arrives at the agent, and is shown as text", async () => {
    const words = "<script>alert(1)</script>";
    const { status, location } = await press("text", { to: number, text: words });
    expect([status, location]).toEqual([303, "/phone?me=%2B14155550198"]);
    expect((await messages())[0]).toMatchObject({ channel: "sms", from: PERSON, extracted_text: words });
    const { text } = await ask(`/phone?me=${PERSON}`);
    expect(text).toContain("&lt;script&gt;");
    expect(text).not.toContain("<script");
    expect(text).toContain(`Text from you (${PERSON})`);
  });

  test("a call hears the greeting, and leaves a voicemail", async () => {
    await press("call", { to: number });
    const { text } = await ask(`/phone?me=${encodeURIComponent(PERSON)}`);
    const [, call = ""] = /name="call" value="(call-[^"]+)"/.exec(text) ?? [];
    expect(text).toContain("You are on the phone with <strong>ada@letterslot.localhost");
    await press("speak", { call, text: "Call me back" });
    expect((await messages())[0]).toMatchObject({ type: "voicemail", caller_number: PERSON });
    expect((await ask("/phone")).text).toContain("Recorded: <q>Call me back</q>");
    // A second press of the button changes nothing.
    expect((await press("speak", { call, text: "Call me back" })).status).toBe(303);
    expect((await messages()).filter(({ type }) => type === "voicemail")).toHaveLength(1);
  });

  test("waits for what the agent sends", async () => {
    const [, seen = ""] = /name="wait" value="([^"]+)"/.exec((await ask("/phone")).text) ?? [];
    const page = ask(`/phone?me=${PERSON}&wait=${seen}`);
    await agent.as.messages.sendSms({ inbox_id: agent.inbox.id, to: PERSON, text: "I am on my way" });
    await served.work();
    expect((await page).text).toContain("I am on my way");
  });

  test("answers programs with JSON, and acts for them", async () => {
    const headers = { accept: "application/json" };
    const form = { me: PERSON, act: "text", to: number, text: "As JSON" };
    const acted = await ask("/phone", { form, headers });
    expect([acted.status, JSON.parse(acted.text)]).toEqual([
      200,
      expect.objectContaining({
        ...{ object: "telephone", me: PERSON },
        numbers: [{ e164: number, agent: "ada@letterslot.localhost" }],
        happened: expect.arrayContaining([expect.objectContaining({ from: PERSON, text: "As JSON" })]),
      }),
    ]);
    expect(JSON.parse((await ask("/phone", { headers })).text).me).toBe("+14155550199");
    const wrong = await ask("/phone", { form: { ...form, text: "" }, headers });
    expect([wrong.status, JSON.parse(wrong.text).error.code]).toEqual([400, "missing_text"]);
    const elsewhere = { ...headers, "sec-fetch-site": "cross-site" };
    expect((await ask("/phone", { form, headers: elsewhere })).status).toBe(403);
  });

  test.for<[fields: Record<string, string>, status: number]>([
    [{ act: "text", to: "415", text: "Hi" }, 400],
    [{ act: "text", to: "+14155550100", text: " " }, 400],
    [{ act: "text", to: "+14155550100", text: "x".repeat(1_601) }, 400],
    [{ act: "call", to: "" }, 400],
    [{ act: "call", to: "+14155550100", me: "1" }, 400],
    [{ act: "answer", call: "call-other" }, 303],
    [{ act: "other" }, 303],
    [{}, 303],
  ])("the form %j is answered with %s", async ([fields, status]) => {
    expect((await ask("/phone", { form: { me: PERSON, ...fields } })).status).toBe(status);
  });

  test.for([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ "sec-fetch-site": "none" }],
  ])("a form that another site posts is refused: %j", async ([headers]) => {
    const before = simulator.texts.length;
    const form = { me: PERSON, act: "text", to: number, text: "Hi" };
    expect((await ask("/phone", { form, headers: headers ?? {} })).status).toBe(403);
    expect(simulator.texts).toHaveLength(before);
  });

  test.for([
    [{ host: "letterslot.test" }],
    [{ host: "localhost.evil.test" }],
    [{ "x-forwarded-for": "203.0.113.7" }],
    [{ via: "1.1 proxy" }],
  ])("is hidden from a request with %j", async ([headers = {}]) => {
    const form = { me: PERSON, act: "text", to: number, text: "Hi" };
    expect((await ask("/phone", { headers })).status).toBe(404);
    expect((await ask("/phone", { headers, form })).status).toBe(404);
  });

  test("is 404 in a server without a simulator", async () => {
    const other = await serve();
    expect((await fetch(`${other.base_url}/phone`)).status).toBe(404);
    await other.close();
  });
});
