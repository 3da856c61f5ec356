import type { Dns } from "@letterslot/core";
import { afterEach, expect, test } from "vitest";
import { createLoneThreads, type LoneThreads, MAX_QUEUE, wasStarved } from "./lone-threads.ts";

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
  const settings = { dns: { resolve: resolve as unknown as Dns["resolve"] }, timeout_ms: 600_000, name: "mx.test" };
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
  threads = createLoneThreads({ threads: 1, deadline_ms: 500 });
  const busy = await occupy(threads);
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
});

test("a mail that waits for a thread is read when there is one, and one too many is put off", async () => {
  const created = createLoneThreads({ threads: 1, deadline_ms: 600_000 });
  threads = created;
  const busy = await occupy(created);
  const waiting = Array.from({ length: MAX_QUEUE }, (_, index) => created.read(mail(`${index}`), options));
  await expect(created.read(mail("one too many"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
  busy.end();
  expect((await Promise.all(waiting)).map(({ subject }) => subject)).toEqual(waiting.map((_, index) => `${index}`));
});

test("a mail that is being read when the threads end is put off, and so is one that comes later", async () => {
  threads = createLoneThreads({ threads: 1, deadline_ms: 600_000 });
  const busy = await occupy(threads);
  await threads.close();
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
  await expect(threads.read(mail("late"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
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
