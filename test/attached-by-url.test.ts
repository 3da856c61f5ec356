import { createHash, randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import { whole } from "@letterslot/client";
import { afterEach, expect, test } from "vitest";
import { createWebhookHttp } from "../packages/adapter-http/src/index.ts";
import { testCertificate } from "../packages/adapter-http/test/certificate.ts";
import { startReceiver } from "../packages/adapter-http/test/receiver.ts";
import { serve } from "../packages/server/testing/serve.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const to = ["olga@example.com"];
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** A real server of files over https on loopback, and a service that may fetch from there. */
async function open(answer: RequestListener, allowFiles = ["127.0.0.0/8"]) {
  const files = await startReceiver(answer, true);
  const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"], allowFiles, ca: testCertificate.cert });
  const base = `https://127.0.0.1:${files.port}/reports/`;
  const served = await serve({ config: { webhookHttp, attachmentUrls: [base] } });
  cleanups.push(
    files.close,
    () => webhookHttp.close(),
    () => served.close(),
  );
  const opened = await served.client().accounts.onboard({ username: "ada" });
  const client = served.client(opened.api_key);
  return { served, client, files, base, inbox_id: opened.inbox.id };
}

test("a file is fetched over https and mailed as it was, whatever its URL says later", async () => {
  let bytes = randomBytes(3_000_000);
  const { served, client, files, base, inbox_id } = await open((_, response) => {
    response.setHeader("content-type", "application/pdf; version=1.7").end(bytes);
  });
  const first = sha256(bytes);
  const send_at = new Date(served.clock.now().getTime() + 3_600_000).toISOString();
  const draft = whole(
    await client.drafts.create({
      ...{ inbox_id, to, subject: "Report", text: "See.", send_at },
      attachments: [{ url: `${base}Q3%20report.pdf` }],
    }),
  );
  expect(draft.attachments).toMatchObject([
    { filename: "Q3 report.pdf", content_type: "application/pdf", size_bytes: 3_000_000 },
  ]);
  bytes = randomBytes(10);
  await served.clock.advance(3_700_000);
  await served.work();
  const [sent] = (await client.messages.list({ inbox_id })).data;
  const attachment_id = sent?.attachments[0]?.id ?? "";
  const there = await client.attachments.get({ inbox_id, message_id: sent?.id ?? "", attachment_id });
  expect(sha256(there.bytes)).toBe(first);
  expect(files.received).toMatchObject([{ method: "GET", path: "/reports/Q3%20report.pdf" }]);
  expect(JSON.stringify(files.received)).not.toContain("Bearer");
});

test("what can't be fetched says so, and nothing is sent", async () => {
  const { client, files, base, inbox_id } = await open((_, response) =>
    response.writeHead(302, { location: "https://127.0.0.1/elsewhere" }).end(),
  );
  const send = (url: string) => client.messages.send({ inbox_id, to, text: "See.", attachments: [{ url }] });
  await expect(send(`${base}moved.pdf`)).rejects.toMatchObject({
    ...{ code: "attachment_fetch_failed", status: 502, param: "attachments[0].url" },
  });
  for (const url of [`${base}a.pdf?x=1`, `${base}../other/a.pdf`, "http://127.0.0.1/reports/a.pdf"])
    await expect(send(url)).rejects.toMatchObject({ code: "attachment_url_refused", status: 400 });
  await files.close();
  await expect(send(`${base}gone.pdf`)).rejects.toMatchObject({ code: "attachment_fetch_failed" });
  expect((await client.messages.list({ inbox_id })).data).toEqual([]);
  expect(files.received).toHaveLength(1);
});

test("a private address is refused even where it is listed and webhooks may go there", async () => {
  const { client, files, base, inbox_id } = await open((_, response) => response.end("inside"), []);
  await expect(
    client.messages.send({ inbox_id, to, text: "See.", attachments: [{ url: `${base}a.pdf` }] }),
  ).rejects.toMatchObject({ code: "attachment_url_refused", status: 400 });
  expect(files.connections()).toBe(0);
});

test("a mail with a fetched file is sent whole", async () => {
  const bytes = randomBytes(100_000);
  const { served, client, base, inbox_id } = await open((_, response) => response.end(bytes));
  const sent = whole(
    await client.messages.send({ inbox_id, to, text: "See.", attachments: [{ url: `${base}notes.csv` }] }),
  );
  expect(sent.attachments).toMatchObject([{ filename: "notes.csv", content_type: "text/csv" }]);
  await served.work();
  const raw = Buffer.from(served.transport.sent.at(-1)?.raw ?? "").toString();
  expect(raw.replace(/\r\n/g, "")).toContain(bytes.toString("base64").slice(0, 10_000));
});
