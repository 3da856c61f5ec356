import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectMemory, settledMemory } from "../support/anonymous-memory.ts";
import { casesOf, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import {
  ALLOCATOR,
  createServerHome,
  type ServerHome,
  type ServerProcess,
} from "../support/server-process.ts";
import { until } from "../support/until.ts";

/**
 * Proves how much anonymous memory (`RssAnon`) the largest mail takes on each way that it goes through the API: the real
 * server in its own process, over real HTTP, with a real relay.
 */
const MEGABYTE = 1_048_576;
/** A message of 25 MB, but for its words. */
const FILE_BYTES = 25 * MEGABYTE - 1_000;
/** A raw mail of 25 MB. */
const RAW_FILE_BYTES = 18.2 * MEGABYTE;
/** In Base64 as much as a call over MCP has at most. */
const MCP_FILE_BYTES = 8.9 * MEGABYTE;
const ONE_TAKES_MB = 150;
const FIVE_TAKE_MB = 600;
const AT_ONCE = 5;
const outside = ["eve@elsewhere.example"];

interface Agent {
  api_key: string;
  /** Where it calls from: one address may have 64 MB of bodies under way. */
  address: string;
  inbox_id: string;
  /** A mail that it sent, with a file of 25 MB. */
  sent_id: string;
}

let home: ServerHome;
let server: ServerProcess;
let relay: SMTPServer;
/** As many as call at once. */
const agents: Agent[] = [];

beforeAll(async () => {
  relay = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["AUTH", "STARTTLS"], disableReverseLookup: true },
    onData: (stream, _, done) => void stream.resume().on("end", () => done()),
  });
  relay.listen(0, "127.0.0.1");
  await once(relay.server, "listening");
  const { port } = relay.server.address() as AddressInfo;
  home = await createServerHome({
    MAIL_DOMAIN: "agents.example.org",
    SMTP_PORT: "off",
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    ...ALLOCATOR,
  });
  server = await home.start();
  for (let number = 0; number < AT_ONCE; number++) agents.push(await openAgent(number));
  // The first mails load what reads and writes mail, here and in the threads.
  const first = agents[0] as Agent;
  for (const way of Object.values(WAYS)) await way(first, 300_000);
  for (const agent of agents) agent.sent_id = await sendFile(agent, FILE_BYTES);
  await settledMemory(server.pid);
}, PROOF_TIMEOUT_MS);

afterAll(async () => {
  await server?.end("SIGTERM");
  home?.remove();
  relay?.close();
});

async function openAgent(number: number): Promise<Agent> {
  const address = `127.0.1.${number + 1}`;
  const username = `agent-${number}`;
  const opened = await call({ api_key: "", address }, "POST", "/onboard", { username });
  const { api_key, inbox } = opened as { api_key: string; inbox: { id: string } };
  const agent = { api_key, address, inbox_id: inbox.id, sent_id: "" };
  agent.sent_id = await sendFile(agent, 300_000);
  return agent;
}

async function request(
  { api_key, address }: Pick<Agent, "api_key" | "address">,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const sending = httpRequest(`http://127.0.0.1:${new URL(home.base_url).port}${path}`, {
    ...{ method, localAddress: address, agent: false },
    headers: {
      "content-type": "application/json",
      ...(api_key === "" ? {} : { authorization: `Bearer ${api_key}` }),
      ...headers,
    },
  });
  // A body that is refused unread ends with its connection.
  sending.on("error", () => undefined);
  sending.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  return answer;
}

async function call(
  agent: Pick<Agent, "api_key" | "address">,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  const answer = await request(agent, method, `/api/v1${path}`, body);
  const text = await readText(answer);
  expect(answer.statusCode, text.slice(0, 300)).toBeLessThan(300);
  return JSON.parse(text) as Record<string, unknown>;
}

const fileOf = (bytes: number) => ({
  filename: "plans.bin",
  content_base64: randomBytes(bytes).toString("base64"),
});

/** Sends a file to somebody outside, and waits until it has left. */
async function sendFile(agent: Agent, bytes: number, to = outside): Promise<string> {
  const mail = { to, text: "The plans.", attachments: [fileOf(bytes)] };
  return left(agent, await call(agent, "POST", `/inboxes/${agent.inbox_id}/messages`, mail));
}

async function left(agent: Agent, { id }: Record<string, unknown>): Promise<string> {
  const path = `/inboxes/${agent.inbox_id}/messages/${String(id)}`;
  await until("the mail to leave", async () => (await call(agent, "GET", path))["status"] === "sent", 60_000);
  return String(id);
}

function rawMail(bytes: number): string {
  const lines = randomBytes(bytes).toString("base64").replace(/.{76}/g, "$&\r\n");
  const mail = [
    ...["From: Bob <bob@friend.example>", "To: ada@agents.example.org", "Subject: The plans"],
    ...[`Message-ID: <${crypto.randomUUID()}@friend.example>`, "MIME-Version: 1.0"],
    ...["Content-Type: multipart/mixed; boundary=part", "", "--part", "", "Here they are.", "--part"],
    ...["Content-Type: application/octet-stream", 'Content-Disposition: attachment; filename="plans.bin"'],
    ...["Content-Transfer-Encoding: base64", "", lines, "--part--", ""],
  ];
  return Buffer.from(mail.join("\r\n")).toString("base64");
}

const inject = (agent: Agent, mail: Record<string, unknown>) =>
  call(agent, "POST", `/inboxes/${agent.inbox_id}/inbound`, { from: "bob@friend.example", ...mail });

/** The ways of a mail through the API, each with a file of so many bytes. */
const WAYS: Record<string, (agent: Agent, bytes: number) => Promise<unknown>> = {
  "sent with its file in the call": (agent, bytes) => sendFile(agent, bytes),
  "sent to an inbox here": (agent, bytes) => sendFile(agent, bytes, ["agent-0@agents.example.org"]),
  forwarded: async (agent) => {
    const path = `/inboxes/${agent.inbox_id}/messages/${agent.sent_id}/forward`;
    return left(agent, await call(agent, "POST", path, { to: outside }));
  },
  "injected by its fields": (agent, bytes) =>
    inject(agent, { text: "Here they are.", attachments: [fileOf(bytes)] }),
  "injected raw": (agent, bytes) => inject(agent, { raw: rawMail(Math.min(bytes, RAW_FILE_BYTES)) }),
  "downloaded as it was sent": async (agent) => {
    const path = `/api/v1/inboxes/${agent.inbox_id}/messages/${agent.sent_id}/raw`;
    const answer = await request(agent, "GET", path);
    expect(answer.statusCode).toBe(200);
    await once(answer.resume(), "end");
  },
  // Tools take files by reference, so no good call is as long.
  "refused over MCP": async (agent, bytes) => {
    const message = {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
      params: {
        name: "send_message",
        arguments: { to: outside, text: "x", attachments: [fileOf(Math.min(bytes, MCP_FILE_BYTES))] },
      },
    };
    const headers = { accept: "application/json, text/event-stream", "mcp-name": "send_message" };
    const answer = await request(agent, "POST", "/mcp", message, headers);
    expect(answer.statusCode).toBe(200);
    await once(answer.resume(), "end");
  },
};

const all = Object.keys(WAYS);

describe("a mail of 25 MB takes at most 150 MB, and gives them back", { timeout: PROOF_TIMEOUT_MS }, () => {
  const few = ["sent with its file in the call", "injected by its fields", "downloaded as it was sent"];

  test.each(casesOf(few, all))("%s", async (name) => {
    await expectMemory(server.pid, ONE_TAKES_MB, async () => WAYS[name]?.(agents[0] as Agent, FILE_BYTES));
  });
});

describe("five at once take at most 600 MB", { timeout: PROOF_TIMEOUT_MS }, () => {
  test.each(casesOf(["sent with its file in the call"], all))("%s", async (name) => {
    const send = () => Promise.all(agents.map(async (agent) => WAYS[name]?.(agent, FILE_BYTES)));
    await expectMemory(server.pid, FIVE_TAKE_MB, send, FIVE_TAKE_MB);
  });
});
