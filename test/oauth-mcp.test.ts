import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Caller, type Letterslot, LetterslotError } from "../packages/core/src/index.ts";
import { type OAuthWorld, startOAuthWorld } from "../packages/server/testing/oauth-world.ts";
import { openAccount, signInToConnect } from "./support/consent.ts";
import { type PhoneBrowser, startPhoneBrowser } from "./support/phone-browser.ts";

const GRACE = "grace@example.com";
const HEIDI = "heidi@example.org";
/** Nobody listens there: the browser's address bar is enough. */
const CALLBACK = "http://127.0.0.1:9/callback";
const METADATA = "/.well-known/oauth-protected-resource/mcp";

let world: OAuthWorld;
let browser: PhoneBrowser;

beforeAll(async () => {
  [world, browser] = await Promise.all([startOAuthWorld(answerMcp), startPhoneBrowser()]);
}, 180_000);
afterAll(async () => {
  await Promise.all([world?.close(), browser?.close()]);
});

/** The least of an MCP server: it answers 401 with its metadata, and has a tool that needs message_send. */
async function answerMcp(request: Request, letterslot: Letterslot): Promise<Response> {
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const { base_url } = letterslot.services.options;
  const challenge = (status: 401 | 403, words: string) =>
    new Response(null, {
      status,
      headers: { "www-authenticate": `Bearer ${words}resource_metadata="${base_url}${METADATA}"` },
    });
  const token = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1];
  if (token === undefined) return challenge(401, 'scope="inbox_read", ');
  let caller: Caller;
  try {
    caller = await letterslot.authenticate(token, null, "/mcp");
  } catch (error) {
    if (error instanceof LetterslotError) return challenge(401, 'error="invalid_token", ');
    throw error;
  }
  const { id, method } = (await request.json()) as { id?: number; method: string };
  if (id === undefined) return new Response(null, { status: 202 });
  const allowed = caller.type === "app" && caller.permissions?.includes("message_send") === true;
  if (method === "tools/call" && !allowed)
    return challenge(403, 'error="insufficient_scope", scope="message_send", ');
  return Response.json({ jsonrpc: "2.0", id, result: RESULTS[method] ?? {} });
}

const RESULTS: Record<string, object> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "letterslot", version: "0" },
  },
  "tools/call": { content: [{ type: "text", text: "sent" }] },
};

/** What an MCP client keeps, and where it sends its user; `described_at` is where it describes itself, if it does. */
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

/** Opens the URL that the client sends its user to, presses Allow, and answers what the client is called back with. */
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
  expect(asked?.get("scope")).toBe("inbox_read");
  expect(asked?.get("code_challenge_method")).toBe("S256");

  const answer = await allow(kept.urls[0], async (page) => {
    await signInToConnect(page, GRACE, world.codeFor);
    await openAccount(page, "ada");
    expect(await page.getByRole("checkbox").count()).toBe(1);
  });
  expect(answer.get("iss")).toBe(world.base_url);
  await first.finishAuth(answer);
  expect(kept.tokens).toMatchObject({ token_type: "Bearer", scope: "inbox_read" });

  const client = new Client({ name: "inspector", version: "0" });
  const second = connect();
  await client.connect(second);
  await expect(client.callTool({ name: "send_message", arguments: {} })).rejects.toThrow(UnauthorizedError);
  expect(kept.urls[1]?.searchParams.get("scope")?.split(" ").sort()).toEqual(["inbox_read", "message_send"]);
  const stepped = await allow(kept.urls[1], async (page) => {
    await signInToConnect(page, GRACE, world.codeFor);
    await page.getByLabel("Send email from the inbox's address").waitFor();
  });
  await second.finishAuth(stepped);
  const sent = await client.callTool({ name: "send_message", arguments: {} });
  expect(sent.content).toEqual([{ type: "text", text: "sent" }]);
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
  expect(await storage.find("oauth_grants", { where: { client_id }, limit: 2 })).toMatchObject([
    { client_id, client_name: "Described inspector", scope: ["inbox_read"], given_by: HEIDI },
  ]);
}, 120_000);
