import { expect, test } from "vitest";
import { createTestService } from "../../../testing/service.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { listMessages, type MessageFilter } from "./list.ts";

/** An inbox with four unread mails, and what a list of it finds while something happens after its nth reading. */
async function openInbox() {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  const { storage } = service.letterslot.services;
  for (const subject of ["n0", "n1", "n2", "n3"])
    await service.receive({ from: "ada@example.com", to: inbox.email, subject });
  const { data } = await as.messages.list({ inbox_id: inbox.id, order: "asc" });
  const ids = data.map(({ id }) => id);
  const at = (index: number) => ({ inbox_id: inbox.id, message_id: ids[index] ?? "" });
  const list = async (
    filter: Partial<MessageFilter>,
    limit: number,
    { after_reading, happens }: { after_reading: number; happens: () => Promise<unknown> },
  ) => {
    let readings = 0;
    const reader: StorageReader = {
      ...storage,
      async find(table, query) {
        const found = await storage.find(table, query);
        readings += 1;
        if (readings === after_reading) await happens();
        return found;
      },
    };
    const found = await listMessages(
      reader,
      { inbox_id: inbox.id, order: "asc", ...filter },
      undefined,
      limit,
    );
    return found.map(({ subject }) => subject);
  };
  const mark = (index: number, label: "read" | "unread") =>
    as.messages.update({ ...at(index), add_labels: [label] });
  return { list, mark, remove: (index: number) => as.messages.delete(at(index)) };
}

test.each([1, 2, 3])("mail that is marked as read after reading %i isn't missed", async (after_reading) => {
  const { list, mark } = await openInbox();
  const found = list({ direction: "inbound" }, 10, { after_reading, happens: () => mark(1, "read") });
  expect(await found).toEqual(["n0", "n1", "n2", "n3"]);
});

test.each([1, 2, 3])("mail that is marked as unread after reading %i isn't missed", async (after_reading) => {
  const { list, mark } = await openInbox();
  await mark(2, "read");
  const found = list({ direction: "inbound" }, 10, { after_reading, happens: () => mark(2, "unread") });
  expect(await found).toEqual(["n0", "n1", "n2", "n3"]);
});

test("mail that is deleted while it is listed doesn't end the list", async () => {
  const { list, remove } = await openInbox();
  const found = list({ direction: "inbound" }, 2, { after_reading: 3, happens: () => remove(0) });
  expect(await found).toEqual(["n1", "n2"]);
});
