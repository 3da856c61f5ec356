import { beforeAll, describe, expect, test } from "vitest";
import { createTestService, type TestService } from "../../packages/core/testing/index.ts";
import { createOAuth } from "../../packages/oauth/src/index.ts";
import { createApp } from "../../packages/server/src/http/app.ts";
import { copyFurnished, type Furnished } from "../support/furnished-account.ts";

const OWN = "http://letterslot.test";
const GRACE = "grace@example.com";
const SECRET = "an-operator-secret-of-enough-length";
const OUTSIDE = new Set(["/oauth/token", "/oauth/revoke", "/oauth/register", "/mcp"]);

/** The headers of browsers for a request by a page of another origin; older ones only name the origin. */
const CROSS_SITE: Record<string, string>[] = [
  { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
  { "sec-fetch-site": "same-site", origin: "http://other.letterslot.test" },
  { "sec-fetch-site": "none", "sec-fetch-dest": "document" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { "sec-fetch-dest": "document" },
  { "sec-fetch-site": "cross-site", origin: OWN },
];
const OWN_PAGE = { "sec-fetch-site": "same-origin", origin: OWN };

type App = ReturnType<typeof createApp>;

interface World {
  service: TestService;
  account: Furnished;
  app: App;
  /** The page of an authorization request, and the cookies of the browser that began it. */
  consent: string;
  cookie: string;
  /** The secrets of letters that were seen in a mail, so that their pages ask for a code, by path. */
  tokens: Map<string, { token: string; email: string }>;
  challenges: Map<string, Promise<{ challenge: string; code: string }>>;
}

async function startWorld(addRoutes: (app: App, service: TestService) => void = () => {}): Promise<World> {
  const service = createTestService({ baseUrl: OWN });
  const { letterslot } = service;
  const account = await copyFurnished(service);
  const { account_id } = account;
  await letterslot.operator.accounts.authority.give({ account_id, email: GRACE });
  const app = createApp({
    ...{ letterslot, oauth: createOAuth(letterslot), inboundSecret: SECRET, cronSecret: SECRET },
    ...{
      capturedMail: { list: async () => [], read: async () => undefined },
      phoneSimulator: service.phone,
    },
  });
  addRoutes(app, service);
  const registered = await app.request(`${OWN}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ redirect_uris: ["https://app.example/done"] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri: "https://app.example/done", response_type: "code" },
    ...{ code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
  });
  const asked = await app.request(`${OWN}/oauth/authorize?${query.toString()}`);
  const cookie = asked.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  await letterslot.as({ type: "public", ip: null }).recovery.start({ email: GRACE });
  await service.work();
  const letter = new TextDecoder().decode(service.transport.sent.at(-1)?.raw).replace(/=\r\n/g, "");
  const recovery = /recover\/confirm\?token=(?:3D)?([\w-]+)/.exec(letter)?.[1] ?? "";
  const { storage } = letterslot.services;
  const struck = await storage.update(
    "letter_secrets",
    { account_id },
    { struck_at: service.clock.now().toISOString() },
  );
  const readerOf = (kind: string) => struck.find((secret) => secret.kind === kind)?.email ?? "";
  const tokens: World["tokens"] = new Map([
    ["/api/v1/owners/confirm", { token: account.confirm_token, email: account.pending }],
    ["/api/v1/owners/approve", { token: account.approve_token, email: readerOf("approve") }],
    ["/api/v1/owners/answer", { token: account.answer_token, email: readerOf("answer") }],
    ["/api/v1/owners/style", { token: account.style_token, email: readerOf("page") }],
    ["/api/v1/owners/unsubscribe", { token: account.unsubscribe_token, email: readerOf("unsubscribe") }],
    ["/api/v1/recover/confirm", { token: recovery, email: GRACE }],
  ]);
  return {
    service,
    account,
    app,
    consent: asked.headers.get("location") ?? "",
    cookie,
    tokens,
    challenges: new Map(),
  };
}

/** Every address that takes a method, once, as the router knows it. */
const routesOf = ({ app }: World, method: string) => [
  ...new Set(
    app.routes
      .filter((route) => [method, "ALL"].includes(route.method) && !route.path.includes("*"))
      .map(({ path }) => path),
  ),
];

function urlOf({ account, consent }: World, path: string): string {
  if (path === "/oauth/consent/:id") return consent;
  const known = account as unknown as Record<string, string>;
  return OWN + path.replace(/:([a-z_]+)/g, (_, field: string) => encodeURIComponent(known[field] ?? "x"));
}

/** The fields of every form, and of every JSON body that begins or finishes to sign somebody in. */
const fieldsFor = ({ account, tokens }: World, path: string, code: string | undefined) => {
  const { token, email } = tokens.get(path) ?? { token: undefined, email: GRACE };
  return {
    ...{ email, account_id: account.account_id, act: "sign_in", decision: "approve", value: "yes" },
    ...(token === undefined ? {} : { token }),
    ...(code === undefined ? {} : { code, sign_in_code: code }),
  };
};

/** Bodies that a page may send without asking the server first, and types that need a preflight. */
const BODIES: [string, (fields: Record<string, string>) => string][] = [
  ["application/x-www-form-urlencoded", (fields) => new URLSearchParams(fields).toString()],
  ["text/plain", (fields) => JSON.stringify(fields)],
  ["application/json", (fields) => JSON.stringify(fields)],
  // As JSON, the routes that sign in take no more than they know.
  [
    "application/json",
    ({ email = "", code }) => JSON.stringify(code === undefined ? { email } : { email, code }),
  ],
];

/** A challenge that a program got for the reader of a page, and its code; letters are limited, so one for each reader. */
function challengeFor({ service, tokens, challenges }: World, path: string) {
  const { email, token } = tokens.get(path) ?? { email: GRACE, token: undefined };
  const start = async () => {
    const { challenge } = await service.letterslot.startSession({ email, ip: null, letter: token });
    await service.work();
    return { challenge, code: service.codeFor(email) };
  };
  const known = challenges.get(email) ?? start();
  challenges.set(email, known);
  return known;
}

const stored = async ({ service }: World) => {
  const { storage } = service.letterslot.services;
  return [await storage.count("sessions", {}, 1_000), await storage.count("session_challenges", {}, 1_000)];
};

/** Posts everything to an address and returns the effects: cookies, and whether a session or a challenge was made. */
async function post(world: World, path: string, method: string, headers: Record<string, string>) {
  const proof = await challengeFor(world, path);
  const before = await stored(world);
  const made: string[] = [];
  for (const code of [undefined, proof.code])
    for (const [type, encode] of BODIES) {
      const cookie = `${world.cookie}; ls_challenge=${proof.challenge}`;
      const response = await world.app.request(urlOf(world, path), {
        ...{ method, body: encode(fieldsFor(world, path, code)) },
        headers: { ...headers, cookie, accept: "text/html", "content-type": type },
      });
      made.push(...response.headers.getSetCookie().map((line) => line.split("=")[0] ?? ""));
      await response.body?.cancel();
    }
  const [sessions = 0, challenges = 0] = before;
  const [sessions_now = 0, challenges_now = 0] = await stored(world);
  if (sessions_now > sessions) made.push("session");
  if (challenges_now > challenges) made.push("challenge");
  return made;
}

let world: World;
beforeAll(async () => {
  world = await startWorld();
});

describe("a page of another origin", () => {
  test.each(CROSS_SITE.map((headers) => [JSON.stringify(headers), headers] as const))(
    "that posts with %s gets no cookie, session or challenge out of any address",
    async (_, headers) => {
      const all = await startWorld();
      for (const method of headers === CROSS_SITE[0] ? ["POST", "PUT", "PATCH", "DELETE"] : ["POST"])
        for (const path of routesOf(all, method)) {
          expect({ method, path, made: await post(all, path, method, headers) }).toEqual({
            ...{ method, path },
            made: [],
          });
        }
    },
    120_000,
  );

  test("can't read with a GET what any cookie but the flow's own is set by", async () => {
    for (const path of routesOf(world, "GET")) {
      if (/stream|\/wait/.test(path)) continue;
      const response = await world.app.request(urlOf(world, path), { headers: CROSS_SITE[0] ?? {} });
      const names = response.headers.getSetCookie().map((line) => line.split("=")[0] ?? "");
      expect({ path, names: names.filter((name) => !name.startsWith("ls_oauth")) }).toEqual({
        path,
        names: [],
      });
      await response.body?.cancel();
    }
  });
});

describe("the proof", () => {
  /** Requests that sign in, or begin to: an address that is new here needs the guard. */
  const SIGN_IN = [
    "/api/v1/owners/session/start",
    "/api/v1/owners/session",
    "/api/v1/owners/sign-in",
    "/api/v1/owners/charge",
    "/api/v1/owners/pair",
    "/api/v1/owners/your-passkeys",
    "/oauth/consent/:id",
    "/api/v1/owners/confirm",
    "/api/v1/owners/approve",
    "/api/v1/owners/answer",
    "/api/v1/owners/style",
    "/api/v1/owners/unsubscribe",
    "/api/v1/recover/confirm",
  ];

  test("knows every address at which our own pages sign in, and its bodies do sign in there", async () => {
    const found: string[] = [];
    let own = await startWorld();
    for (const path of routesOf(world, "POST")) {
      if (OUTSIDE.has(path)) continue;
      if ((await post(own, path, "POST", OWN_PAGE)).length === 0) continue;
      found.push(path);
      own = await startWorld();
    }
    expect(found.toSorted()).toEqual(SIGN_IN.toSorted());
  }, 120_000);

  test("sees an address without the guard", async () => {
    const own = await startWorld((app, { letterslot }) => {
      app.post("/unguarded", async (c) => {
        const { email = "" } = Object.fromEntries(new URLSearchParams(await c.req.text()));
        if (email !== "") await letterslot.startSession({ email, ip: null });
        return c.json({});
      });
    });
    expect(routesOf(own, "POST")).toContain("/unguarded");
    expect(await post(own, "/unguarded", "POST", CROSS_SITE[0] ?? {})).toContain("challenge");
  });

  test("a program that is no browser signs in without any of these headers", async () => {
    const programs: Record<string, string>[] = [{}, { "sec-fetch-mode": "cors" }];
    for (const headers of programs) {
      const own = await startWorld();
      const made = await post(own, "/api/v1/owners/session", "POST", headers);
      expect(made).toContain("ls_session");
    }
  });
});
