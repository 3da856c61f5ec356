import { whole } from "@letterslot/client";
import { createTextExtraction } from "@letterslot/text-extraction";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

const textExtraction = createTextExtraction({ threads: 1 });
let served: Served;
let client: ReturnType<Served["client"]>;
let inbox_id: string;
let api_key: string;

beforeAll(async () => {
  served = await serve({ config: { textExtraction } });
  const opened = await served.client().accounts.onboard({ username: "ada" });
  api_key = opened.api_key;
  client = served.client(api_key);
  inbox_id = opened.inbox.id;
});
afterAll(async () => {
  await served.close();
  await textExtraction.close();
});

async function textOf(filename: string, content_type: string, content: Buffer): Promise<Response> {
  const attachments = [{ filename, content_type, content_base64: content.toString("base64") }];
  const sent = whole(
    await client.messages.send({
      inbox_id,
      to: ["eve@example.com"],
      subject: "Files",
      text: "There.",
      attachments,
    }),
  );
  const path = `/api/v1/inboxes/${inbox_id}/messages/${sent.id}/attachments/${sent.attachments[0]?.id}/text`;
  return served.fetch(`${served.base_url}${path}`, { headers: { authorization: `Bearer ${api_key}` } });
}

test("text is returned as a plain text file with its headers", async () => {
  const response = await textOf("notes.csv", "text/csv", Buffer.from("größe,2\n"));
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("größe,2\n");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "content-disposition": 'attachment; filename="notes.csv"',
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cache-control": "private",
  });
  expect(response.headers.has("cross-origin-resource-policy")).toBe(false);
});

test("headers say whether the text was truncated or is empty", async () => {
  const long = await textOf("a.txt", "text/plain", Buffer.from("x".repeat(200_001)));
  expect([long.headers.get("x-svc-text-truncated"), (await long.text()).length]).toEqual(["1", 200_000]);
  const none = await textOf("a.txt", "text/plain", Buffer.from(" \n"));
  expect([none.status, none.headers.get("x-svc-text-empty"), await none.text()]).toEqual([200, "1", ""]);
});

test.each([
  [415, "text_extraction_unsupported", "a.png", "image/png", Buffer.from("png")],
  [400, "text_extraction_failed", "a.pdf", "application/pdf", Buffer.from("no PDF")],
  [400, "attachment_too_large", "a.txt", "text/plain", Buffer.alloc(10 * 1024 * 1024 + 1, "a")],
])("%i %s", async (status, code, filename, type, content) => {
  const response = await textOf(filename, type, content);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code } });
});
