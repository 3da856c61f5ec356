import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@letterslot/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool } from "../packages/mcp/src/tools/call-tool.ts";
import { hostOfClient } from "../packages/mcp/src/tools/host.ts";
import { toolsOf } from "../packages/mcp/src/tools/list.ts";
import { type Served, serve } from "../packages/server/testing/serve.ts";

const run = promisify(execFile);

let served: Served;
let client: ReturnType<typeof createClient>;
let inbox_id: string;
let folder: string;

beforeAll(async () => {
  served = await serve();
  const opened = await served.client().accounts.onboard({ username: "ada" });
  client = createClient({ baseUrl: served.base_url, apiKey: opened.api_key, retries: 0 });
  inbox_id = opened.inbox.id;
  folder = realpathSync(mkdtempSync(join(tmpdir(), "letterslot-files-")));
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

const to = ["olga@example.com"];
/** An address of the service at the port where it is reached here. */
const here = (url: unknown) => `${served.base_url}${String(url).slice(String(url).indexOf("/api/"))}`;
const bytesOf = async (message_id: string) => {
  const { attachments } = await client.messages.get({ inbox_id, message_id });
  const [attachment] = attachments;
  const download = await client.attachments.get({
    ...{ inbox_id, message_id, attachment_id: attachment?.id ?? "" },
  });
  return { ...attachment, bytes: download.bytes };
};
const idOf = (answer: { structuredContent?: object }) =>
  String((answer.structuredContent as { id?: string })?.id);

test("a model sends 20 MB without a byte of them in a call of a tool", async () => {
  const host = hostOfClient(client);
  const bytes = randomBytes(20_000_000);
  const path = join(folder, "large.pdf");
  writeFileSync(path, bytes);
  const calls: unknown[] = [];
  const call = async (name: string, args: Record<string, unknown>) => {
    const answer = await callTool(host, name, args);
    calls.push(args, answer);
    expect(answer.isError, JSON.stringify(answer)).toBeUndefined();
    return answer;
  };
  const upload = await call("create_upload_link", { inbox_id, filename: "large.pdf" });
  const { put_url } = upload.structuredContent as { put_url: string };
  await run("curl", ["-fsS", "-T", path, here(put_url)]);
  const sent = await call("send_message", { inbox_id, to, text: "Here.", upload_ids: [idOf(upload)] });
  const arrived = await bytesOf(idOf(sent));
  expect(arrived).toMatchObject({ filename: "large.pdf", content_type: "application/pdf" });
  expect(Buffer.compare(arrived.bytes, bytes)).toBe(0);
  expect(JSON.stringify(calls).length).toBeLessThan(5_000);

  const link = await call("get_download_link", {
    ...{ inbox_id, message_id: idOf(sent), attachment_id: arrived.id },
  });
  const { url } = link.structuredContent as { url: string };
  const saved = join(folder, "saved.pdf");
  await run("curl", ["-fsS", "-o", saved, here(url)]);
  await run("cmp", [saved, path]);
  const forwarded = await call("send_message", {
    inbox_id,
    to,
    text: "Again.",
    attachment_ids: [arrived.id],
  });
  expect((await bytesOf(idOf(forwarded))).size_bytes).toBe(20_000_000);
});

describe("over standard input and output", () => {
  const host = () => hostOfClient(client, { folders: [join(folder, "outbox")] });
  beforeAll(() => {
    mkdirSync(join(folder, "outbox", "below"), { recursive: true });
    writeFileSync(join(folder, "outbox", "below", "report.txt"), "the report");
    writeFileSync(join(folder, "secret.txt"), "secret");
    symlinkSync(join(folder, "secret.txt"), join(folder, "outbox", "link.txt"));
    symlinkSync(folder, join(folder, "outbox", "up"));
    linkSync(join(folder, "secret.txt"), join(folder, "outbox", "hard.txt"));
  });

  test("a model attaches a file by its path", async () => {
    for (const file of ["below/report.txt", join(folder, "outbox", "below", "report.txt")]) {
      const answer = await callTool(host(), "send_message", { inbox_id, to, text: "Here.", file });
      const arrived = await bytesOf(idOf(answer));
      expect(arrived.filename).toBe("report.txt");
      expect(Buffer.from(arrived.bytes).toString()).toBe("the report");
    }
  });

  test("a path is within a folder that a link leads to, as it was named and as it is", async () => {
    const linked = join(folder, "linked");
    symlinkSync(folder, linked);
    const through = hostOfClient(client, { folders: [join(linked, "outbox")] });
    const call = (file: string) => callTool(through, "send_message", { inbox_id, to, text: "Here.", file });
    for (const above of [linked, folder]) {
      const answer = await call(join(above, "outbox", "below", "report.txt"));
      expect((await bytesOf(idOf(answer))).filename).toBe("report.txt");
      for (const refused of ["outbox/link.txt", "outbox/up/secret.txt", "outbox/../secret.txt"])
        expect(await call(`${above}/${refused}`)).toMatchObject({ isError: true });
    }
  });

  test("the same call again, by its request_id, is the same mail", async () => {
    const [model, file] = [host(), "later.txt"];
    const call = (request_id: string) =>
      callTool(model, "send_message", { inbox_id, to, text: "Here.", file, request_id });
    expect(await call("once")).toMatchObject({ isError: true });
    writeFileSync(join(folder, "outbox", file), "later");
    const answers = [...(await Promise.all([call("once"), call("once")])), await call("once")];
    const sent = answers.filter(({ isError }) => isError === undefined).map(idOf);
    expect(new Set(sent).size).toBe(1);
    expect(answers.at(-1)?.isError, JSON.stringify(answers)).toBeUndefined();
    expect(JSON.stringify(answers)).not.toContain("idempotency_key_conflict");
    expect(idOf(await call("again"))).not.toBe(sent[0]);
  });

  test("a file that was corrected after a call failed is sent as it is, and after a success is another call", async () => {
    const [model, file] = [host(), "corrected.txt"];
    const write = (text: string) => writeFileSync(join(folder, "outbox", file), text);
    const call = (more: object = {}) =>
      callTool(model, "send_message", {
        inbox_id,
        to,
        text: "Here.",
        file,
        request_id: "corrected",
        ...more,
      });
    write("wrong");
    expect(await call({ to: ["nobody"] })).toMatchObject({ isError: true });
    write("as it should be");
    const sent = await call();
    expect(Buffer.from((await bytesOf(idOf(sent))).bytes).toString()).toBe("as it should be");
    expect(idOf(await call())).toBe(idOf(sent));
    write("something else");
    expect(await call()).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("idempotency_key_conflict") }],
    });
  });

  test.each([
    ["outside of the folders", () => join(folder, "secret.txt")],
    ["above them", () => "../secret.txt"],
    ["that is a link", () => "link.txt"],
    ["through a link", () => "up/secret.txt"],
    ["with another name", () => "hard.txt"],
    ["that is a folder", () => "below"],
    ["that isn't there", () => "none.txt"],
  ])("but none %s", async (_, path) => {
    const answer = await callTool(host(), "send_message", { inbox_id, to, text: "Here.", file: path() });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("file_refused") }],
    });
  });

  test("and only where the server was started with a folder", async () => {
    const caller = await host().caller();
    const send = (files: boolean) =>
      toolsOf(caller, undefined, files).find(({ name }) => name === "send_message")?.inputSchema.properties;
    expect(send(true)).toHaveProperty("file");
    expect(send(false)).not.toHaveProperty("file");
    expect(send(false)).toHaveProperty("upload_ids");
    const answer = await callTool(hostOfClient(client), "send_message", {
      inbox_id,
      to,
      text: "x",
      file: "a",
    });
    expect(answer).toMatchObject({ isError: true });
  });
});

describe("the client", () => {
  const bytes = randomBytes(300_000);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += 70_000) yield bytes.subarray(at, at + 70_000);
  }

  test.each([
    ["bytes", () => new Uint8Array(bytes)],
    ["a Blob", () => new Blob([bytes])],
    ["a stream", () => new Blob([bytes]).stream()],
    ["an iterable", () => pieces()],
  ])("uploads %s, and tells how far it is", async (_, data) => {
    const progress: number[] = [];
    const file = await client.uploads.file(
      { inbox_id, filename: "report.bin", data: data() },
      { onProgress: (sent) => void progress.push(sent) },
    );
    expect(progress.at(-1)).toBe(bytes.length);
    const sent = await client.messages.send({ inbox_id, to, text: "Here.", attachments: [file] });
    expect(Buffer.compare((await bytesOf(sent.id)).bytes, bytes)).toBe(0);
  });

  test("fails as the server says", async () => {
    const data = new Uint8Array(bytes).subarray(0, 10);
    await expect(
      client.uploads.file({ inbox_id, filename: "a.bin", data: new Blob([data]).stream(), size_bytes: 9 }),
    ).rejects.toMatchObject({ code: "upload_size_mismatch", status: 400 });
  });
});
