import { expect, test } from "vitest";
import { buildMail, signedBy } from "../../../testing/build-mail.ts";
import { createTestService } from "../../../testing/service.ts";
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
    const named = words.map((word) => (word === term.to(inbox.email) ? "to:inbox" : word));
    return named.filter((word) => !word.startsWith("from:")).sort();
  };
  return { as, email: inbox.email, inbox_id, ids, mark, rows, service, storage, subjects };
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

test("a ready mail has one row instead of one for each term that every ready mail meets, and for its inbox", async () => {
  const { mark, rows } = await openInbox();
  expect(await rows()).toEqual(["ready:here"]);
  await mark(0, "read");
  expect(await rows()).toEqual(["label:read", "label:received", "to:inbox"]);
  await mark(0, "unread");
  expect(await rows()).toEqual(["ready", "to:inbox"]);
  await mark(0, "read");
  expect(await rows()).toEqual(["label:read", "label:received", "to:inbox"]);
});

test("a ready mail that gets another label keeps its row", async () => {
  const { as, inbox_id, ids, rows } = await openInbox();
  await as.messages.update({ inbox_id, message_id: ids[0] ?? "", add_labels: ["invoice"] });
  expect(await rows()).toEqual(["label:invoice", "ready:here"]);
  await as.messages.update({ inbox_id, message_id: ids[0] ?? "", remove_labels: ["invoice"] });
  expect(await rows()).toEqual(["ready:here"]);
});

test("a list by the inbox's own address has all mail to it in order, however it is marked", async () => {
  const { email, mark, service, subjects } = await openInbox();
  const hidden = buildMail({ from: "ada@example.com", to: "list@example.com", subject: "bcc" });
  await service.receiveRaw(hidden, email, "ada@example.com", signedBy("example.com"));
  expect(await subjects({ to: email })).toEqual(NAMES.toReversed());
  expect(await subjects({ to: email, order: "asc" })).toEqual(NAMES);
  expect(await subjects({ to: email, label: ["read"] })).toEqual(["n3", "n1"]);
  expect(await subjects({ to: email, from: "ada@example.com", label: ["unread"] })).toEqual([
    "n5",
    "n4",
    "n2",
    "n0",
  ]);
  await mark(1, "unread");
  await mark(5, "read");
  expect(await subjects({ to: email, order: "asc" })).toEqual(NAMES);
  expect(await subjects({ to: "list@example.com" })).toEqual(["bcc"]);
});

test("a wait returns ready mail of both kinds, oldest first", async () => {
  const { as, inbox_id, mark } = await openInbox();
  await mark(3, "unread");
  const { data } = await as.messages.wait({ inbox_id, wait: 0 });
  expect(data.map(({ subject }) => subject)).toEqual(["n0", "n2", "n3", "n4", "n5"]);
});

test("mail of older versions, with a row for each term, is listed once, marked and deleted", async () => {
  const { as, email, inbox_id, ids, mark, rows, storage, subjects } = await openInbox();
  const [message_id = ""] = ids;
  await storage.delete("message_terms", { inbox_id, term: term.ready_here, message_id });
  for (const word of [term.ready, term.to(email), term.label("unread"), term.direction("inbound")])
    await storage.insert("message_terms", { inbox_id, term: word, message_id });
  expect(await subjects({ label: ["unread"] })).toEqual(["n5", "n4", "n2", "n0"]);
  expect(await subjects({ direction: "inbound" })).toEqual(NAMES.toReversed());
  expect(await subjects({ to: email })).toEqual(NAMES.toReversed());
  await mark(0, "read");
  expect(await rows()).toEqual(["label:read", "label:received", "to:inbox"]);
  expect(await subjects({ label: ["unread"] })).toEqual(["n5", "n4", "n2"]);
  await mark(0, "unread");
  await storage.insert("message_terms", { inbox_id, term: term.label("unread"), message_id });
  await as.messages.delete({ inbox_id, message_id });
  expect(await rows()).toEqual([]);
});
