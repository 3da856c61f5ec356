import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startDnsServer } from "../../packages/adapter-smtp/test/dns-server.ts";
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
const KEPT_MB = 20;
/** On a busy machine, work takes longer, and so does what runs in its pauses. */
const TRIES = 3;
const BACK_WITHIN_MS = 10_000;
const LOOK_MS = 100;
/** Longer than an idle process waits before it collects garbage. */
const QUIET_MS = 5_000;
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
  await settled();
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

const anonymousMb = (): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;

/** Waits until memory falls no further. */
async function settled(): Promise<void> {
  let least = anonymousMb();
  for (let end = performance.now() + QUIET_MS; performance.now() < end; await after(LOOK_MS)) {
    const now = anonymousMb();
    if (now < least - 1) [least, end] = [now, performance.now() + QUIET_MS];
  }
}

/** What work takes at its peak, and what of it is left as soon as it is little, or after 10 s. */
async function memoryOf(work: () => Promise<unknown>): Promise<{ peak_mb: number; kept_mb: number }> {
  const before = anonymousMb();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, anonymousMb());
  }, 10);
  await work();
  for (
    const end = performance.now() + BACK_WITHIN_MS;
    anonymousMb() - before > KEPT_MB && performance.now() < end;
    await after(LOOK_MS)
  );
  clearInterval(watch);
  return { peak_mb: peak - before, kept_mb: anonymousMb() - before };
}

/** Repeats a measurement until it is within bounds, at most `TRIES` times. */
async function expectWithin(bound_mb: number, work: () => Promise<unknown>): Promise<void> {
  let memory = await memoryOf(work);
  for (let tries = 1; tries < TRIES && !(memory.peak_mb <= bound_mb && memory.kept_mb <= KEPT_MB); tries++)
    memory = await memoryOf(work);
  console.log(`  at most ${memory.peak_mb.toFixed(0)} MB, ${memory.kept_mb.toFixed(0)} MB kept`);
  expect(memory.peak_mb).toBeLessThanOrEqual(bound_mb);
  expect(memory.kept_mb).toBeLessThanOrEqual(KEPT_MB);
}

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
