// A web app in which a person connects an inbox: they sign in at the service, choose the inbox and what the app
// may do, and no API key is copied. Run it beside a service, and open the address that it prints:
//   LETTERSLOT_URL=http://localhost:8025 node index.ts
import { serve } from "@hono/node-server";
import { createClient, LetterslotApiError } from "@letterslot/client";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import * as oauth from "openid-client";

const service = process.env["LETTERSLOT_URL"] ?? "http://localhost:8025";
const port = Number(process.env["PORT"] ?? 4001);
const origin = `http://127.0.0.1:${port}`;
const redirect_uri = `${origin}/callback`;

// A real app registers once and stores its client_id: a client that nobody uses is deleted after a day.
const metadata = {
  client_name: "Newest mail",
  redirect_uris: [redirect_uri],
  token_endpoint_auth_method: "none",
};
const config = await oauth.dynamicClientRegistration(new URL(service), metadata, oauth.None(), {
  algorithm: "oauth2",
  // OAuth insists on https; a service on this machine may do without.
  execute: service.startsWith("http:") ? [oauth.allowInsecureRequests] : [],
});

/** The login state and tokens of each browser, by its cookie. A real app keeps tokens encrypted in its database. */
const browsers = new Map<string, { state: string; verifier: string; access_token?: string }>();
const browserOf = (c: Context) => browsers.get(getCookie(c, "app") ?? "");

const app = new Hono();

// Sends the browser to the service, which asks the person.
app.get("/connect", async (c) => {
  const [id, state, verifier] = [oauth.randomState(), oauth.randomState(), oauth.randomPKCECodeVerifier()];
  browsers.set(id, { state, verifier });
  setCookie(c, "app", id, { httpOnly: true, sameSite: "Lax" });
  const url = oauth.buildAuthorizationUrl(config, {
    redirect_uri,
    scope: "inbox_read message_read",
    resource: `${service}/api/v1`,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return c.redirect(url.href);
});

// Takes the answer: its code becomes a token that lasts an hour, and a refresh token that renews it.
app.get("/callback", async (c) => {
  const browser = browserOf(c);
  if (browser === undefined) return c.text("Begin at /connect, in this browser.", 400);
  if (c.req.query("error") === "access_denied") return c.text("You did not allow it.");
  const { state, verifier } = browser;
  const checks = { expectedState: state, pkceCodeVerifier: verifier };
  const tokens = await oauth.authorizationCodeGrant(config, c.req.raw, checks, {
    resource: `${service}/api/v1`,
  });
  browser.access_token = tokens.access_token;
  return c.redirect("/");
});

// Shows the newest mail of each inbox that the app may read.
app.get("/", async (c) => {
  const api_key = browserOf(c)?.access_token;
  if (api_key === undefined) return c.html('<a href="/connect">Connect an inbox</a>');
  const mail = createClient({ baseUrl: service, apiKey: api_key });
  try {
    const { data } = await mail.inboxes.list();
    const lines = data.map(async ({ id, email }) => {
      const [newest] = (await mail.messages.list({ inbox_id: id, limit: 1 })).data;
      return `${email}: ${newest?.subject ?? "no mail yet"}`;
    });
    return c.text((await Promise.all(lines)).join("\n"));
  } catch (error) {
    if (error instanceof LetterslotApiError && error.status === 401) return c.text("No longer connected.");
    throw error;
  }
});

serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => console.log(`listening on ${origin}`));
