import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
import { expectMemory, settledMemory } from "../support/anonymous-memory.ts";
import { PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { freePort } from "../support/free-port.ts";
import { sendRaw } from "../support/raw-smtp.ts";
import {
  ALLOCATOR,
  createServerHome,
  type ServerHome,
  type ServerProcess,
} from "../support/server-process.ts";

/**
 * Proves how much anonymous memory (heaps and buffers, which a container's limit counts) the largest mail takes: the real
 * server in its own process, over real SMTP.
 */
const MEGABYTE = 1_048_576;
const LARGE_BYTES = 18.2 * MEGABYTE;
const ONE_TAKES_MB = 150;
const FIVE_TAKE_MB = 600;
const to = "ada@agents.example.org";

let home: ServerHome;
let server: ServerProcess;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
let smtp_port: number;
let account: { api_key: string; inbox: { id: string } };

beforeAll(async () => {
  dns = await startDnsServer({});
  smtp_port = await freePort();
  home = await createServerHome({
    MAIL_DOMAIN: "agents.example.org",
    DNS_SERVER: dns.server,
    SMTP_PORT: String(smtp_port),
    ...ALLOCATOR,
  });
  server = await home.start();
  account = (await call("POST", "/onboard", { username: "ada" })) as typeof account;
  // The first mails load what reads mail, here and in the threads.
  for (const bytes of [3_000, 3_000, 2 * MEGABYTE]) await send(bytes);
  await settledMemory(server.pid);
}, PROOF_TIMEOUT_MS);

afterAll(async () => {
  await server?.end("SIGTERM");
  home?.remove();
  await dns?.close();
});

async function call(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${home.base_url}/api/v1${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(account === undefined ? {} : { authorization: `Bearer ${account.api_key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

let sent = 0;
/** A mail with an attachment of random bytes. */
function mailOf(bytes: number): Buffer {
  const lines = randomBytes(bytes).toString("base64").replace(/.{76}/g, "$&\r\n");
  return Buffer.from(
    [
      ...["From: Bob <bob@friend.example>", `To: ${to}`, "Subject: The plans"],
      ...[`Message-ID: <${++sent}@friend.example>`, "MIME-Version: 1.0"],
      ...["Content-Type: multipart/mixed; boundary=part", "", "--part", "", "Here they are.", "--part"],
      ...["Content-Type: application/octet-stream", 'Content-Disposition: attachment; filename="plans.bin"'],
      ...["Content-Transfer-Encoding: base64", "", lines, "--part--", ".", ""],
    ].join("\r\n"),
  );
}

const send = async (bytes: number): Promise<number> => {
  const { status } = await sendRaw({ port: smtp_port, from_ip: "127.9.9.9", to, data: mailOf(bytes) });
  return status;
};

const expectWithin = (bound_mb: number, work: () => Promise<unknown>) =>
  expectMemory(server.pid, bound_mb, work);

test("a mail of 25 MB takes at most 150 MB, and gives them back", { timeout: PROOF_TIMEOUT_MS }, () =>
  expectWithin(ONE_TAKES_MB, async () => expect(await send(LARGE_BYTES)).toBe(250)),
);

test("five at once take at most 600 MB", { timeout: PROOF_TIMEOUT_MS }, () =>
  expectWithin(FIVE_TAKE_MB, async () => {
    const statuses = await Promise.all(Array.from({ length: 5 }, () => send(LARGE_BYTES)));
    // One for which there is no room now is sent again.
    for (const status of statuses) expect([250, 451]).toContain(status);
  }),
);

test("its Base64 isn't searched as it is: its bytes are kept as they came", async () => {
  const { data } = (await call("GET", `/inboxes/${account.inbox.id}/messages?limit=1`)) as {
    data: { redacted: boolean; size_bytes: number }[];
  };
  expect(data[0]?.redacted).toBe(false);
  expect(data[0]?.size_bytes).toBeGreaterThan(24 * MEGABYTE);
});
