import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRaw, postHead, type RawRequest, sendBody, statusOf } from "../support/raw-request.ts";
import {
  type LoadCost,
  startWatchedServer,
  type WatchedAccount,
  type WatchedServer,
} from "../support/watched-server.ts";

const MEGABYTE = 1024 * 1024;
const TIMEOUT_MS = 240_000;
const PATIENCE_MS = 20_000;
const MEMORY_BYTES = 600 * MEGABYTE;
/** The longest time that a request may hold the event loop, and the highest latency of a neighbour's GET. */
const MAX_HOLD_MS = 50;
const MAX_P99_MS = 50;
/** Other programs may disturb a measurement. */
const TRIES = 5;
const UNFINISHED = 30;
const UNFINISHED_BYTES = 34 * MEGABYTE;
const STREAMS = 3_000;
const SLOW_CONNECTIONS = 4_000;
const LEVELS = 10_000_000;
/** All but the last byte. */
const UNFINISHED_BODY = Buffer.alloc(UNFINISHED_BYTES - 1, "x").fill('{"text":"', 0, 9);

let server: WatchedServer;
let ada: WatchedAccount;
let others: WatchedAccount[];
beforeAll(async () => {
  server = await startWatchedServer();
  ada = await server.signUp("ada");
  others = [];
  for (let number = 0; number < UNFINISHED; number++) others.push(await server.signUp(`agent${number}`));
}, TIMEOUT_MS);
afterAll(() => server.close());

const sendPath = ({ inbox_id }: WatchedAccount): string => `/api/v1/inboxes/${inbox_id}/messages`;

/** Posts a whole body and returns the status of the answer. */
async function post(path: string, account: WatchedAccount, body: Uint8Array): Promise<number | undefined> {
  const request = await openRaw(server.port);
  await request.write(postHead(path, account.api_key, body.length));
  await sendBody(request, body);
  const status = await statusOf(request, PATIENCE_MS);
  request.socket.destroy();
  return status;
}

/** Begins a request with a body of 34 MB, all of which arrives but the last byte. */
async function leaveUnfinished(account: WatchedAccount, from: string): Promise<RawRequest> {
  const request = await openRaw(server.port, from);
  await request.write(postHead(sendPath(account), account.api_key, UNFINISHED_BYTES));
  await sendBody(request, UNFINISHED_BODY);
  return request;
}

/** Repeats a load until it disturbs nobody, allowing for the machine's measured slowness. */
async function expectUndisturbed(load: () => Promise<unknown>): Promise<void> {
  const costs: LoadCost[] = [];
  for (let attempt = 0; attempt < TRIES && !costs.some(isUndisturbed); attempt++)
    costs.push(await server.measure(load));
  for (const { longest_hold_ms, neighbour_p99_ms, peak_rss, slowdown } of costs)
    console.info(
      `  held ${longest_hold_ms.toFixed(0)} ms, neighbour's p99 ${neighbour_p99_ms.toFixed(0)} ms on a machine ` +
        `${slowdown.toFixed(1)} times too slow, ${(peak_rss / MEGABYTE).toFixed(0)} MB`,
    );
  for (const { failures, peak_rss } of costs) {
    expect(failures).toEqual([]);
    expect(peak_rss).toBeLessThanOrEqual(MEMORY_BYTES);
  }
  expect(costs.some(isUndisturbed)).toBe(true);
}

const isUndisturbed = ({ longest_hold_ms, neighbour_p99_ms, slowdown, cpu_slowdown }: LoadCost): boolean =>
  longest_hold_ms <= MAX_HOLD_MS * cpu_slowdown && neighbour_p99_ms <= MAX_P99_MS * slowdown;

describe("beside another account's requests", () => {
  test("one key leaves 30 bodies of 34 MB unfinished", { timeout: TIMEOUT_MS }, async () => {
    await expectUndisturbed(async () => {
      const requests = await Promise.all(
        Array.from({ length: UNFINISHED }, () => leaveUnfinished(ada, "127.0.0.1")),
      );
      const answers = requests.map((request) => request.answer()).filter((answer) => answer !== "");
      for (const { socket } of requests) socket.destroy();
      expect(answers.length).toBeGreaterThanOrEqual(UNFINISHED - 2);
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 429 [^]*"too_many_bytes"/);
    });
  });

  test("30 keys at 30 addresses leave bodies of 34 MB unfinished", { timeout: TIMEOUT_MS }, async () => {
    await expectUndisturbed(async () => {
      const requests = await Promise.all(
        others.map((account, index) => leaveUnfinished(account, `127.0.1.${index + 1}`)),
      );
      const small = await post(sendPath(ada), ada, Buffer.from('{"to":["eve@example.com"],"text":"Small."}'));
      const refused = requests.filter((request) => request.answer().startsWith("HTTP/1.1 429"));
      for (const { socket } of requests) socket.destroy();
      expect(refused.length).toBeGreaterThanOrEqual(UNFINISHED - 256 / 34);
      expect(small).toBe(200);
    });
  });

  test.each<[string, () => Uint8Array]>([
    [
      "30 MB of keys",
      () => Buffer.from(`{${Array.from({ length: 2_400_000 }, (_, key) => `"k${key}":1`).join()}}`),
    ],
    ["10 million levels", () => Buffer.alloc(LEVELS, "[")],
    ["30 MB of items", () => Buffer.from(`{"to":[${"1,".repeat(15 * MEGABYTE)}1]}`)],
  ])("a body of %s is refused", { timeout: TIMEOUT_MS }, async (_, make) => {
    const body = make();
    await expectUndisturbed(async () => {
      const statuses = await Promise.all([1, 2, 3].map(() => post(sendPath(ada), ada, body)));
      expect(statuses).toEqual([400, 400, 400]);
    });
  });

  test("one key opens 3,000 streams, of which 25 are opened, and mail wakes them", {
    timeout: TIMEOUT_MS,
  }, async () => {
    await expectUndisturbed(async () => {
      const requests: RawRequest[] = [];
      const head = `GET /api/v1/events/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.api_key}\r\n\r\n`;
      for (let batch = 0; batch < STREAMS / 100; batch++)
        requests.push(
          ...(await Promise.all(
            Array.from({ length: 100 }, async () => {
              const request = await openRaw(server.port);
              await request.write(head);
              return request;
            }),
          )),
        );
      const statuses = await Promise.all(requests.map((request) => statusOf(request, PATIENCE_MS)));
      for (let mail = 0; mail < 20; mail++)
        await post(sendPath(ada), ada, Buffer.from('{"to":["eve@example.com"],"text":"Wake up."}'));
      for (const { socket } of requests) socket.destroy();
      expect(statuses.filter((status) => status === 200)).toHaveLength(25);
      expect(statuses.filter((status) => status === 429)).toHaveLength(STREAMS - 25);
    });
  });

  test("4,000 connections send their headers slowly, and are closed", { timeout: TIMEOUT_MS }, async () => {
    await expectUndisturbed(async () => {
      const requests: RawRequest[] = [];
      for (let batch = 0; batch < SLOW_CONNECTIONS / 100; batch++)
        requests.push(
          ...(await Promise.all(
            Array.from({ length: 100 }, async (_, index) => {
              const request = await openRaw(server.port, `127.0.2.${(index % 10) + 1}`);
              await request.write("GET /api/v1/me HTTP/1.1\r\nHost: lo");
              return request;
            }),
          )),
        );
      await Promise.race([
        Promise.all(requests.map(({ closed }) => closed)),
        new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
      ]);
      const left = requests.filter(({ socket }) => !socket.destroyed).length;
      for (const { socket } of requests) socket.destroy();
      expect(left).toBe(0);
    });
  });
});
