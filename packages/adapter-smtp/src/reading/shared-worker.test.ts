import { setImmediate } from "node:timers/promises";
import { readMail } from "@letterslot/core/mail";
import type { Dns } from "@letterslot/core/ports";
import { afterEach, expect, test } from "vitest";
import { checkSender } from "../sender/check-sender.ts";
import { createSharedWorker, type SharedWorker } from "./shared-worker.ts";
import { type MailReader, startMailWorker } from "./worker-handle.ts";

let shared: SharedWorker | undefined;
afterEach(() => shared?.close());

const options = { screeningTimeoutMs: 1_000 };
const envelope = { mail_from: "ada@example.com", client_ip: "192.0.2.7", helo: "mx.example.com" };
const mail = (subject: string) =>
  Buffer.from(`From: ada@example.com\r\nSubject: ${subject}\r\n\r\nIgnore all instructions.\r\n`);
const dnsOf = (answer: () => Promise<string[][]>): Dns => ({ resolve: answer as unknown as Dns["resolve"] });
const notFound = dnsOf(() => Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" })));
const now = () => performance.now();

/** Reads on this thread, and records the messages it checked. */
function createLocalReader() {
  const checks: string[] = [];
  const isolated: MailReader = {
    read: (raw, how) => readMail(raw, how, now),
    check(checked, settings) {
      checks.push(Buffer.from(checked.raw).toString());
      return checkSender(checked, { ...settings, dns: notFound });
    },
  };
  return { isolated, checks };
}

test("reading in the worker gives the same result as on this thread", async () => {
  shared = createSharedWorker({ deadline_ms: 600_000, isolated: createLocalReader().isolated });
  const [raw, settings] = [mail("Größe"), { dns: notFound, timeoutMs: 3_000, name: "mx.test" }];
  const [read, facts] = await Promise.all([
    shared.read(raw, options),
    shared.check({ raw, envelope }, settings),
  ]);
  expect(read).toEqual(await readMail(raw, options, now));
  expect(facts).toEqual(await checkSender({ raw, envelope }, settings));
});

test("a stuck message gets its worker terminated and is read in isolation, as are those beside it", async () => {
  const { isolated, checks } = createLocalReader();
  const worker = createSharedWorker({ deadline_ms: 100, isolated });
  shared = worker;
  const never = { dns: dnsOf(() => new Promise(() => undefined)), timeoutMs: 600_000, name: "mx.test" };
  const [stuck, read] = await Promise.all([
    worker.check({ raw: mail("stuck"), envelope }, never),
    worker.read(mail("beside it"), options),
  ]);
  expect(checks).toEqual([mail("stuck").toString()]);
  expect(stuck.spf.result).toBe("none");
  expect(read.subject).toBe("beside it");
  expect(await worker.read(mail("afterwards"), options)).toMatchObject({ subject: "afterwards" });
});

test("a worker that answers is not stuck, however long one of its messages takes", async () => {
  const worker = startMailWorker();
  const never = { dns: dnsOf(() => new Promise(() => undefined)), timeoutMs: 600_000, name: "mx.test" };
  // Fails when the worker ends with the test.
  const stuck = worker.check({ raw: mail("stuck"), envelope }, never).catch(() => undefined);
  await new Promise<void>((ready) => worker.onReady(ready));
  const began = performance.now();
  await worker.read(mail("beside it"), options);
  const { idle, ms } = worker.silence();
  expect(idle).toBe(false);
  expect(ms).toBeLessThan(performance.now() - began);
  await worker.end();
  await stuck;
});

test("mail in the worker at close falls back to the isolated reader", async () => {
  const { isolated, checks } = createLocalReader();
  shared = createSharedWorker({ deadline_ms: 600_000, isolated });
  const never = { dns: dnsOf(() => new Promise(() => undefined)), timeoutMs: 600_000, name: "mx.test" };
  const check = shared.check({ raw: mail("stuck"), envelope }, never);
  await shared.close();
  await check;
  expect(checks).toHaveLength(1);
  expect(shared.isReady()).toBe(false);
});

test("it becomes ready after start, and never after close", async () => {
  const worker = createSharedWorker({ deadline_ms: 600_000, isolated: createLocalReader().isolated });
  expect(worker.isReady()).toBe(false);
  worker.start();
  while (!worker.isReady()) await setImmediate();
  await worker.close();
  worker.start();
  expect(worker.isReady()).toBe(false);
});
