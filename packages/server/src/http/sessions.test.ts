import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const grace = "grace@example.com";
const OWN = "http://letterslot.test";

let served: Served;
let account_id: string;
let inbox_id: string;
let api_key: string;

beforeAll(async () => {
  served = await serve();
  const account = await served.signUp("agent");
  ({ account_id, api_key } = account);
  inbox_id = account.inbox.id;
  await served.addOwner(account, grace);
});
// Letters are limited by the hour.
beforeEach(() => served.clock.advance(3600_000));
afterAll(() => served.close());

const at = (path: string) => `${served.base_url}/api/v1${path}`;

const json = (cookie: string, headers: Record<string, string> = { origin: OWN }) => ({
  "content-type": "application/json",
  ...(cookie === "" ? {} : { cookie }),
  ...headers,
});

/** The cookies that an answer sets, as a browser sends them back. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

const letterFor = (email: string) => {
  const sent = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
  return new TextDecoder().decode(sent?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
};

async function start(email = grace) {
  const response = await fetch(at("/owners/session/start"), {
    method: "POST",
    headers: json(""),
    body: JSON.stringify({ email }),
  });
  await served.work();
  return { response, cookie: cookiesOf(response), code: served.codeFor(grace) };
}

/** Signs in over HTTP, as the four lines of the documentation do; answers the cookie. */
async function signIn() {
  const { cookie, code } = await start();
  const response = await fetch(at("/owners/session"), {
    method: "POST",
    headers: json(cookie),
    body: JSON.stringify({ email: grace, code }),
  });
  return { response, cookie: cookiesOf(response) };
}

const get = (path: string, headers: Record<string, string>) => fetch(at(path), { headers });

async function post(path: string, headers: Record<string, string>, body: object = {}) {
  const response = await fetch(at(path), { method: "POST", headers, body: JSON.stringify(body) });
  const { error } = (await response.json()) as { error?: { code: string } };
  return { status: response.status, code: error?.code };
}

describe("a session over HTTP", () => {
  test("is made of a code and a challenge, and lives in a cookie that no script reads", async () => {
    const { response: started } = await start();
    expect(started.status).toBe(200);
    expect(started.headers.getSetCookie()[0]).toMatch(
      /^ls_challenge=\w{40}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/,
    );
    const { response, cookie } = await signIn();
    const text = await response.text();
    expect([response.status, JSON.parse(text)]).toMatchObject([200, { object: "session", email: grace }]);
    const [secret = ""] = /ls_session=\w+/.exec(cookie) ?? [];
    expect(secret).toMatch(/^ls_session=\w{40}$/);
    expect(text).not.toContain(secret.split("=")[1]);
    const shown = await get("/owners/session", { cookie });
    expect(await shown.json()).toMatchObject({ object: "session", email: grace });
  });

  test("the answer to start is the same for an address that nobody knows", async () => {
    const { response } = await start("nobody@example.net");
    expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
      200,
      ["object", "challenge", "expires_at"],
    ]);
  });

  test("a wrong code, no challenge and another's challenge are one answer", async () => {
    const { cookie, code } = await start();
    const wrong = code === "000000" ? "000001" : "000000";
    const tries = [
      [cookie, wrong],
      ["", code],
      ["ls_challenge=other", code],
    ] as const;
    for (const [sent, said] of tries)
      expect(await post("/owners/session", json(sent), { email: grace, code: said })).toEqual({
        status: 400,
        code: "session_invalid",
      });
  });

  test("takes charge, and calls what an owner may, in the account that it names", async () => {
    const { cookie } = await signIn();
    expect(await post("/owners/authority", json(cookie), { account_id })).toMatchObject({ status: 200 });
    const inboxes = await get("/inboxes", { cookie, "x-letterslot-account": account_id });
    expect(await inboxes.json()).toMatchObject({ data: [{ id: inbox_id }] });
    expect((await get("/inboxes", { cookie })).status).toBe(200);
    const another = await get("/inboxes", { cookie, "x-letterslot-account": "acct_other" });
    expect([another.status, await another.json()]).toMatchObject([
      404,
      { error: { code: "account_not_found" } },
    ]);
    const me = await get("/me", { cookie });
    expect([me.status, await me.json()]).toMatchObject([200, { account_id, key: null, auth_type: "owner" }]);
    const send = await post(`/inboxes/${inbox_id}/messages`, json(cookie), { to: [grace], text: "x" });
    expect(send).toEqual({ status: 403, code: "key_only" });
  });

  test("changes nothing for another site", async () => {
    const { cookie } = await signIn();
    const body = { name: "Minted" };
    const foreign = [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site", origin: OWN },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "none" },
      { origin: "null" },
      {},
    ];
    for (const headers of foreign)
      expect(await post("/keys", json(cookie, headers as Record<string, string>), body)).toEqual({
        status: 403,
        code: "cross_site_request",
      });
    expect((await post("/keys", json(cookie, { "sec-fetch-site": "same-origin" }), body)).status).toBe(200);
    expect((await post("/keys", json(cookie), body)).status).toBe(200);
    expect((await get("/inboxes", { cookie, "sec-fetch-site": "cross-site" })).status).toBe(200);
  });

  test("isn't begun or made by a page of another origin, and not by its form", async () => {
    const { cookie, code } = await start();
    const sealed = served.letterslot.services.storage;
    const made = () =>
      Promise.all([sealed.count("sessions", {}, 99), sealed.count("session_challenges", {}, 99)]);
    const before = await made();
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    expect(await post("/owners/session/start", json("", foreign), { email: grace })).toMatchObject({
      status: 403,
    });
    expect(await post("/owners/session", json(cookie, foreign), { email: grace, code })).toEqual({
      ...{ status: 403, code: "cross_site_request" },
    });
    for (const form of [{ email: grace }, { email: grace, sign_in_code: code }, { sign_out: "yes" }]) {
      const response = await fetch(at("/owners/sign-in"), {
        method: "POST",
        headers: { cookie, accept: "text/html", ...foreign },
        body: new URLSearchParams(form as Record<string, string>),
      });
      expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
    }
    expect(await made()).toEqual(before);
    expect(await post("/owners/session", json(cookie), { email: grace, code })).toMatchObject({
      status: 200,
    });
  });

  test("is made by a program with the challenge in its body; of a browser only the cookie's counts", async () => {
    const { cookie, code } = await start();
    const challenge = /ls_challenge=(\w+)/.exec(cookie)?.[1] ?? "";
    const body = { email: grace, code, challenge };
    for (const browser of [{ origin: OWN }, { "sec-fetch-site": "same-origin" }])
      expect(await post("/owners/session", json("", browser as Record<string, string>), body)).toEqual({
        ...{ status: 400, code: "session_invalid" },
      });
    expect(await post("/owners/session", json("", {}), body)).toMatchObject({ status: 200 });
  });

  test("a browser says that a body is JSON, on every route that takes it; a program needn't", async () => {
    const { cookie } = await signIn();
    const text = { ...json(cookie), "content-type": "text/plain" };
    const none = { cookie, origin: OWN };
    const cases = [
      "/keys",
      "/owners/session/start",
      "/owners/session",
      "/owners/confirm",
      "/recover",
      "/owners/approve",
    ];
    for (const path of cases)
      for (const headers of [text, none])
        expect({ path, ...(await post(path, headers, { name: "x" })) }).toEqual({
          ...{ path, status: 415, code: "unsupported_media_type" },
        });
    const charset = { ...json(cookie), "content-type": "application/json; charset=utf-8" };
    expect(await post("/keys", charset, { name: "Minted" })).toMatchObject({ status: 200 });
    const key = { authorization: `Bearer ${api_key}` };
    expect(await post("/keys", key, { name: "Minted" })).toMatchObject({ status: 200 });
    expect(await post("/keys", { ...key, origin: "https://app.example" }, { name: "x" })).toMatchObject({
      status: 415,
    });
  });

  test("no method is taken from a header, the query or a form", async () => {
    const { cookie } = await signIn();
    const overridden = { ...json(cookie), "x-http-method-override": "DELETE", "x-method-override": "DELETE" };
    await post("/owners/session?_method=DELETE", overridden, { _method: "DELETE" });
    const read = await get("/owners/session", { cookie, "x-http-method-override": "DELETE" });
    expect(await read.json()).toMatchObject({ email: grace });
    expect((await get("/owners/session", { cookie })).status).toBe(200);
  });

  test("counts for nothing beside an API key", async () => {
    const { cookie } = await signIn();
    const key = { cookie, authorization: `Bearer ${api_key}` };
    expect(await (await get("/me", key)).json()).toMatchObject({ auth_type: "api_key" });
    expect((await get("/owners/session", key)).status).toBe(403);
    expect((await get("/me", { cookie, authorization: "Bearer ls_live_wrong" })).status).toBe(401);
  });

  test("ends when it signs out, and a dead cookie is no key", async () => {
    const { cookie } = await signIn();
    const ended = await fetch(at("/owners/session"), { method: "DELETE", headers: json(cookie) });
    expect(await ended.json()).toMatchObject({ deleted: true });
    expect(ended.headers.getSetCookie()[0]).toMatch(/^ls_session=; Path=\/; Max-Age=0/);
    const after = await get("/inboxes", { cookie });
    expect([after.status, await after.json()]).toMatchObject([401, { error: { code: "session_required" } }]);
  });

  test("over https the cookie is kept to this host", async () => {
    const secure = await serve({ config: { baseUrl: "https://mail.example" } });
    const response = await fetch(`${secure.base_url}/api/v1/owners/session/start`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: grace }),
    });
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-ls_challenge=\w{40}; Path=\/; .*; Secure$/);
    await secure.close();
  });

  test("the letter's link signs in only when its button is pressed, in the browser that asked", async () => {
    const { cookie } = await start();
    const token = /sign-in\?token=(\w+)/.exec(letterFor(grace))?.[1] ?? "";
    const page = await get(`/owners/sign-in?token=${token}`, { cookie, accept: "text/html" });
    expect(page.headers.getSetCookie()).toEqual([]);
    expect(await page.text()).toContain('<form method="post"');
    const press = (sent: string) =>
      fetch(at("/owners/sign-in"), {
        method: "POST",
        headers: { cookie: sent, accept: "text/html", origin: OWN },
        body: new URLSearchParams({ token }),
      });
    expect((await press("")).status).toBe(400);
    const signedIn = await press(cookie);
    expect([signedIn.status, cookiesOf(signedIn)]).toEqual([200, expect.stringContaining("ls_session=")]);
  });
});
