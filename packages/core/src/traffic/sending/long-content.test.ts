import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { runContentTask } from "../../mail/content-tasks.ts";

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
  return { as, inbox_id: inbox.id, tasks };
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
