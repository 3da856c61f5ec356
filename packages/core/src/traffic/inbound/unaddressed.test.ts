import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { parseMail } from "../../mail/parse.ts";

async function received(lines: readonly string[], screening: "off" | "hold" = "off") {
  const service = createTestService();
  const { as, inbox, api_key } = await service.signUp("agent");
  const inbox_id = inbox.id;
  await as.inboxes.update({ inbox_id, screening });
  const raw = Buffer.from([...lines, "Message-ID: <1@a.example>", "", "Hello."].join("\r\n"));
  const envelope = {
    mail_from: "bounce@a.example",
    rcpt_to: [inbox.email],
    client_ip: "192.0.2.1",
    helo: "a",
  };
  const report = await service.letterslot.receive({ raw, envelope, origin: "smtp" });
  const message_id = report.results[0]?.message_id ?? "";
  return { service, as, inbox, inbox_id, message_id, api_key };
}

test("entries without an address are told by field and name, never as an empty address", async () => {
  const { as, inbox, inbox_id, message_id } = await received([
    "From: Ada <ada@a.example>",
    "Reply-To: The Office",
    "To: agent-team, Bo <bo@a.example>, undisclosed",
    "Cc: Cy at c.example, cy@c.example",
  ]);
  const message = await as.messages.get({ inbox_id, message_id });
  expect(message).toMatchObject({
    from: "ada@a.example",
    to: ["bo@a.example"],
    cc: ["cy@c.example"],
    reply_to: null,
    to_names: ["Bo"],
    unaddressed: [
      { field: "reply_to", name: "The Office" },
      { field: "to", name: "agent-team" },
      { field: "to", name: "undisclosed" },
      { field: "cc", name: "Cy at c.example" },
    ],
  });
  const { data } = await as.messages.list({ inbox_id, view: "summary" });
  expect(data[0]?.unaddressed).toEqual(message.unaddressed);
  const events = await as.events.list({ after: "0", types: ["message.received"] });
  expect(JSON.stringify(events.data)).toContain('"unaddressed":[{"field":"reply_to"');
  const thread = await as.threads.get({ inbox_id, thread_id: message.thread_id });
  expect(JSON.stringify(thread)).not.toContain('"address":""');

  const reply = await as.messages.reply({ inbox_id, message_id, text: "Yes." });
  expect(reply).toMatchObject({ to: ["ada@a.example"] });
  const all = await as.messages.replyAll({ inbox_id, message_id, text: "Yes, all." });
  expect(all).toMatchObject({ to: ["ada@a.example", "bo@a.example"], cc: ["cy@c.example"] });
  const forward = await as.messages.forward({ inbox_id, message_id, to: ["di@d.example"] });
  expect(JSON.stringify(forward)).not.toMatch(/To: ,|, ,/);
  expect(inbox.email).not.toBe("");
});

test("a mail whose author names no address keeps an empty one, and no reply to it is made", async () => {
  const { as, inbox_id, message_id, service } = await received(["From: The Office", "To: The Team"]);
  const message = await as.messages.get({ inbox_id, message_id });
  expect(message).toMatchObject({
    from: "",
    from_name: "The Office",
    to: [],
    unaddressed: [
      { field: "from", name: "The Office" },
      { field: "to", name: "The Team" },
    ],
  });
  const refused = { code: "no_reply_address", kind: "conflict" };
  await expect(as.messages.reply({ inbox_id, message_id, text: "x" })).rejects.toMatchObject(refused);
  await expect(as.messages.replyAll({ inbox_id, message_id, text: "x" })).rejects.toMatchObject(refused);
  for (const kind of ["reply", "reply_all"] as const)
    await expect(
      as.drafts.create({ inbox_id, kind, in_reply_to: message_id, text: "x" }),
    ).rejects.toMatchObject(refused);
  const { text } = await as.messages.marked({ inbox_id, message_id });
  expect(text).toContain('from no address (display name "The Office") to nobody');
  const forward = await as.messages.forward({ inbox_id, message_id, to: ["di@d.example"] });
  expect(forward).toMatchObject({ text: expect.stringContaining("From: The Office\n") });
  expect(service.transport.sent.flatMap(({ envelope }) => envelope.rcpt_to)).not.toContain("");
});

test("a Reply-To with an address beside one without counts, and who else is there still gets a reply to all", async () => {
  const { as, inbox_id, message_id } = await received([
    "From: The Office",
    "Reply-To: Somebody, Ada <ada@a.example>",
    "To: Bo <bo@a.example>",
  ]);
  const reply = await as.messages.reply({ inbox_id, message_id, text: "x" });
  expect(reply).toMatchObject({ to: ["ada@a.example"] });
  const other = await received(["From: The Office", "To: Bo <bo@a.example>"]);
  const all = await other.as.messages.replyAll({
    inbox_id: other.inbox_id,
    message_id: other.message_id,
    text: "x",
  });
  expect(all).toMatchObject({ to: ["bo@a.example"] });
});

test("a reply to a task whose mail has no address is refused too", async () => {
  const { as, inbox_id, message_id, service } = await received(["From: The Office", "To: The Team"]);
  const { storage, makeId } = service.letterslot.services;
  const [message] = await storage.find("messages", { where: { id: message_id }, limit: 1 });
  if (message === undefined) throw new Error("there is no message");
  const { openTask } = await import("../../owners/tasks/index.ts");
  const facts = { trusted: false, owner_id: null, update_task_id: null };
  const task = openTask(makeId, message, facts, service.clock.now());
  await storage.transaction(async (tx) => tx.append("tasks", [task]));
  await expect(as.tasks.reply({ task_id: task.id, text: "x" })).rejects.toMatchObject({
    code: "no_reply_address",
  });
  expect(inbox_id).toBe(task.inbox_id);
});

test("many entries without an address are told as far as a message has room", async () => {
  const names = Array.from({ length: 500 }, (_, index) => `name${index}`).join(", ");
  const mail = await parseMail(Buffer.from(`From: a@a.example\r\nTo: ${names}\r\n\r\nx`));
  expect(mail.to).toEqual([]);
  expect(mail.unaddressed).toHaveLength(100);
});
