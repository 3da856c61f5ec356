import type { TestAccount } from "@letterslot/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../../testing/serve.ts";

const grace = "grace@example.com";
const OWN = "http://letterslot.test";

let served: Served;
let account: TestAccount;

beforeAll(async () => {
  served = await serve();
  account = await served.signUp("agent");
  const { account_id } = account;
  await served.letterslot.operator.accounts.authority.give({ account_id, email: grace });
});
// Letters are limited by the hour.
beforeEach(() => served.clock.advance(3600_000));
afterAll(() => served.close());

const at = (path: string) => `${served.base_url}/api/v1${path}`;

/** The cookies that an answer sets, as a browser sends them back. */
const cookiesOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

async function post(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(at(path), {
    method: "POST",
    headers: { "content-type": "application/json", origin: OWN, ...headers },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown> & { error?: { code: string } };
  return { status: response.status, answer, cookie: cookiesOf(response), code: answer.error?.code };
}

/** Posts a page's form. */
async function press(path: string, form: Record<string, string>, cookie = "") {
  const response = await fetch(at(path), {
    method: "POST",
    headers: { accept: "text/html", origin: OWN, cookie },
    body: new URLSearchParams(form),
  });
  return { response, text: await response.text(), cookie: cookiesOf(response) };
}

async function ask(): Promise<string> {
  await post("/recover", { email: grace });
  await served.work();
  const sent = served.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(grace));
  const text = new TextDecoder().decode(sent?.raw).replace(/=\r\n/g, "").replace(/=3D/g, "=");
  return /recover\/confirm\?token=(\w+)/.exec(text)?.[1] ?? "";
}

async function signIn(): Promise<string> {
  const { cookie } = await post("/owners/session/start", { email: grace });
  await served.work();
  const code = served.codeFor(grace);
  return (await post("/owners/session", { email: grace, code }, { cookie })).cookie;
}

const keyCount = async () => (await account.as.keys.list({})).data.length;

describe("recovery over HTTP", () => {
  test("answers every address alike", async () => {
    for (const email of [grace, "nobody@example.net"]) {
      const { status, answer } = await post("/recover", { email });
      expect([status, Object.keys(answer), answer["object"]]).toEqual([
        200,
        ["object", "expires_at"],
        "recovery",
      ]);
    }
  });

  test("makes a key of a link and a session's cookie, from this site alone", async () => {
    const token = await ask();
    const cookie = await signIn();
    const before = await keyCount();
    expect(await post("/recover/confirm", { token })).toMatchObject({
      status: 401,
      code: "session_required",
    });
    expect(
      await post("/recover/confirm", { token }, { cookie, origin: "https://evil.example" }),
    ).toMatchObject({ status: 403, code: "cross_site_request" });
    const key = { authorization: `Bearer ${account.api_key}` };
    expect(await post("/recover/confirm", { token }, key)).toMatchObject({ status: 403, code: "owner_only" });
    expect(await post("/recover", { email: grace }, key)).toMatchObject({ status: 403, code: "owner_only" });
    expect(await keyCount()).toBe(before);
    const { answer } = await post("/recover/confirm", { token }, { cookie });
    const me = await fetch(at("/me"), { headers: { authorization: `Bearer ${String(answer["api_key"])}` } });
    expect(await me.json()).toMatchObject({ account_id: account.account_id });
  });

  test("shows a page that no cache keeps; opening it, twice too, changes nothing", async () => {
    const token = await ask();
    const before = await keyCount();
    for (const method of ["HEAD", "GET", "GET"]) {
      const headers = { accept: "text/html" };
      const page = await fetch(at(`/recover/confirm?token=${token}`), { method, headers });
      expect([page.status, page.headers.get("cache-control"), page.headers.getSetCookie()]).toEqual([
        200,
        "no-store",
        [],
      ]);
      expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
    expect(await keyCount()).toBe(before);
    const shown = await fetch(at(`/recover/confirm?token=${token}`), {
      headers: { accept: "application/json" },
    });
    expect(await shown.json()).toMatchObject({ object: "recovery_review", email: grace });
  });

  test("asks for a code without a session, and with one that is too old; a thief of the link gets none", async () => {
    const token = await ask();
    const old = await signIn();
    await served.clock.advance(10 * 60_000);
    for (const cookie of ["", old]) {
      const { response, text } = await press("/recover/confirm", { token }, cookie);
      expect([response.status, text.includes('name="sign_in_code"')]).toEqual([200, true]);
    }
    const asked = await press("/recover/confirm", { token, revoke_others: "true" }, old);
    await served.work();
    const code = served.codeFor(grace);
    const wrong = code === "000000" ? "000001" : "000000";
    const before = await keyCount();
    const guessed = await press("/recover/confirm", { token, sign_in_code: wrong }, asked.cookie);
    expect(guessed.text).toContain('role="alert"');
    expect((await press("/recover/confirm", { token, sign_in_code: code })).text).toContain('role="alert"');
    expect(await keyCount()).toBe(before);
    const done = await press("/recover/confirm", { token, sign_in_code: code }, `${old}; ${asked.cookie}`);
    expect(done.text).toMatch(/<pre>ls_live_\w{40}<\/pre>/);
    expect(done.response.headers.get("cache-control")).toBe("no-store");
    const again = await press("/recover/confirm", { token }, done.cookie);
    expect([again.response.status, again.text.includes("This link was already used")]).toEqual([400, true]);
  });

  test("writes what an agent named its key as text", async () => {
    await account.as.keys.create({ name: '<img src=x onerror="alert(1)">' });
    const page = await fetch(at(`/recover/confirm?token=${await ask()}`), {
      headers: { accept: "text/html" },
    });
    const text = await page.text();
    expect(text).not.toContain("<img");
    expect(text).toContain("&lt;img src=x");
  });
});
