import { describe, expect, test } from "vitest";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";

async function open() {
  const service = createTestService();
  const account = await service.signUp();
  return { service, account, as: account.as, inbox_id: account.inbox.id };
}

async function receive(service: TestService, { inbox }: TestAccount, name: string, follows?: string) {
  const { results } = await service.receive({
    from: "ada@example.com",
    to: inbox.email,
    text: `Words of ${name}`,
    message_id: `<${name}@example.com>`,
    ...(follows === undefined ? {} : { references: [`<${follows}@example.com>`] }),
  });
  await service.clock.advance(1000);
  return results[0]?.message_id ?? "";
}

async function twoThreads() {
  const setting = await open();
  const { service, account, as, inbox_id } = setting;
  const message_ids = [await receive(service, account, "a"), await receive(service, account, "b")];
  const [a, b] = await Promise.all(
    message_ids.map(async (message_id) => (await as.messages.get({ inbox_id, message_id })).thread_id),
  );
  return { ...setting, a: a ?? "", b: b ?? "" };
}

const idsOf = (list: { data: { id: string }[] }) => list.data.map(({ id }) => id);

describe("a thread's folder", () => {
  test("is the inbox at first, and lists show every folder unless one is named", async () => {
    const { as, inbox_id, a, b } = await twoThreads();
    expect((await as.threads.get({ inbox_id, thread_id: a })).folder).toBe("inbox");
    const moved = await as.threads.move({ inbox_id, thread_ids: [a, "thr_other", a], folder: "archive" });
    expect(moved).toMatchObject({ object: "list", moved: 1, not_found: ["thr_other"], has_more: false });
    expect(moved.data).toMatchObject([{ id: a, folder: "archive" }]);
    expect(idsOf(await as.threads.list({ inbox_id }))).toEqual([b, a]);
    expect(idsOf(await as.threads.list({ inbox_id, folder: "archive" }))).toEqual([a]);
    expect(idsOf(await as.threads.listAll({ folder: "inbox" }))).toEqual([b]);
    expect(await as.threads.move({ inbox_id, thread_ids: [a], folder: "archive" })).toMatchObject({
      moved: 0,
      not_found: [],
    });
  });

  test("changes with an event that says where it was", async () => {
    const { as, inbox_id, a, b } = await twoThreads();
    await as.threads.move({ inbox_id, thread_ids: [b, a], folder: "spam" });
    const { data } = await as.events.list({ types: ["thread.folder_updated"] });
    expect(data.map((event) => event.data)).toEqual([
      { thread_id: b, folder: "spam", previous: "inbox" },
      { thread_id: a, folder: "spam", previous: "inbox" },
    ]);
  });

  test("another inbox's thread is not found, whatever its id", async () => {
    const { service, as, inbox_id, a } = await twoThreads();
    const other = await service.signUp("eve");
    const elsewhere = { inbox_id: other.inbox.id, thread_ids: [a], folder: "spam" as const };
    expect(await other.as.threads.move(elsewhere)).toMatchObject({ data: [], moved: 0, not_found: [a] });
    expect((await as.threads.get({ inbox_id, thread_id: a })).folder).toBe("inbox");
  });

  test("is the inbox again once mail comes to an archived thread, and only then", async () => {
    const { service, account, as, inbox_id, a, b } = await twoThreads();
    await as.threads.move({ inbox_id, thread_ids: [a], folder: "archive" });
    await as.threads.move({ inbox_id, thread_ids: [b], folder: "spam" });
    const [ofA] = (await as.messages.list({ inbox_id, thread_id: a })).data;
    await as.messages.reply({ inbox_id, message_id: ofA?.id ?? "", text: "Our own answer." });
    expect((await as.threads.get({ inbox_id, thread_id: a })).folder).toBe("archive");
    await receive(service, account, "a2", "a");
    await receive(service, account, "b2", "b");
    expect((await as.threads.get({ inbox_id, thread_id: a })).folder).toBe("inbox");
    expect((await as.threads.get({ inbox_id, thread_id: b })).folder).toBe("spam");
    const { data } = await as.events.list({ types: ["thread.folder_updated"] });
    expect(data.at(-1)?.data).toEqual({ thread_id: a, folder: "inbox", previous: "archive" });
  });

  test("more than 100 threads at once are refused", async () => {
    const { as, inbox_id } = await open();
    const thread_ids = Array.from({ length: 101 }, (_, number) => `thr_${number}`);
    await expect(as.threads.move({ inbox_id, thread_ids, folder: "spam" })).rejects.toMatchObject({
      code: "too_many_ids",
    });
  });
});
