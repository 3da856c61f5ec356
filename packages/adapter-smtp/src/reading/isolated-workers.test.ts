import { setImmediate } from "node:timers/promises";
import type { Dns } from "@letterslot/core/ports";
import { afterEach, expect, test } from "vitest";
import { createIsolatedWorkers, type IsolatedWorkers, MAX_QUEUE, wasStarved } from "./isolated-workers.ts";
import { startMailWorker, type WorkerHandle } from "./worker-handle.ts";

let workers: IsolatedWorkers | undefined;
afterEach(() => workers?.close());

const options = { screeningTimeoutMs: null };
const mail = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nx`);
/** Signed over an empty body, so that its key is looked up. */
const signed = Buffer.from(
  "From: ada@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from;" +
    " bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=; b=YQ==\r\n\r\n",
);
const envelope = { mail_from: "", client_ip: null, helo: null };

/** Occupies one worker until its DNS lookup is answered with "not found". */
async function occupy(
  target: IsolatedWorkers,
  client_ip: string | null = null,
  message = signed,
): Promise<{ end: () => void; result: Promise<unknown> }> {
  const held = Promise.withResolvers<string[][]>();
  const looked_up = Promise.withResolvers<void>();
  const resolve = () => {
    looked_up.resolve();
    return held.promise;
  };
  const settings = {
    dns: { resolve: resolve as unknown as Dns["resolve"] },
    timeoutMs: 600_000,
    name: "mx.test",
  };
  const result = target
    // Another message each time: the tasks of one share a worker.
    .check({ raw: Buffer.from(message), envelope: { ...envelope, client_ip } }, settings)
    .catch((error: unknown) => error);
  await Promise.race([looked_up.promise, result]);
  return { end: () => held.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" })), result };
}

test("a message that only waited too long for a worker fails temporarily, not as too complex", async () => {
  workers = createIsolatedWorkers({ threads: 1, deadline_ms: 1_000 });
  await occupy(workers);
  void occupy(workers);
  await expect(workers.read(mail("innocent"), options)).rejects.toMatchObject({
    code: "storage_unavailable",
  });
});

test("a message whose worker used no CPU time until the deadline fails temporarily", async () => {
  workers = createIsolatedWorkers({ threads: 1, deadline_ms: 1_500 });
  const busy = await occupy(workers);
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
});

test("a message that waits for a worker is read once one is free, and one too many fails temporarily", async () => {
  const created = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000 });
  workers = created;
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

test("a message that exceeds its worker twice is sent again, then refused; others are counted apart", async () => {
  let worker: WorkerHandle | undefined;
  const start = () => {
    worker = startMailWorker();
    return worker;
  };
  const created = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000, start });
  workers = created;
  const failureOf = async (subject: string) => {
    const message = Buffer.concat([Buffer.from(`Subject: ${subject}\r\n`), signed]);
    const { result } = await occupy(created, null, message);
    // It ends, as without memory, while it is ready and can't answer.
    worker?.onReady(() => void worker?.end());
    return result;
  };
  expect(await failureOf("large")).toMatchObject({ code: "storage_unavailable" });
  expect(await failureOf("large")).toMatchObject({ code: "storage_unavailable" });
  expect(await failureOf("other")).toMatchObject({ code: "storage_unavailable" });
  expect(await failureOf("large")).toMatchObject({ code: "mail_too_complex" });
  expect(await failureOf("large")).toMatchObject({ code: "mail_too_complex" });
});

test("a network's messages leave a worker free for another's", async () => {
  const created = createIsolatedWorkers({ threads: 2, deadline_ms: 600_000 });
  workers = created;
  const first = await occupy(created, "192.0.2.1");
  const second = occupy(created, "192.0.2.2");
  const read = await created.read(mail("honest"), { ...options, clientIp: "198.51.100.7" });
  expect(read.subject).toBe("honest");
  await created.close();
  await Promise.allSettled([first.result, (await second).result]);
});

test("reading and checking a message share a worker, so that it takes no other's place", async () => {
  const created = createIsolatedWorkers({ threads: 2, deadline_ms: 600_000 });
  workers = created;
  const raw = Buffer.from(signed);
  const looked_up = Promise.withResolvers<void>();
  const resolve = () => {
    looked_up.resolve();
    return new Promise<never>(() => undefined);
  };
  const settings = {
    dns: { resolve: resolve as unknown as Dns["resolve"] },
    timeoutMs: 600_000,
    name: "mx",
  };
  const unfinished = Promise.allSettled([created.check({ raw, envelope }, settings)]);
  expect(await created.read(raw, options)).toMatchObject({ subject: "" });
  await looked_up.promise;
  expect(await created.read(mail("another"), options)).toMatchObject({ subject: "another" });
  await created.close();
  expect(await unfinished).toMatchObject([{ status: "rejected", reason: { code: "storage_unavailable" } }]);
});

test("large messages of many networks leave a worker for a newsletter", async () => {
  const created = createIsolatedWorkers({ threads: 2, deadline_ms: 600_000 });
  workers = created;
  const large = Buffer.concat([signed, Buffer.alloc(600_000, "x\r\n")]);
  const hostile = ["192.0.2.1", "203.0.113.1", "198.51.100.1"].map((client_ip) =>
    occupy(created, client_ip, large),
  );
  const newsletter = Buffer.concat([mail("News"), Buffer.alloc(300_000, "x\r\n")]);
  const read = await created.read(newsletter, { ...options, clientIp: "198.18.0.7" });
  expect(read.subject).toBe("News");
  await created.close();
  await Promise.allSettled(hostile);
});

test("a message being read at close fails temporarily, and so does a later one", async () => {
  workers = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000 });
  const busy = await occupy(workers);
  await workers.close();
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
  await expect(workers.read(mail("late"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("messages waiting for a worker at close fail temporarily at once", async () => {
  const created = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000 });
  workers = created;
  await occupy(created);
  const waiting = Promise.allSettled(
    ["one", "two", "three"].map((subject) => created.read(mail(subject), options)),
  );
  await created.close();
  for (const outcome of await waiting)
    expect(outcome).toMatchObject({ reason: { code: "storage_unavailable" } });
});

test("a message whose worker does not start fails temporarily, and the next one gets a new worker", async () => {
  let starts = 0;
  const start = () => {
    starts += 1;
    if (starts === 1) throw new Error("no more threads");
    const worker = startMailWorker();
    if (starts === 2) void worker.end();
    return worker;
  };
  workers = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000, start });
  await expect(workers.read(mail("none"), options)).rejects.toThrow("no more threads");
  await expect(workers.read(mail("broken"), options)).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(await workers.read(mail("next"), options)).toMatchObject({ subject: "next" });
});

test("a worker that ended while idle is not reused", async () => {
  const started: WorkerHandle[] = [];
  const start = () => {
    const worker = startMailWorker();
    started.push(worker);
    return worker;
  };
  workers = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000, start });
  await workers.read(mail("first"), options);
  await started[0]?.end();
  expect(await workers.read(mail("second"), options)).toMatchObject({ subject: "second" });
});

test.each([
  ["had full CPU time", 100, 15_100, false],
  ["had a quarter of a CPU", 100, 3_850, false],
  ["waited for DNS or for a CPU", 100, 3_849, true],
  ["was too busy to report at the end", 100, undefined, false],
  ["was too busy to report at the start", undefined, 3_000, false],
])("a worker that %s", (_, before, after, starved) => {
  expect(wasStarved(before, after, 15_000)).toBe(starved);
});

test("a failure that is not the mail's fault has no error code", async () => {
  workers = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000 });
  const error: unknown = await workers
    .read(mail("innocent"), { ...options, stated: 1 as never })
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toHaveProperty("code");
});

test("a worker that a large message leaves has ended before another starts, and may fail to", async () => {
  const [ending, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let started = 0;
  const start = () => {
    started += 1;
    const worker = startMailWorker();
    if (started > 1) return worker;
    const end = async () => {
      ending.resolve();
      await ended.promise;
      await worker.end();
      throw new Error("ended badly");
    };
    return { ...worker, end };
  };
  const created = createIsolatedWorkers({ threads: 1, deadline_ms: 600_000, start });
  workers = created;
  await created.read(Buffer.concat([mail("large"), Buffer.alloc(5_000_000, "a\r\n")]), options);
  const next = created.read(mail("next"), options);
  await ending.promise;
  await setImmediate();
  expect(started).toBe(1);
  ended.resolve();
  expect((await next).subject).toBe("next");
  expect(started).toBe(2);
});
