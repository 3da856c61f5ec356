import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OAUTH_DEFAULT_SCOPE } from "../packages/core/internal/index.ts";
import { type OAuthWorld, startOAuthWorld } from "../packages/server/testing/oauth-world.ts";
import { openAccount, signInToConnect } from "./support/consent.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@example.com";
const HEIDI = "heidi@example.org";
const SEND = "Send email from the inbox's address";
const wordsOf = (scope: unknown): string[] => String(scope).split(" ").sort();
const ALL = wordsOf(OAUTH_DEFAULT_SCOPE);
/** Nothing listens there: the browser's address bar is enough. */
const CALLBACK = "http://127.0.0.1:9/callback";

let world: OAuthWorld;
let browser: PhoneBrowser;

beforeAll(async () => {
  [world, browser] = await Promise.all([startOAuthWorld(), startPhoneBrowser()]);
}, 180_000);
afterAll(async () => {
  await Promise.all([world?.close(), browser?.close()]);
});

/**
 * The stored state of an MCP client, and the URLs it sends its user to; `described_at` is the URL of its own
 * description, if it has one.
 */
function createProvider(described_at?: string) {
  const kept: { client?: object; tokens?: object; discovery?: object; verifier?: string; urls: URL[] } = {
    urls: [],
  };
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    ...(described_at === undefined ? {} : { clientMetadataUrl: described_at }),
    clientMetadata: { client_name: "Model inspector", redirect_uris: [CALLBACK], scope: "inbox_read" },
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => void (kept.client = client),
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    redirectToAuthorization: (url) => void kept.urls.push(url),
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    saveDiscoveryState: (found) => void (kept.discovery = found),
    discoveryState: () => kept.discovery as never,
    codeVerifier: () => kept.verifier ?? "",
  };
  return { kept, provider };
}

/** Opens the URL that the client sends its user to, presses Allow, and returns the client's callback. */
async function allow(
  url: URL | undefined,
  prepare: (page: Awaited<ReturnType<PhoneBrowser["open"]>>) => Promise<void>,
) {
  const page = await browser.open(url?.href ?? "");
  await prepare(page);
  const called = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  const { searchParams } = new URL((await called).url());
  await page.context().close();
  return searchParams;
}

test("the official MCP client finds, registers and lets itself be let in, and steps up when a tool needs more", async () => {
  const { kept, provider } = createProvider();
  const connect = () =>
    new StreamableHTTPClientTransport(new URL(`${world.base_url}/mcp`), { authProvider: provider });
  const first = connect();
  await expect(new Client({ name: "inspector", version: "0" }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  const asked = kept.urls[0]?.searchParams;
  expect(asked?.get("resource")).toBe(`${world.base_url}/mcp`);
  expect(asked?.get("scope")).toBe(OAUTH_DEFAULT_SCOPE);
  expect(asked?.get("code_challenge_method")).toBe("S256");

  const answer = await allow(kept.urls[0], async (page) => {
    await signInToConnect(page, GRACE, world.codeFor);
    await openAccount(page, "ada");
    await page.getByLabel(SEND).uncheck();
  });
  expect(answer.get("iss")).toBe(world.base_url);
  await first.finishAuth(answer);
  expect(kept.tokens).toMatchObject({ token_type: "Bearer" });
  expect(wordsOf((kept.tokens as { scope?: string }).scope)).toEqual(
    ALL.filter((word) => word !== "message_send"),
  );

  const client = new Client({ name: "inspector", version: "0" });
  const second = connect();
  await client.connect(second);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.not.arrayContaining(["send_message"]));
  const inboxes = await client.callTool({ name: "list_inboxes", arguments: {} });
  const inbox_id = /inb_[0-9a-z]+/.exec(JSON.stringify(inboxes.content))?.[0];
  const mail = { inbox_id, to: [GRACE], subject: "Hello", text: "Sent by an app.", request_id: "r1" };
  const send = () => client.callTool({ name: "send_message", arguments: mail });
  await expect(send()).rejects.toThrow(UnauthorizedError);
  expect(wordsOf(kept.urls[1]?.searchParams.get("scope"))).toEqual(ALL);
  const stepped = await allow(kept.urls[1], async (page) => {
    await signInToConnect(page, GRACE, world.codeFor);
    await page.getByLabel(SEND).waitFor();
  });
  await second.finishAuth(stepped);
  const sent = await send();
  expect(sent.isError).not.toBe(true);
  expect(sent.structuredContent).toMatchObject({ id: expect.stringMatching(/^msg_/) });
  await client.close();

  const { access_token } = kept.tokens as { access_token: string };
  const api = await fetch(`${world.base_url}/api/v1/inboxes`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  expect([api.status, api.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining(
      `resource_metadata="${world.base_url}/.well-known/oauth-protected-resource/api/v1"`,
    ),
  ]);
}, 120_000);

test("the official MCP client is let in by the address of its description, without registering", async () => {
  const client_id = "https://inspector.example/client.json";
  const description = { client_id, client_name: "Described inspector", redirect_uris: [CALLBACK] };
  world.receivers.documents.set(client_id, JSON.stringify(description));
  const { kept, provider } = createProvider(client_id);
  const connect = () =>
    new StreamableHTTPClientTransport(new URL(`${world.base_url}/mcp`), { authProvider: provider });
  const first = connect();
  await expect(new Client({ name: "inspector", version: "0" }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  expect(kept.urls[0]?.searchParams.get("client_id")).toBe(client_id);
  const answer = await allow(kept.urls[0], async (page) => {
    await signInToConnect(page, HEIDI, world.codeFor);
    await openAccount(page, "bea");
    expect(await page.textContent("main")).toContain("Described inspector");
  });
  await first.finishAuth(answer);
  const client = new Client({ name: "inspector", version: "0" });
  await client.connect(connect());
  await client.close();
  const { storage } = world.letterslot.services;
  expect(await storage.find("oauth_clients", { where: { id: client_id }, limit: 1 })).toEqual([]);
  const grants = await storage.find("oauth_grants", { where: { client_id }, limit: 2 });
  expect(grants).toMatchObject([{ client_id, client_name: "Described inspector", given_by: HEIDI }]);
  expect(wordsOf(grants[0]?.scope.join(" "))).toEqual(ALL);
}, 120_000);
