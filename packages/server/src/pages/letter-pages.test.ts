import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const cron_secret = "cron-secret-of-the-operator";
const inbound_secret = "inbound-secret-of-the-operator";
const asBrowser = {
  accept: "text/html,application/xhtml+xml",
  "content-type": "application/x-www-form-urlencoded",
};
const email = "grace@example.com";

let served: Served;
let inbox_id: string;
let client: ReturnType<Served["client"]>;
let api_key: string;
let owner_id: string;

beforeAll(async () => {
  served = await serve({ cronSecret: cron_secret, inboundSecret: inbound_secret });
  const opened = await served.client().accounts.onboard({ username: "ada" });
  ({ api_key } = opened);
  client = served.client(api_key);
  inbox_id = opened.inbox.id;
  ({ id: owner_id } = await client.owners.create({ inbox_id, email }));
  await served.work();
  await client.owners.confirmWithCode({ inbox_id, owner_id, code: served.codeFor(email) });
});
afterAll(() => served.close());

function newestToken(page: string): string {
  const letter = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  const text = new TextDecoder().decode(letter?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  return new RegExp(`/owners/${page}\\?token=(\\w+)`).exec(text)?.[1] ?? "none";
}

async function open(path: string, init: RequestInit = {}) {
  const response = await fetch(`${served.base_url}/api/v1/${path}`, {
    headers: { accept: "text/html" },
    ...init,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = asBrowser) =>
  open(path, { method: "POST", headers, body: new URLSearchParams(fields).toString() });

async function ask(question: Parameters<typeof client.updates.create>[0]["question"]) {
  await served.clock.advance(3600_000);
  await client.updates.create({
    inbox_id,
    kind: "needs_input",
    title: "Book <the> garden",
    text: "May I?",
    ...(question === undefined ? {} : { question }),
  });
  await served.work();
  return newestToken("answer");
}

describe("the answer page", () => {
  test("opened by a button in the letter is filled in, and sends no answer", async () => {
    const token = await ask({ type: "yes_no" });
    const { status, text, headers } = await open(`owners/answer?token=${token}&value=no&utm_source=mail`);
    expect(status).toBe(200);
    expect(text).toMatch(/value="no" required checked/);
    expect(text).toContain("Book &lt;the&gt; garden");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*form-action 'self'/);
    expect((await client.tasks.list()).data).toEqual([]);
  });

  test("of a link that came back in a mail still opens, and its button asks for a code", async () => {
    const token = await ask({ type: "yes_no" });
    const text = `See ${served.base_url}/api/v1/owners/answer?token=${token}`;
    await served.receive({
      from: "eve@stranger.example",
      to: "ada@letterslot.localhost",
      subject: "Note",
      text,
    });
    await served.work();
    expect((await open(`owners/answer?token=${token}`)).status).toBe(200);
    const asked = await post("owners/answer", { token, value: "yes" });
    expect(asked.text).toContain("Check your email");
    expect((await client.tasks.list()).data).toEqual([]);
  });

  test("its button answers once", async () => {
    const token = await ask({ type: "choice", options: ["Garden & hall", "None"] });
    expect((await post("owners/answer", { token, value: "Garden & hall" })).text).toContain(
      "Your answer was sent",
    );
    expect((await client.tasks.list()).data).toMatchObject([
      { answer: { value: "Garden & hall", method: "page" } },
    ]);
    const again = await post("owners/answer", { token, value: "None" });
    expect(again.status).toBe(409);
    expect((await open(`owners/answer?token=${token}`)).text).toContain("This question was answered");
  });

  test.each([
    ["number", 'inputmode="decimal"'],
    ["date", 'type="date"'],
    ["text", "<textarea"],
  ] as const)("asks for a %s with %s", async (type, field) => {
    expect((await open(`owners/answer?token=${await ask({ type })}`)).text).toContain(field);
  });

  test("takes words as a reply would, and says after others what it would understand", async () => {
    const token = await ask({ type: "choice", options: ["Garden", "Town hall"] });
    const unclear = await post("owners/answer", { token, value: "the <cellar>" });
    expect(unclear.status).toBe(400);
    expect(unclear.text).toContain("its number: 1. Garden, 2. Town hall.");
    expect(unclear.text).toContain('role="alert"');
    expect(unclear.text).toContain("Send this answer");
    const answered = (await post("owners/answer", { token, value: "the town hall, please" })).text;
    expect(answered).toContain("<p>The answer: <strong>Town hall</strong></p>");
    expect(answered).toContain("Your agent has it now, and goes on with it.");
    expect((await client.tasks.list()).data[0]).toMatchObject({
      answer: { value: "Town hall", raw_text: "the town hall, please", method: "page" },
    });
  });

  test.each([
    ["number", "3/4 of <it>", 'value="3/4 of &lt;it&gt;"'],
    ["text", " ", "required> </textarea>"],
    ["date", "3/4", 'type="date"'],
  ] as const)("keeps what was written where it is unclear as %s", async (type, value, kept) => {
    const again = await post("owners/answer", { token: await ask({ type }), value });
    expect([again.status, again.text]).toEqual([400, expect.stringContaining(kept)]);
  });

  test("explains an invalid answer, and answers programs with JSON", async () => {
    const token = await ask({ type: "number" });
    expect(await post("owners/answer", { token, value: "many" })).toMatchObject({
      status: 400,
      text: expect.stringContaining('role="alert"'),
    });
    const json = { accept: "application/json", "content-type": "application/json" };
    const answered = await open("owners/answer", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ token, value: 3 }),
    });
    expect(JSON.parse(answered.text)).toMatchObject({
      object: "question_review",
      state: "answered",
      answer: { value: 3 },
    });
  });
});

test("every page is HTML for a client that takes anything", async () => {
  const token = await ask({ type: "yes_no" });
  const any = { headers: { accept: "*/*" } };
  for (const path of [`owners/answer?token=${token}`, `owners/style?token=${newestToken("style")}`]) {
    const { status, text } = await open(path, any);
    expect([status, text]).toEqual([200, expect.stringMatching(/^<!doctype html>/i)]);
  }
  const unknown = await open("lifecycle/unsubscribe?token=nobody", any);
  expect([unknown.status, unknown.text]).toEqual([400, expect.stringMatching(/^<!doctype html>/i)]);
});

describe("the preferences page", () => {
  test("saves frequency and style, each with its own button", async () => {
    await ask({ type: "text" });
    const token = newestToken("style");
    expect((await open(`owners/style?token=${token}`)).text).toMatch(/value="immediate" required checked/);
    expect((await post("owners/style", { token, updates: "daily" })).text).toContain("Saved.");
    expect(await client.owners.get({ inbox_id, owner_id })).toMatchObject({
      digest: "daily",
      email_style: null,
    });
    const saved = await post("owners/style", { token, email_style: "casual", email_style_note: 'Say "you"' });
    expect(saved.text).toMatch(/value="casual" required checked/);
    await expect(client.owners.update({ inbox_id, owner_id, email_style: "concise" })).rejects.toMatchObject({
      code: "owner_style_locked",
      status: 409,
    });
    await post("owners/style", { token, email_style: "inherit", email_style_note: "" });
    expect(
      await client.owners.update({ inbox_id, owner_id, email_style: "concise", digest: "immediate" }),
    ).toMatchObject({
      email_style: "concise",
    });
  });

  test("rejects every request with an Authorization header, and other methods", async () => {
    const token = newestToken("style");
    for (const authorization of [`Bearer ${api_key}`, "Bearer nonsense", "Basic YTpi"]) {
      const headers = { ...asBrowser, authorization };
      expect([401, 403]).toContain((await open(`owners/style?token=${token}`, { headers })).status);
      expect([401, 403]).toContain((await post("owners/style", { token, updates: "off" }, headers)).status);
    }
    expect(await client.owners.get({ inbox_id, owner_id })).toMatchObject({ unsubscribed_at: null });
    expect((await open(`owners/style?token=${token}`, { method: "PUT" })).status).toBe(405);
    expect((await open("owners/style?token=nobody")).status).toBe(400);
  });
});

test.each(["owners/style", "owners/answer", "owners/unsubscribe", "lifecycle/unsubscribe"])(
  "%s rejects a form without a token",
  async (path) => {
    const { status, text } = await post(path, { updates: "off", value: "yes" });
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
  },
);

test("the weekly note is stopped by its page's button or one click, not by opening the link", async () => {
  await served.letterslot.sweep();
  await served.clock.advance(14 * 24 * 3600_000);
  await served.work();
  const [note] = (await client.messages.list({ inbox_id, label: ["lifecycle"] })).data;
  const token = /lifecycle\/unsubscribe\?token=([\w.-]+)/.exec(note?.extracted_text ?? "")?.[1] ?? "";
  const asked = (await open(`lifecycle/unsubscribe?token=${token}`)).text;
  expect(asked).toContain("<button");
  const { email: address } = await client.inboxes.get({ inbox_id });
  expect(asked).toContain(`to your agents at <strong>${address}</strong>`);
  expect((await client.me.get()).lifecycle_emails).toBe("on");
  const oneClick = { "content-type": "application/x-www-form-urlencoded" };
  expect(
    (await post(`lifecycle/unsubscribe?token=${token}`, { "List-Unsubscribe": "One-Click" }, oneClick))
      .status,
  ).toBe(200);
  expect((await client.me.get()).lifecycle_emails).toBe("off");
  expect((await open(`lifecycle/unsubscribe?token=${token}`)).text).toContain("has stopped");
});

describe("the operator's digest flush", () => {
  const flush = (method: string, headers: Record<string, string>) =>
    open("internal/digests/flush", { method, headers: { accept: "application/json", ...headers } });

  test("accepts CRON_SECRET by GET and POST, and the inbound secret by POST only", async () => {
    await client.owners.update({ inbox_id, owner_id, digest: "daily" });
    await client.updates.create({ inbox_id, kind: "done", text: "Done." });
    for (const method of ["GET", "POST"]) {
      expect((await flush(method, {})).status).toBe(401);
      expect((await flush(method, { authorization: `Bearer ${api_key}` })).status).toBe(401);
      expect((await flush(method, { authorization: `Bearer ${inbound_secret}` })).status).toBe(401);
    }
    expect((await flush("GET", { "x-svc-inbound-secret": inbound_secret })).status).toBe(401);
    expect(JSON.parse((await flush("GET", { authorization: `Bearer ${cron_secret}` })).text)).toEqual({
      object: "digest_flush",
      owners: 1,
      updates: 1,
      sent: 1,
    });
    expect(JSON.parse((await flush("POST", { "x-svc-inbound-secret": inbound_secret })).text)).toMatchObject({
      owners: 0,
      sent: 0,
    });
    expect((await flush("DELETE", {})).status).toBe(405);
  });

  test("is 404 without a configured secret", async () => {
    const bare = await serve();
    const response = await fetch(`${bare.base_url}/api/v1/internal/digests/flush`, { method: "POST" });
    expect(response.status).toBe(404);
    await bare.close();
  });
});
