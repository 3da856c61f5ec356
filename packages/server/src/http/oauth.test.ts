import { LIMITS, type Permission } from "@letterslot/core";
import type { OAuth } from "@letterslot/core/internal";
import type { TestAccount } from "@letterslot/core/testing";
import { createOAuth } from "@letterslot/oauth";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const grace = "grace@example.com";
const ISSUER = "http://letterslot.test";
const API = `${ISSUER}/api/v1`;
const MCP = `${ISSUER}/mcp`;
const CALLBACK = "http://127.0.0.1:8765/callback";

let served: Served;
let account: TestAccount;
/** Another process of the service, in which the person answers. */
let elsewhere: OAuth;
let as: oauth.AuthorizationServer;

beforeAll(async () => {
  served = await serve();
  account = await served.signUp("agent");
  await served.letterslot.operator.accounts.authority.give({ account_id: account.account_id, email: grace });
  elsewhere = createOAuth(served.letterslot);
  const found = await oauth.discoveryRequest(new URL(ISSUER), { algorithm: "oauth2", ...http });
  as = await oauth.processDiscoveryResponse(new URL(ISSUER), found);
});
// Registrations and requests are limited by the hour.
beforeEach(() => served.clock.advance(3600_000));
afterAll(() => served.close());

/** BASE_URL's host leads to the server under test; nothing is followed. */
const reach = (url: string, init: RequestInit = {}) =>
  fetch(url.replace(ISSUER, served.base_url), { redirect: "manual", ...init });
const http = {
  [oauth.customFetch]: (url: string, init: unknown) => reach(url, init as RequestInit),
  // oxlint-disable-next-line typescript/no-deprecated -- marked so because it is only for tests such as these
  [oauth.allowInsecureRequests]: true,
};

const person = { email: grace, session_id: null, ip: null };

async function register(metadata: Record<string, unknown> = {}) {
  const response = await reach(`${ISSUER}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Test app", redirect_uris: [CALLBACK], ...metadata }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

interface Asked {
  client_id: string;
  scope?: string;
  resource?: string;
  redirect_uri?: string;
  extra?: Record<string, string>;
}

/** Sends the browser to the authorization server, up to the consent page. */
async function ask({ client_id, scope, resource, redirect_uri = CALLBACK, extra = {} }: Asked) {
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(as.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    ...{ client_id, redirect_uri, response_type: "code", state: "state-1" },
    ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    ...(scope === undefined ? {} : { scope }),
    ...(resource === undefined ? {} : { resource }),
    ...extra,
  }).toString();
  const response = await reach(url.href);
  const cookies = response.headers.getSetCookie();
  const page = response.headers.get("location") ?? "";
  const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
  return { response, page, cookie, cookies, verifier, text: await response.text() };
}

/** The browser's request when the person is on the page. */
const onPage = ({ page, cookie }: { page: string; cookie: string }) =>
  new Request(page, { headers: { cookie } });

interface Given {
  inbox_id?: string | null;
  permissions?: Permission[];
}

/** The whole way to a code: the person lets the app in, and the browser returns to it. */
async function codeFor(asked: Asked, given: Given = {}) {
  const begun = await ask(asked);
  const { permissions } = await elsewhere.describe(onPage(begun));
  const choice = { account_id: account.account_id, inbox_id: null, permissions, ...given };
  const resumed = await elsewhere.allow(onPage(begun), person, choice);
  const back = await reach(resumed.headers.get("location") ?? "", { headers: { cookie: begun.cookie } });
  return { back: new URL(back.headers.get("location") ?? "about:blank"), verifier: begun.verifier, begun };
}

/** Exchanges a code as the client library does; it checks state and issuer. */
async function exchange(client_id: string, { back, verifier }: Awaited<ReturnType<typeof codeFor>>) {
  const client = { client_id };
  const parameters = oauth.validateAuthResponse(as, client, back, "state-1");
  const response = await oauth.authorizationCodeGrantRequest(
    ...([as, client, oauth.None(), parameters, CALLBACK, verifier, http] as const),
  );
  return oauth.processAuthorizationCodeResponse(as, client, response);
}

async function letIn(asked: Partial<Asked> = {}, given: Given = {}) {
  const client_id = asked.client_id ?? String((await register()).body["client_id"]);
  const tokens = await exchange(client_id, await codeFor({ resource: API, ...asked, client_id }, given));
  return { client_id, tokens };
}

/** A request to the token endpoint, as written. */
async function token(parameters: Record<string, string>) {
  const response = await reach(as.token_endpoint ?? "", {
    method: "POST",
    body: new URLSearchParams(parameters),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const refresh = (client_id: string, refresh_token = "") =>
  token({ grant_type: "refresh_token", client_id, refresh_token });

const call = (access_token: string, path = "/me") =>
  reach(`${API}${path}`, { headers: { authorization: `Bearer ${access_token}` } });

describe("the way of an app", () => {
  test("leads from discovery and registration to a token that works, is renewed, and is revoked", async () => {
    const { status, body } = await register({ token_endpoint_auth_method: "client_secret_basic" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: "none", redirect_uris: [CALLBACK] });
    expect(body).not.toHaveProperty("client_secret");
    const { client_id, tokens } = await letIn({
      client_id: String(body["client_id"]),
      scope: "message_read",
    });
    expect(tokens).toMatchObject({ token_type: "bearer", expires_in: 3600, scope: "message_read" });
    expect(tokens.access_token).toMatch(/^ls_oat_/);
    const me = await call(tokens.access_token);
    expect(await me.json()).toMatchObject({ account_id: account.account_id, auth_type: "oauth", key: null });

    const response = await oauth.refreshTokenGrantRequest(
      ...([as, { client_id }, oauth.None(), tokens.refresh_token ?? "", http] as const),
    );
    const renewed = await oauth.processRefreshTokenResponse(as, { client_id }, response);
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect((await call(renewed.access_token)).status).toBe(200);

    const revoked = await oauth.revocationRequest(
      ...([as, { client_id }, oauth.None(), renewed.refresh_token ?? "", http] as const),
    );
    await oauth.processRevocationResponse(revoked);
    expect((await call(renewed.access_token)).status).toBe(401);
    expect((await refresh(client_id, renewed.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
    await expect(account.as.grants.get({ client_id })).rejects.toMatchObject({ code: "grant_not_found" });
  });

  test("asks for the usual permissions unless it names others; unknown words and what no app holds are ignored", async () => {
    const client_id = String((await register()).body["client_id"]);
    const asked = async (scope?: string) =>
      (await elsewhere.describe(onPage(await ask({ client_id, ...(scope === undefined ? {} : { scope }) }))))
        .permissions;
    expect(await asked()).toEqual(await asked("openid profile offline_access"));
    expect(await asked()).toContain("message_send");
    expect(await asked("message_read key_write nonsense owner_manage")).toEqual(["message_read"]);
  });

  test("shows the person what the app calls itself, and where its answer goes", async () => {
    const client_id = String((await register()).body["client_id"]);
    expect(await elsewhere.describe(onPage(await ask({ client_id })))).toMatchObject({
      ...{ client_id, client_name: "Test app", redirect_uri: CALLBACK, redirect_host: "127.0.0.1" },
      resource: MCP,
    });
  });

  test("is asked every time, also in a browser that has just answered", async () => {
    const { client_id } = await letIn();
    const again = await ask({ client_id, resource: API });
    expect(again.page).toContain(`${ISSUER}/oauth/consent/`);
    const silent = await ask({ client_id, resource: API, extra: { prompt: "none" } });
    expect([silent.response.status, silent.page]).toEqual([400, ""]);
    expect(silent.text).toContain("consent_required");
  });

  test("ends where the person refuses", async () => {
    const client_id = String((await register()).body["client_id"]);
    const begun = await ask({ client_id });
    const resumed = await elsewhere.deny(onPage(begun));
    const back = await reach(resumed.headers.get("location") ?? "", { headers: { cookie: begun.cookie } });
    const { searchParams } = new URL(back.headers.get("location") ?? "");
    expect(Object.fromEntries(searchParams)).toMatchObject({
      error: "access_denied",
      state: "state-1",
      iss: ISSUER,
    });
    expect(searchParams.has("code")).toBe(false);
  });

  test("gives the app no more than it asked for and the person ticked, in the inbox that they chose", async () => {
    const inbox_id = account.inbox.id;
    const { tokens } = await letIn(
      { scope: "message_read message_send inbox_read" },
      { inbox_id, permissions: ["message_read"] },
    );
    expect(tokens.scope).toBe("message_read");
    const denied = await call(tokens.access_token, "/inboxes");
    expect(denied.status).toBe(403);
    expect(denied.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="inbox_read", resource_metadata="${ISSUER}/.well-known/oauth-protected-resource/api/v1"`,
    );
    const client_id = String((await register()).body["client_id"]);
    await expect(
      codeFor({ client_id, scope: "message_read" }, { permissions: ["message_send"] }),
    ).rejects.toMatchObject({ code: "permission_escalation" });
  });
});

describe("an answer of the person", () => {
  test("counts once, in the browser that began, for the request that it names, within an hour", async () => {
    const client_id = String((await register()).body["client_id"]);
    const begun = await ask({ client_id });
    const other = await ask({ client_id });
    const choice = { account_id: account.account_id, inbox_id: null, permissions: ["message_read" as const] };
    const expired = { code: "authorization_expired" };
    const elsewhereBegun = { page: begun.page, cookie: other.cookie };
    await expect(elsewhere.allow(onPage({ ...begun, cookie: "" }), person, choice)).rejects.toMatchObject(
      expired,
    );
    await expect(elsewhere.allow(onPage(elsewhereBegun), person, choice)).rejects.toMatchObject(expired);
    const answers = await Promise.allSettled(
      [1, 2].map(() => elsewhere.allow(onPage(begun), person, choice)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(elsewhere.deny(onPage(begun))).rejects.toMatchObject(expired);
    await served.clock.advance(LIMITS.oauth_authorization_ms);
    await expect(elsewhere.allow(onPage(other), person, choice)).rejects.toMatchObject(expired);
  });

  test("that fails can be given again", async () => {
    const client_id = String((await register()).body["client_id"]);
    const begun = await ask({ client_id });
    const choice = {
      account_id: account.account_id,
      inbox_id: "inb_none",
      permissions: ["message_read" as const],
    };
    await expect(elsewhere.allow(onPage(begun), person, choice)).rejects.toMatchObject({
      code: "inbox_not_found",
    });
    expect((await elsewhere.allow(onPage(begun), person, { ...choice, inbox_id: null })).status).toBe(303);
  });
});

describe("a code", () => {
  const spend = async (change: Record<string, string> = {}) => {
    const client_id = String((await register()).body["client_id"]);
    const { back, verifier } = await codeFor({ client_id, resource: API });
    const code = back.searchParams.get("code") ?? "";
    const whole = { grant_type: "authorization_code", client_id, code, redirect_uri: CALLBACK };
    return { first: await token({ ...whole, code_verifier: verifier, ...change }), whole, verifier };
  };

  test.each<[string, Record<string, string>, string]>([
    ["with another verifier", { code_verifier: "x".repeat(43) }, "invalid_grant"],
    ["without a verifier", { code_verifier: "" }, "invalid_grant"],
    ["with another redirect URI", { redirect_uri: "http://127.0.0.1:8766/callback" }, "invalid_grant"],
    ["with another resource", { resource: MCP }, "invalid_target"],
    ["by another client", { client_id: "cli_other" }, "invalid_client"],
    ["that nobody issued", { code: "made-up" }, "invalid_grant"],
  ])("is worth nothing %s", async (_name, change, error) => {
    expect((await spend(change)).first.body).toMatchObject({ error });
  });

  test.each([
    ["a slash at its end", `${MCP}/`],
    ["the server as a whole", ISSUER],
    ["the server as a whole, with a slash", `${ISSUER}/`],
    ["capitals in its host", MCP.replace("letterslot.test", "LETTERSLOT.Test")],
  ])("for the MCP server by a URL with %s is good for it, named so again or not", async (_name, resource) => {
    const client_id = String((await register()).body["client_id"]);
    for (const again of [{}, { resource }, { resource: MCP }]) {
      const { back, verifier } = await codeFor({ client_id, resource });
      const code = back.searchParams.get("code") ?? "";
      const whole = { grant_type: "authorization_code", client_id, code, redirect_uri: CALLBACK };
      const { status, body } = await token({ ...whole, code_verifier: verifier, ...again });
      expect(status).toBe(200);
      const caller = await served.letterslot.authenticate(body["access_token"] ?? "", null, "/mcp");
      expect(caller).toMatchObject({ type: "app" });
      const renewed = await token({
        ...{ grant_type: "refresh_token", client_id, refresh_token: body["refresh_token"] ?? "" },
        ...again,
      });
      expect(renewed.status).toBe(200);
    }
  });

  test.each([
    `${MCP}//`,
    `${MCP}/x`,
    `${MCP}?x=y`,
    `${MCP}#x`,
    `${ISSUER}/other`,
    MCP.replace("//", "//u:p@"),
    "mcp",
  ])("for %s is refused", async (resource) => {
    const client_id = String((await register()).body["client_id"]);
    const { response, page } = await ask({ client_id, resource });
    expect({ status: response.status, page }).toEqual({ status: 400, page: "" });
  });

  test("works once; used again it ends what it gave", async () => {
    const { first, whole, verifier } = await spend();
    expect(first.status).toBe(200);
    expect((await token({ ...whole, code_verifier: verifier })).body).toMatchObject({
      error: "invalid_grant",
    });
    expect((await call(first.body["access_token"] ?? "")).status).toBe(401);
  });

  test("ends after a minute", async () => {
    const client_id = String((await register()).body["client_id"]);
    const flow = await codeFor({ client_id, resource: API });
    await served.clock.advance(LIMITS.oauth_code_ms);
    await expect(exchange(client_id, flow)).rejects.toMatchObject({ error: "invalid_grant" });
  });
});

describe("a token", () => {
  test("is good for one resource; the other refuses it", async () => {
    const { tokens } = await letIn({ resource: MCP });
    const refused = await call(tokens.access_token);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("www-authenticate")).toMatch(
      /^Bearer resource_metadata="http:\/\/letterslot\.test\/\.well-known\/oauth-protected-resource\/api\/v1", scope="inbox_read /,
    );
    expect(await served.letterslot.authenticate(tokens.access_token, null, "/mcp")).toMatchObject({
      type: "app",
    });
  });

  test("ends after an hour, and its refresh token after 30 days without use", async () => {
    const { client_id, tokens } = await letIn();
    await served.clock.advance(LIMITS.oauth_access_token_ms);
    expect((await call(tokens.access_token)).status).toBe(401);
    await served.clock.advance(LIMITS.oauth_refresh_token_ms - LIMITS.oauth_access_token_ms - 1);
    const renewed = await refresh(client_id, tokens.refresh_token);
    expect(renewed.status).toBe(200);
    await served.clock.advance(LIMITS.oauth_refresh_token_ms);
    expect((await refresh(client_id, renewed.body["refresh_token"])).body).toMatchObject({
      error: "invalid_grant",
    });
  });

  test("refreshed twice at once is renewed once, and the grant goes on", async () => {
    const { client_id, tokens } = await letIn();
    const answers = await Promise.all([1, 2, 3].map(() => refresh(client_id, tokens.refresh_token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const won = answers.find(({ status }) => status === 200);
    expect((await call(won?.body["access_token"] ?? "")).status).toBe(200);
    await served.clock.advance(LIMITS.oauth_reuse_grace_ms - 1);
    expect((await refresh(client_id, tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
    expect((await call(won?.body["access_token"] ?? "")).status).toBe(200);
  });

  test("that was replaced ends the grant when it comes back later", async () => {
    const { client_id, tokens } = await letIn();
    const { body } = await refresh(client_id, tokens.refresh_token);
    await served.clock.advance(LIMITS.oauth_reuse_grace_ms);
    expect((await refresh(client_id, tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
    expect((await call(body["access_token"] ?? "")).status).toBe(401);
    expect((await refresh(client_id, body["refresh_token"])).body).toMatchObject({ error: "invalid_grant" });
  });

  test("ends with its grant, also by a client id that is encoded in the path", async () => {
    const { client_id, tokens } = await letIn();
    const response = await reach(`${API}/oauth/grants/${encodeURIComponent(client_id)}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${account.api_key}` },
    });
    expect(await response.json()).toMatchObject({ deleted: true, tokens_revoked: 2 });
    expect((await call(tokens.access_token)).status).toBe(401);
    expect((await refresh(client_id, tokens.refresh_token)).body).toMatchObject({ error: "invalid_grant" });
  });

  test("is stored nowhere, nor is a code: only hashes and what is sealed", async () => {
    const { tokens } = await letIn();
    const { storage } = served.letterslot.services;
    const records = await storage.find("oauth_records", { where: { grant_id: { not: null } }, limit: 1_000 });
    const text = JSON.stringify([records, await storage.find("oauth_grants", { where: {}, limit: 1_000 })]);
    for (const secret of [tokens.access_token, tokens.refresh_token ?? ""])
      expect(text).not.toContain(secret);
    expect(records.length).toBeGreaterThan(0);
  });
});

describe("a request for access", () => {
  test.each<[string, Partial<Asked>]>([
    ["of an app that isn't registered", { client_id: "cli_nobody" }],
    ["with a redirect URI that isn't registered", { redirect_uri: "http://127.0.0.1:8765/elsewhere" }],
  ])("%s is answered to the person, not to the app", async (_name, change) => {
    const client_id = String((await register()).body["client_id"]);
    const { response, page, text } = await ask({ client_id, ...change });
    expect({ status: response.status, page }).toEqual({ status: 400, page: "" });
    expect(text).toMatch(/invalid_(client|redirect_uri)/);
  });

  test.each<[string, Record<string, string>, string]>([
    ["without PKCE", { code_challenge: "", code_challenge_method: "" }, "invalid_request"],
    ["with a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["for a token instead of a code", { response_type: "token" }, "unsupported_response_type"],
    ["for a resource that isn't here", { resource: "https://other.example/mcp" }, "invalid_target"],
    [
      "without PKCE, as a form that posts itself",
      { code_challenge: "", response_mode: "form_post" },
      "invalid_request",
    ],
    ["with an unknown response mode", { response_mode: "elsewhere" }, "unsupported_response_mode"],
    ["that nobody is to be asked for", { prompt: "none" }, "consent_required"],
  ])(
    "%s leads nowhere before a person has answered: a page says what is wrong",
    async (_name, extra, error) => {
      const client_id = String((await register()).body["client_id"]);
      const { response, page, text, cookies } = await ask({ client_id, extra });
      expect([response.status, page, cookies]).toEqual([400, "", []]);
      expect(response.headers.get("content-type")).toMatch(/^text\/html/);
      expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(text).toContain(`(${error}`);
      expect(text).not.toContain(CALLBACK);
    },
  );

  test("begins with a cookie of its own, so that two tabs don't disturb each other", async () => {
    const client_id = String((await register()).body["client_id"]);
    const [one, other] = [await ask({ client_id }), await ask({ client_id })];
    for (const { cookies, page } of [one, other]) {
      const id = page.split("/").at(-1);
      expect(cookies).toEqual([`ls_oauth.${id}=1; Path=/; Max-Age=3600; HttpOnly; SameSite=Lax`]);
    }
    const cookie = `${one.cookie}; ${other.cookie}`;
    for (const { page } of [one, other]) {
      const resumed = await elsewhere.deny(new Request(page, { headers: { cookie } }));
      const back = await reach(resumed.headers.get("location") ?? "", { headers: { cookie } });
      expect(back.headers.get("location")).toContain("error=access_denied");
      expect(back.headers.getSetCookie()).toEqual([
        `ls_oauth.${page.split("/").at(-1)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      ]);
    }
    const strange = new Request(one.page, { headers: { cookie: other.cookie } });
    await expect(elsewhere.describe(strange)).rejects.toMatchObject({ code: "authorization_expired" });
  });

  test("over https has its cookie kept to this host; a browser that begins many gives up the oldest", async () => {
    const secure = await serve({ config: { baseUrl: "https://mail.example" } });
    const there = (path: string, init: RequestInit) =>
      fetch(`${secure.base_url}${path}`, { redirect: "manual", ...init });
    const made = await there("/oauth/register", {
      ...{ method: "POST", body: JSON.stringify({ redirect_uris: ["https://app.example/done"] }) },
      headers: { "content-type": "application/json" },
    });
    const { client_id } = (await made.json()) as { client_id: string };
    const query = new URLSearchParams({
      ...{ client_id, redirect_uri: "https://app.example/done", response_type: "code" },
      ...{ code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" },
    });
    const jar = Array.from({ length: 12 }, (_, n) => `__Host-ls_oauth.old-${n}=1`).join("; ");
    const asked = await there(`/oauth/authorize?${query.toString()}`, { headers: { cookie: jar } });
    const cookies = asked.headers.getSetCookie();
    expect(cookies.at(-1)).toMatch(
      /^__Host-ls_oauth\.[\w-]+=1; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(cookies.slice(0, -1).map((line) => line.split("=")[0])).toEqual(
      [0, 1, 2].map((n) => `__Host-ls_oauth.old-${n}`),
    );
    const cookie = cookies.at(-1)?.split(";")[0] ?? "";
    const page = new URL(asked.headers.get("location") ?? "").pathname;
    const origin = "https://mail.example";
    const denied = await there(page, {
      ...{ method: "POST", headers: { cookie, origin }, body: new URLSearchParams({ act: "deny" }) },
    });
    const back = await there(new URL(denied.headers.get("location") ?? "").pathname, { headers: { cookie } });
    expect(back.headers.get("location")).toMatch(/^https:\/\/app\.example\/done\?error=access_denied/);
    // Without the prefix it is a cookie that a neighbouring host may have set.
    const other = await there(page, { headers: { cookie: cookie.replace("__Host-", "") } });
    expect(other.status).toBe(400);
    await secure.close();
  });

  test("may use another port of the person's own machine than was registered", async () => {
    const client_id = String((await register()).body["client_id"]);
    const { page } = await ask({ client_id, redirect_uri: "http://127.0.0.1:43210/callback" });
    expect(page).toContain("/oauth/consent/");
  });
});

describe("registration", () => {
  test.each<[string, unknown, string]>([
    ["http on another machine", ["http://app.example/done"], "invalid_redirect_uri"],
    ["a fragment", ["https://app.example/done#x"], "invalid_redirect_uri"],
    ["a script", ["javascript:alert(1)"], "invalid_redirect_uri"],
    ["data", ["data:text/html,x"], "invalid_redirect_uri"],
    ["a scheme without a dot", ["myapp://done"], "invalid_redirect_uri"],
    ["a user name", ["https://a:b@app.example/done"], "invalid_redirect_uri"],
    ["none", [], "invalid_redirect_uri"],
    ["no list", "https://app.example/done", "invalid_redirect_uri"],
    ["too many", Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`), "invalid_redirect_uri"],
    ["one good and one bad", ["https://app.example/done", "http://app.example/"], "invalid_redirect_uri"],
  ])("with redirect URIs of %s is refused", async (_name, redirect_uris, error) => {
    expect(await register({ redirect_uris })).toMatchObject({ status: 400, body: { error } });
  });

  test.each<[string, string, string]>([
    ["a website", "https://app.example/done", "web"],
    ["the person's own machine", "http://localhost:1/done", "native"],
    ["a program's scheme", "com.example.app:/done", "native"],
    ["an editor", "cursor://anysphere.cursor-retrieval/oauth", "native"],
  ])("takes the address of %s", async (_name, uri, application_type) => {
    expect(await register({ redirect_uris: [uri] })).toMatchObject({
      status: 201,
      body: { application_type },
    });
  });

  test("takes no name with line breaks, and no body that isn't an object", async () => {
    const error = "invalid_client_metadata";
    expect(await register({ client_name: "A\nB" })).toMatchObject({ status: 400, body: { error } });
    const response = await reach(`${ISSUER}/oauth/register`, { method: "POST", body: "[]" });
    expect(await response.json()).toMatchObject({ error });
  });

  test("is limited to 20 an hour for one address", async () => {
    for (let n = 0; n < LIMITS.oauth_registrations_per_hour; n++) expect((await register()).status).toBe(201);
    expect((await register()).status).toBe(429);
  });

  test("without a grant is over after a day", async () => {
    const client_id = String((await register()).body["client_id"]);
    await served.clock.advance(LIMITS.oauth_unused_client_kept_ms);
    expect((await ask({ client_id })).response.status).toBe(400);
  });
});

describe("an app whose client id is the address of its description", () => {
  const client_id = "https://app.example/client.json";
  test("is let in without registration", async () => {
    const description = { client_id, client_name: "By address", redirect_uris: [CALLBACK] };
    served.receivers.documents.set(client_id, JSON.stringify(description));
    const { tokens } = await letIn({ client_id, scope: "message_read" });
    expect((await call(tokens.access_token)).status).toBe(200);
    const path = `/oauth/grants/${encodeURIComponent(client_id)}`;
    const row = await reach(`${API}${path}`, { headers: { authorization: `Bearer ${account.api_key}` } });
    expect(await row.json()).toMatchObject({ client_id, client_name: "By address", active_tokens: 2 });
  });

  test.each<[string, Record<string, unknown>]>([
    ["names another client id", { client_id: "https://app.example/other", redirect_uris: [CALLBACK] }],
    ["has a redirect URI that no app can have", { redirect_uris: ["http://app.example/done"] }],
    ["has none", {}],
  ])("is refused when the description %s", async (name, document) => {
    const address = `https://bad.example/${encodeURIComponent(name)}`;
    served.receivers.documents.set(address, JSON.stringify({ client_id: address, ...document }));
    const { response, text } = await ask({ client_id: address });
    expect(response.status).toBe(400);
    expect(text).toContain("invalid_client");
  });

  test("is refused when there is no description", async () => {
    expect((await ask({ client_id: "https://missing.example/client" })).response.status).toBe(400);
  });
});

describe("what the server says of itself", () => {
  test("names every endpoint, PKCE and public clients", () => {
    expect(as).toMatchObject({
      issuer: ISSUER,
      code_challenge_methods_supported: ["S256"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
  });

  test.each([
    ["/mcp", MCP],
    ["/api/v1", API],
  ])("names the resource %s, and whose tokens it takes", async (path, resource) => {
    const response = await oauth.resourceDiscoveryRequest(new URL(resource), http);
    expect(await oauth.processResourceDiscoveryResponse(new URL(resource), response)).toMatchObject({
      resource,
      authorization_servers: [ISSUER],
    });
    expect(path).toBe(new URL(resource).pathname);
  });

  test("is at the place before the path of BASE_URL too", async () => {
    const mounted = await serve({ config: { baseUrl: "http://letterslot.test/mail" } });
    const at = async (path: string) => (await fetch(`${mounted.base_url}${path}`)).json();
    expect(await at("/.well-known/oauth-authorization-server/mail")).toMatchObject({
      issuer: `${ISSUER}/mail`,
    });
    expect(await at("/.well-known/oauth-protected-resource/mail/mcp")).toMatchObject({
      resource: `${ISSUER}/mail/mcp`,
    });
    await mounted.close();
  });
});
