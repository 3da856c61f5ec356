import type { Dns } from "@letterslot/core";
import { afterEach, expect, test } from "vitest";
import { createLoneThreads, type LoneThreads, MAX_QUEUE, wasStarved } from "./lone-threads.ts";
import { type MailThread, startMailThread } from "./mail-thread.ts";

let threads: LoneThreads | undefined;
afterEach(() => threads?.close());

const options = { screening_timeout_ms: null };
const mail = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nx`);
/** Signed over an empty body, so that its key is asked for. */
const signed = Buffer.from(
  "From: ada@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from;" +
    " bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=; b=YQ==\r\n\r\n",
);
const envelope = { mail_from: "", client_ip: null, helo: null };

/** Keeps one thread busy until it is told that there is no such name. */
async function occupy(of: LoneThreads): Promise<{ end: () => void; result: Promise<unknown> }> {
  const held = Promise.withResolvers<string[][]>();
  const asked = Promise.withResolvers<void>();
  const resolve = () => {
    asked.resolve();
    return held.promise;
  };
  const settings = {
    dns: { resolve: resolve as unknown as Dns["resolve"] },
    timeout_ms: 600_000,
    name: "mx.test",
  };
  const result = of.check({ raw: signed, envelope }, settings).catch((error: unknown) => error);
  await Promise.race([asked.promise, result]);
  return { end: () => held.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" })), result };
}

test("a mail that only waited too long for a thread is put off, not called too complex", async () => {
  threads = createLoneThreads({ threads: 1, deadline_ms: 1_000 });
  await occupy(threads);
  void occupy(threads);
  await expect(threads.read(mail("honest"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("a mail whose thread had nothing to compute until the deadline is put off", async () => {
  threads = createLoneThreads({ threads: 1, deadline_ms: 1_500 });
  const busy = await occupy(threads);
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
});

test("a mail that waits for a thread is read when there is one, and one too many is put off", async () => {
  const created = createLoneThreads({ threads: 1, deadline_ms: 600_000 });
  threads = created;
  const busy = await occupy(created);
  const waiting = Array.from({ length: MAX_QUEUE }, (_, index) => created.read(mail(`${index}`), options));
  await expect(created.read(mail("one too many"), options)).rejects.toMatchObject({
    code: "storage_unavailable",
  });
  busy.end();
  expect((await Promise.all(waiting)).map(({ subject }) => subject)).toEqual(
    waiting.map((_, index) => `${index}`),
  );
});

test("a mail that is being read when the threads end is put off, and so is one that comes later", async () => {
  threads = createLoneThreads({ threads: 1, deadline_ms: 600_000 });
  const busy = await occupy(threads);
  await threads.close();
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
  await expect(threads.read(mail("late"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("mails that wait for a thread when the threads end are put off at once", async () => {
  const created = createLoneThreads({ threads: 1, deadline_ms: 600_000 });
  threads = created;
  await occupy(created);
  const waiting = Promise.allSettled(
    ["one", "two", "three"].map((subject) => created.read(mail(subject), options)),
  );
  await created.close();
  for (const outcome of await waiting)
    expect(outcome).toMatchObject({ reason: { code: "storage_unavailable" } });
});

test("a mail whose thread doesn't start is put off, as often as that happens, and the next one has a thread of its own", async () => {
  let starts = 0;
  const start = () => {
    starts += 1;
    if (starts === 1) throw new Error("no more threads");
    const thread = startMailThread();
    if (starts === 2) void thread.end();
    return thread;
  };
  threads = createLoneThreads({ threads: 1, deadline_ms: 600_000, start });
  await expect(threads.read(mail("none"), options)).rejects.toThrow("no more threads");
  await expect(threads.read(mail("broken"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(await threads.read(mail("next"), options)).toMatchObject({ subject: "next" });
});

test("a thread that ended while it was idle is not asked", async () => {
  const started: MailThread[] = [];
  const start = () => {
    const thread = startMailThread();
    started.push(thread);
    return thread;
  };
  threads = createLoneThreads({ threads: 1, deadline_ms: 600_000, start });
  await threads.read(mail("first"), options);
  await started[0]?.end();
  expect(await threads.read(mail("second"), options)).toMatchObject({ subject: "second" });
});

test.each([
  ["computed all the time", 100, 15_100, false],
  ["had a quarter of a processor", 100, 3_850, false],
  ["waited for the DNS, or for a processor", 100, 3_849, true],
  ["was too busy to say", 100, undefined, false],
  ["was too busy to say when it began", undefined, 3_000, false],
])("a thread that %s", (_, had, has, starved) => {
  expect(wasStarved(had, has, 15_000)).toBe(starved);
});

test("a failure that is not the mail's fault isn't called one", async () => {
  threads = createLoneThreads({ threads: 1, deadline_ms: 600_000 });
  const error: unknown = await threads.read(mail("honest"), null as never).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty("code");
});
