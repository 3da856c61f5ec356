import { expect, test } from "vitest";
import { createManualClock, createMemoryBlobs, createTestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { runContentTask } from "../../mail/content-tasks.ts";
import { rawMail } from "../../mailbox/messages/index.ts";

const CHINESE = "<p>今天天气很好";
const HTML = CHINESE.repeat(Math.floor(LIMITS.body_chars / CHINESE.length));
const TEXT = "x".repeat(LIMITS.body_chars);
const to = ["bo@example.org"];

/** An account of a service with another thread for content, and the names of the tasks that it was given. */
async function opened() {
  const tasks: string[] = [];
  const service = createTestService({
    contentWorker: {
      run(name, input) {
        tasks.push(name);
        return runContentTask(name, structuredClone(input));
      },
    },
  });
  const { as, inbox } = await service.signUp("ada-main");
  tasks.length = 0;
  return { as, inbox_id: inbox.id, tasks, services: service.letterslot.services };
}

test.each<[string, (as: Awaited<ReturnType<typeof opened>>["as"], inbox_id: string) => Promise<unknown>]>([
  ["a mail", (as, inbox_id) => as.messages.send({ inbox_id, to, html: HTML })],
  ["a draft", (as, inbox_id) => as.drafts.create({ inbox_id, to, html: HTML })],
])("the size of %s of long HTML is measured in the other thread", async (_, call) => {
  const { as, inbox_id, tasks } = await opened();
  await call(as, inbox_id);
  expect(tasks).toContain("composedSize");
});

test("a long mail that is injected is composed in the other thread", async () => {
  const { as, inbox_id, tasks } = await opened();
  const injected = await as.messages.inject({ inbox_id, from: "eve@example.com", text: TEXT });
  expect(injected.text).toBe(TEXT);
  expect(tasks[0]).toBe("composeMail");
});

test("a mail whose HTML makes it too large only as it is composed is refused as on the same thread", async () => {
  const { as, inbox_id, tasks } = await opened();
  const attachments = [{ filename: "a.bin", content_base64: Buffer.alloc(25_200_000).toString("base64") }];
  const html = "<blockquote>".repeat(50) + "<p>x".repeat(240_000);
  const sent = as.messages.send({ inbox_id, to, html, attachments });
  expect(await sent.catch(({ code }: { code: string }) => code)).toBe("message_too_large");
  expect(tasks).toContain("composedSize");
});

const filesOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, nth) => ({
    filename: `${nth}.bin`,
    content_base64: Buffer.alloc(bytes, nth + 1).toString("base64"),
  }));

test("a large file that is stored already is not stored again", async () => {
  let read = 0;
  async function* counted(pieces: AsyncIterable<Uint8Array>) {
    for await (const piece of pieces) {
      read += piece.length;
      yield piece;
    }
  }
  const memory = createMemoryBlobs(createManualClock());
  const service = createTestService({
    blobs: { ...memory, putStream: (pieces, known) => memory.putStream(counted(pieces), known) },
  });
  const { as, inbox } = await service.signUp();
  const send = { inbox_id: inbox.id, to, text: "See the file", attachments: filesOf(1, 300_000) };
  for (let round = 0; round < 2; round++)
    expect((await as.messages.send(send)).attachments).toMatchObject([{ size_bytes: 300_000 }]);
  expect(read).toBe(300_000);
});

/** The turns of the event loop that go by during some work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work();
  over = true;
  return turns;
}

test("a mail of many files is written in many turns of the event loop", async () => {
  const { as, inbox_id, services } = await opened();
  const attachments = filesOf(40, 200_000);
  const { id } = await as.messages.send({ inbox_id, to, text: "See the files", attachments });
  const message = await services.storage.get("messages", id);
  if (message === undefined) throw new Error("the message is gone");
  const write = async ({ stream }: Awaited<ReturnType<typeof rawMail>>) => {
    for await (const _ of stream);
  };
  // The first one waits for what is loaded with it.
  await write(await rawMail(services, message));
  const raw = await rawMail(services, message);
  expect(await turnsDuring(() => write(raw))).toBeGreaterThan(35);
});
