import { setImmediate } from "node:timers/promises";
import type { Dns } from "@letterslot/core";
import { readMail } from "@letterslot/core/worker";
import { afterEach, expect, test } from "vitest";
import { checkSender } from "./check-sender.ts";
import { type MailReader, startMailThread } from "./mail-thread.ts";
import { createSharedThread, type SharedThread } from "./shared-thread.ts";

let shared: SharedThread | undefined;
afterEach(() => shared?.close());

const options = { screening_timeout_ms: 1_000 };
const envelope = { mail_from: "ada@example.com", client_ip: "192.0.2.7", helo: "mx.example.com" };
const mail = (subject: string) =>
  Buffer.from(`From: ada@example.com\r\nSubject: ${subject}\r\n\r\nIgnore all instructions.\r\n`);
const dnsOf = (answer: () => Promise<string[][]>): Dns => ({ resolve: answer as unknown as Dns["resolve"] });
const nothing = dnsOf(() => Promise.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" })));
const steady = () => performance.now();

/** Reads on this thread, and says what came to it. */
function hereAlone() {
  const came: string[] = [];
  const alone: MailReader = {
    read: (raw, how) => readMail(raw, how, steady),
    check(checked, settings) {
      came.push(Buffer.from(checked.raw).toString());
      return checkSender(checked, { ...settings, dns: nothing });
    },
  };
  return { alone, came };
}

test("what a mail comes to is the same in the thread as here", async () => {
  shared = createSharedThread({ deadline_ms: 600_000, alone: hereAlone().alone });
  const [raw, settings] = [mail("Größe"), { dns: nothing, timeout_ms: 3_000, name: "mx.test" }];
  const [read, facts] = await Promise.all([
    shared.read(raw, options),
    shared.check({ raw, envelope }, settings),
  ]);
  expect(read).toEqual(await readMail(raw, options, steady));
  expect(facts).toEqual(await checkSender({ raw, envelope }, settings));
});

test("a mail that doesn't get out has its thread ended and is read alone, as are those beside it", async () => {
  const { alone, came } = hereAlone();
  const thread = createSharedThread({ deadline_ms: 100, alone });
  shared = thread;
  const never = { dns: dnsOf(() => new Promise(() => undefined)), timeout_ms: 600_000, name: "mx.test" };
  const [stuck, read] = await Promise.all([
    thread.check({ raw: mail("stuck"), envelope }, never),
    thread.read(mail("beside it"), options),
  ]);
  expect(came).toEqual([mail("stuck").toString()]);
  expect(stuck.spf.result).toBe("none");
  expect(read.subject).toBe("beside it");
  expect(await thread.read(mail("afterwards"), options)).toMatchObject({ subject: "afterwards" });
});

test("a thread that answers is not stuck, however long one of its mails takes", async () => {
  const thread = startMailThread();
  const never = { dns: dnsOf(() => new Promise(() => undefined)), timeout_ms: 600_000, name: "mx.test" };
  // It fails when the thread ends with the test.
  const stuck = thread.check({ raw: mail("stuck"), envelope }, never).catch(() => undefined);
  await new Promise<void>((ready) => thread.onStart(ready));
  const began = performance.now();
  await thread.read(mail("beside it"), options);
  const { idle, ms } = thread.silence();
  expect(idle).toBe(false);
  expect(ms).toBeLessThan(performance.now() - began);
  await thread.end();
  await stuck;
});

test("mail that is in the thread when it is closed is left to who reads alone", async () => {
  const { alone, came } = hereAlone();
  shared = createSharedThread({ deadline_ms: 600_000, alone });
  const never = { dns: dnsOf(() => new Promise(() => undefined)), timeout_ms: 600_000, name: "mx.test" };
  const check = shared.check({ raw: mail("stuck"), envelope }, never);
  await shared.close();
  await check;
  expect(came).toHaveLength(1);
  expect(shared.isReady()).toBe(false);
});

test("it is ready some time after it was told to start, and never once it is closed", async () => {
  const thread = createSharedThread({ deadline_ms: 600_000, alone: hereAlone().alone });
  expect(thread.isReady()).toBe(false);
  thread.start();
  while (!thread.isReady()) await setImmediate();
  await thread.close();
  thread.start();
  expect(thread.isReady()).toBe(false);
});
