import { expect, test } from "vitest";
import { createTestService } from "../../testing/service.ts";
import { term } from "./terms.ts";

const NAMES = ["n0", "n1", "n2", "n3", "n4", "n5"];

/** An inbox with six mails, of which the second and the fourth were read. */
async function openInbox() {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  const inbox_id = inbox.id;
  const { storage } = service.letterslot.services;
  for (const subject of NAMES) await service.receive({ from: "ada@example.com", to: inbox.email, subject });
  const { data } = await as.messages.list({ inbox_id, order: "asc" });
  const ids = data.map(({ id }) => id);
  const mark = (at: number, label: "read" | "unread") =>
    as.messages.update({ inbox_id, message_id: ids[at] ?? "", add_labels: [label] });
  await mark(1, "read");
  await mark(3, "read");
  const subjects = async (filter: Record<string, unknown>) => {
    const found: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await as.messages.list({ inbox_id, limit: 2, ...(cursor && { cursor }), ...filter });
      found.push(...page.data.map(({ subject }) => subject));
      if (page.next_cursor === null) return found;
      cursor = page.next_cursor;
    }
  };
  const rows = async () => {
    const all = await storage.find("message_terms", { where: { inbox_id }, limit: 100 });
    const words = all.filter(({ message_id }) => message_id === ids[0]).map((row) => row.term);
    return words.filter((word) => !/^(?:from|to):/.test(word)).sort();
  };
  return { as, inbox_id, ids, mark, rows, storage, subjects };
}

test("a list of unread or of received mail has all of it in order, whether it is ready or not", async () => {
  const { mark, subjects } = await openInbox();
  expect(await subjects({ label: ["unread"], order: "asc" })).toEqual(["n0", "n2", "n4", "n5"]);
  expect(await subjects({ direction: "inbound" })).toEqual(NAMES.toReversed());
  expect(await subjects({ direction: "inbound", order: "asc" })).toEqual(NAMES);
  expect(await subjects({ label: ["unread"], direction: "inbound" })).toEqual(["n5", "n4", "n2", "n0"]);
  await mark(3, "unread");
  await mark(4, "read");
  expect(await subjects({ label: ["unread"] })).toEqual(["n5", "n3", "n2", "n0"]);
  expect(await subjects({ label: ["read"], direction: "inbound", order: "asc" })).toEqual(["n1", "n4"]);
});

test("a ready mail has one row instead of one for each term that every ready mail meets", async () => {
  const { mark, rows } = await openInbox();
  expect(await rows()).toEqual(["ready"]);
  await mark(0, "read");
  expect(await rows()).toEqual(["label:read", "label:received"]);
});

test("mail of older versions, with a row for each term, is listed once, marked and deleted", async () => {
  const { as, inbox_id, ids, mark, rows, storage, subjects } = await openInbox();
  const [message_id = ""] = ids;
  for (const word of [term.label("unread"), term.direction("inbound")])
    await storage.insert("message_terms", { inbox_id, term: word, message_id });
  expect(await subjects({ label: ["unread"] })).toEqual(["n5", "n4", "n2", "n0"]);
  expect(await subjects({ direction: "inbound" })).toEqual(NAMES.toReversed());
  await mark(0, "read");
  expect(await rows()).toEqual(["label:read", "label:received"]);
  expect(await subjects({ label: ["unread"] })).toEqual(["n5", "n4", "n2"]);
  await mark(0, "unread");
  await storage.insert("message_terms", { inbox_id, term: term.label("unread"), message_id });
  await as.messages.delete({ inbox_id, message_id });
  expect(await rows()).toEqual([]);
});
