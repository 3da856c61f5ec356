import { afterEach, expect, test } from "vitest";
import { createMailWorkers, MAX_QUEUE, type MailWorkers } from "./mail-workers.ts";

let workers: MailWorkers | undefined;
afterEach(() => workers?.close());

const mail = (subject: string) => Buffer.from(`Subject: ${subject}\r\n\r\nx`);
/** Signed over an empty body, so that its key is asked for. */
const signed = Buffer.from(
  "From: ada@example.com\r\nDKIM-Signature: v=1; a=rsa-sha256; d=example.com; s=s1; h=from;" +
    " bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=; b=YQ==\r\n\r\n",
);

/** Keeps one thread busy until it is told that there is no such key. */
async function occupy(of: MailWorkers): Promise<{ end: () => void; result: Promise<unknown> }> {
  const held = Promise.withResolvers<string[][]>();
  const asked = Promise.withResolvers<void>();
  const result = of
    .readSignatureFacts(signed, () => {
      asked.resolve();
      return held.promise;
    })
    .catch((error: unknown) => error);
  await Promise.race([asked.promise, result]);
  return { end: () => held.reject(Object.assign(new Error("not found"), { code: "ENOTFOUND" })), result };
}

test("a mail that only waited too long for a thread is put off, not called too complex", async () => {
  workers = createMailWorkers({ threads: 1, deadline_ms: 1_000 });
  await occupy(workers);
  void occupy(workers);
  await expect(workers.parse(mail("honest"))).rejects.toMatchObject({ code: "storage_unavailable" });
});

test("a mail that waits for a thread is read when there is one, and one too many is put off", async () => {
  const created = createMailWorkers({ threads: 1 });
  workers = created;
  const busy = await occupy(created);
  const waiting = Array.from({ length: MAX_QUEUE }, (_, index) => created.parse(mail(`${index}`)));
  await expect(created.parse(mail("one too many"))).rejects.toMatchObject({ code: "storage_unavailable" });
  busy.end();
  expect((await Promise.all(waiting)).map(({ subject }) => subject)).toEqual(waiting.map((_, index) => `${index}`));
});

test("a mail that is being read when the threads end is put off", async () => {
  workers = createMailWorkers({ threads: 1 });
  const busy = await occupy(workers);
  await workers.close();
  expect(await busy.result).toMatchObject({ code: "storage_unavailable" });
});
