import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { whole } from "@letterslot/client";
import { LIMITS } from "@letterslot/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Served, serve } from "../../testing/serve.ts";

let served: Served;
let inbox_id: string;
let client: ReturnType<Served["client"]>;
const logged: string[] = [];

beforeAll(async () => {
  const note = (...words: unknown[]) => void logged.push(JSON.stringify(words));
  served = await serve({ log: { info: note, warn: note, error: note } });
  const opened = await served.client().accounts.onboard({ username: "ada" });
  client = served.client(opened.api_key);
  inbox_id = opened.inbox.id;
});
afterAll(() => served.close());

/** The address of an upload at this server, whose links name another host. */
const hereOf = ({ put_url }: { put_url: string }) => {
  const { pathname, search } = new URL(put_url);
  return `${served.base_url}${pathname}${search}`;
};
const put = (upload: { put_url: string }, body: Uint8Array<ArrayBuffer> | ReadableStream) =>
  fetch(hereOf(upload), { method: "PUT", body, duplex: "half" });
const create = (more: { size_bytes?: number } = {}) =>
  client.uploads.create({ inbox_id, filename: "report.pdf", ...more });

/** A PUT as it goes over the wire, as far as `body` goes. */
async function begin(upload: { put_url: string }, headers: string, body: Uint8Array | string) {
  const url = new URL(hereOf(upload));
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  socket.on("error", () => undefined);
  socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n`);
  socket.write(body);
  const answer = once(socket, "data").then(([bytes]) => String(bytes));
  answer.catch(() => undefined);
  return { socket, answer };
}

describe("the address of an upload", () => {
  test("takes one PUT without a key, and mail is sent with it", async () => {
    const bytes = randomBytes(300_000);
    const upload = await create({ size_bytes: bytes.length });
    const response = await put(upload, bytes);
    expect(response.status).toBe(200);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    expect(await response.json()).toMatchObject({ object: "upload", id: upload.id, status: "ready", sha256 });
    const sent = whole(
      await client.messages.send({
        ...{ inbox_id, to: ["olga@example.com"], text: "See.", attachments: [{ upload_id: upload.id }] },
      }),
    );
    expect(sent.attachments).toMatchObject([
      { filename: "report.pdf", content_type: "application/pdf", size_bytes: bytes.length },
    ]);
  });

  test("takes a body of unknown length, in chunks", async () => {
    const upload = await create();
    const body = new ReadableStream({
      start(controller) {
        for (let count = 0; count < 10; count++) controller.enqueue(randomBytes(50_000));
        controller.close();
      },
    });
    expect(await (await put(upload, body)).json()).toMatchObject({ status: "ready", size_bytes: 500_000 });
  });

  test("keeps nothing of a PUT that breaks off, and takes the next one", async () => {
    const upload = await create();
    const { socket } = await begin(upload, "Content-Length: 100000", randomBytes(50_000));
    await new Promise((resolve) => setTimeout(resolve, 20));
    socket.destroy();
    await once(socket, "close");
    expect(await client.uploads.get({ inbox_id, upload_id: upload.id })).toMatchObject({ status: "waiting" });
    expect((await put(upload, randomBytes(100_000))).status).toBe(200);
  });

  test("refuses a body one byte too long, before it is sent or as soon as it is", async () => {
    const upload = await create();
    const declared = await begin(upload, `Content-Length: ${LIMITS.message_bytes + 1}`, "");
    expect(await declared.answer).toMatch(/^HTTP\/1\.1 413 [^]*"upload_too_large"/);
    declared.socket.destroy();
    const small = await create({ size_bytes: 4 });
    const chunked = await begin(small, "Transfer-Encoding: chunked", "5\r\nfives\r\n0\r\n\r\n");
    expect(await chunked.answer).toMatch(/^HTTP\/1\.1 400 [^]*"upload_size_mismatch"/);
    chunked.socket.destroy();
    expect((await put(small, Buffer.from("four"))).status).toBe(200);
  });

  test("is one of 50 at once, and another is taken when one of them has ended", async () => {
    const uploads = [];
    for (let count = 0; count < 51; count++) uploads.push(await create({ size_bytes: 100 }));
    const [last, ...others] = uploads;
    const head = "Content-Length: 100\r\nExpect: 100-continue";
    const open = await Promise.all(others.map((upload) => begin(upload, head, "")));
    // It says so once it reads them.
    for (const { answer } of open) expect(await answer).toContain("100 Continue");
    const bytes = randomBytes(100);
    if (last === undefined) throw new Error("there are no uploads");
    const refused = await put(last, bytes);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({ error: { code: "too_many_bytes" } });
    open[0]?.socket.destroy();
    await expect.poll(async () => (await put(last, bytes)).status).toBe(200);
    for (const { socket } of open) socket.destroy();
    for (const { id: upload_id } of uploads) await client.uploads.delete({ inbox_id, upload_id });
  });

  test("is nobody's with another word, and takes no other method", async () => {
    for (const path of ["/api/v1/uploads", `/api/v1/uploads?word=lsu${"a2".repeat(19)}`]) {
      const response = await served.fetch(`${served.base_url}${path}`, { method: "PUT", body: "x" });
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: "upload_not_found" } });
    }
    const response = await served.fetch(`${served.base_url}/api/v1/uploads`, { method: "POST", body: "x" });
    expect(response.status).toBe(405);
  });

  test("stands in no log, no event and no answer to another call", async () => {
    const upload = await create();
    const word = new URL(upload.put_url).searchParams.get("word") ?? "";
    await put(upload, Buffer.from("bytes"));
    await put(upload, Buffer.from("others"));
    await fetch(`${hereOf(upload)}&more=1`);
    const seen = JSON.stringify([
      await client.uploads.get({ inbox_id, upload_id: upload.id }),
      await client.events.list({}),
    ]);
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join("\n")).toContain("/api/v1/uploads");
    expect(logged.join("\n") + seen).not.toContain(word);
  });
});
