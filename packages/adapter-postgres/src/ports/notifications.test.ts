import { expect, test } from "vitest";
import type { Database, Statement } from "../connections/database.ts";
import { createNotifications } from "./notifications.ts";

/** A database that answers each statement on command. */
function createHeldDatabase() {
  const sent: { messages: string[]; answer(): void; fail(): void }[] = [];
  const run = ({ parameters }: Statement) =>
    new Promise((resolve, reject) => {
      const payloads = parameters[1] as string[];
      const messages = payloads.flatMap((payload) => (JSON.parse(payload) as string[]).slice(1));
      const answer = () => resolve({ rows: [], count: 0, command: "SELECT" });
      sent.push({ messages, answer, fail: () => reject(new Error("unreachable")) });
    });
  return { notifications: createNotifications({ run } as unknown as Database, "channel"), sent };
}

const messagesOf = ({ sent }: ReturnType<typeof createHeldDatabase>) => sent.map(({ messages }) => messages);

test("what is published in one turn, and while others are sent, goes out together", async () => {
  const held = createHeldDatabase();
  const first = ["a", "b"].map((message) => held.notifications.publish([message]));
  await expect.poll(() => messagesOf(held)).toEqual([["a", "b"]]);
  const second = ["c", "d", "c"].map((message) => held.notifications.publish([message]));
  held.sent[0]?.answer();
  await Promise.all(first);
  await expect
    .poll(() => messagesOf(held))
    .toEqual([
      ["a", "b"],
      ["c", "d"],
    ]);
  held.sent[1]?.answer();
  await Promise.all(second);
});

test("a publisher doesn't wait for what is published after it", async () => {
  const held = createHeldDatabase();
  const first = held.notifications.publish(["a"]);
  await expect.poll(() => held.sent.length).toBe(1);
  const second = held.notifications.publish(["b"]);
  held.sent[0]?.answer();
  await expect(first).resolves.toBeUndefined();
  await expect.poll(() => held.sent.length).toBe(2);
  held.sent[1]?.answer();
  await second;
});

test("a failure is that of its publishers alone", async () => {
  const held = createHeldDatabase();
  const failing = held.notifications.publish(["a"]);
  await expect.poll(() => held.sent.length).toBe(1);
  const later = held.notifications.publish(["b"]);
  held.sent[0]?.fail();
  await expect(failing).rejects.toThrow("unreachable");
  await expect.poll(() => messagesOf(held)).toEqual([["a"], ["b"]]);
  held.sent[1]?.answer();
  await later;
  await held.notifications.close();
});
