import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const APP = "https://app.example.com";
const GRACE = "grace@example.com";

let served: Served;
let closed: Served;
let anywhere: Served;
let cookie: string;
let key: string;

beforeAll(async () => {
  served = await serve({ corsOrigins: [APP] });
  closed = await serve();
  anywhere = await serve({ corsOrigins: ["*"] });
  const account = await served.signUp("agent");
  key = account.api_key;
  await served.addOwner(account, GRACE);
  cookie = await signIn();
});
afterAll(() => Promise.all([served, closed, anywhere].map((server) => server.close())));

async function signIn(): Promise<string> {
  const post = (path: string, body: object, more: Record<string, string> = {}) =>
    fetch(`${served.base_url}/api/v1/owners/session${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "http://letterslot.test", ...more },
      body: JSON.stringify(body),
    });
  const pairs = (response: Response) =>
    response.headers
      .getSetCookie()
      .map((line) => line.split(";")[0] ?? "")
      .join("; ");
  const started = await post("/start", { email: GRACE });
  await served.work();
  const body = { email: GRACE, code: served.codeFor(GRACE) };
  return pairs(await post("", body, { cookie: pairs(started) }));
}

const get = (server: Served, headers: Record<string, string>, path = "/api/v1/me") =>
  fetch(`${server.base_url}${path}`, { headers });
const preflight = (server: Served, origin: string) =>
  fetch(`${server.base_url}/api/v1/inboxes`, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,idempotency-key",
    },
  });
const corsOf = (response: Response) =>
  Object.fromEntries([...response.headers].filter(([name]) => name.startsWith("access-control-")));

describe("a page of a configured origin", () => {
  test("may call with a key, and read answers and errors", async () => {
    const answer = await get(served, { origin: APP, authorization: `Bearer ${key}` });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(APP);
    expect(answer.headers.get("access-control-expose-headers")).toContain("idempotent-replayed");
    expect(answer.headers.get("vary")).toBe("Origin");
    const refused = await get(served, { origin: APP, authorization: "Bearer nobody" });
    expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([401, APP]);
  });

  test("is told so before it calls", async () => {
    const answer = await preflight(served, APP);
    expect([answer.status, corsOf(answer)]).toEqual([
      204,
      {
        "access-control-allow-origin": APP,
        "access-control-allow-methods": "GET, POST, PATCH, DELETE",
        "access-control-allow-headers":
          "authorization, content-type, idempotency-key, last-event-id, x-letterslot-workspace",
        "access-control-max-age": "600",
      },
    ]);
  });

  test("never has the owner's cookie", async () => {
    const session = "/api/v1/owners/session";
    expect((await get(served, { cookie }, session)).status).toBe(200);
    const answer = await get(served, { cookie, origin: APP }, session);
    expect([answer.status, answer.headers.get("access-control-allow-credentials")]).toEqual([401, null]);
    expect((await preflight(served, APP)).headers.has("access-control-allow-credentials")).toBe(false);
    const ended = await fetch(`${served.base_url}${session}`, {
      method: "DELETE",
      headers: { cookie, origin: APP },
    });
    expect(ended.status).toBe(403);
  });
});

describe("a page of another origin", () => {
  test("may read nothing", async () => {
    for (const origin of ["https://evil.example", "https://app.example.com.evil.example", "null"]) {
      const answer = await get(served, { origin, authorization: `Bearer ${key}` });
      expect([corsOf(answer), answer.headers.get("vary")]).toEqual([{}, "Origin"]);
      expect([(await preflight(served, origin)).status, corsOf(await preflight(served, origin))]).toEqual([
        405,
        {},
      ]);
    }
  });

  test("may read nothing anywhere without the setting, and anything with *", async () => {
    expect(corsOf(await get(closed, { origin: APP }))).toEqual({});
    expect((await preflight(closed, APP)).status).toBe(405);
    expect((await get(anywhere, { origin: APP })).headers.get("access-control-allow-origin")).toBe(APP);
  });
});
