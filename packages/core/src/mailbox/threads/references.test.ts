import { describe, expect, test } from "vitest";
import { answer, approvalOf, guarded, heldMail, letterTo } from "../../../test/approval-inbox.fixture.ts";
import { createTestService } from "../../../testing/index.ts";

const RELAY_ID = "0100018c2f3d4e5f-1a2b3c4d-aaaa-bbbb-cccc-0123456789ab-000000";
const RENAMED = `<${RELAY_ID}@email.relay.example>`;

async function open(provider_id?: string) {
  const service = createTestService();
  const { as, inbox } = await service.signUp();
  service.transport.relayAs(provider_id);
  const inbox_id = inbox.id;
  let number = 0;
  const receive = async (mail: { in_reply_to?: string; references?: string[]; message_id?: string }) => {
    number += 1;
    const report = await service.receive({
      ...{ from: "ada@example.com", to: inbox.email, text: `Words ${number}`, subject: `Mail ${number}` },
      ...mail,
    });
    return as.messages.get({ inbox_id, message_id: report.results[0]?.message_id ?? "" });
  };
  const send = async () => {
    const sent = await as.messages.send({ inbox_id, to: ["ada@example.com"], subject: "Plan", text: "Hi" });
    await service.work();
    return as.messages.get({ inbox_id, message_id: sent.id });
  };
  return { service, as, inbox_id, receive, send };
}

describe("a mail that a relay renamed", () => {
  test("has the replies to its new name in its thread", async () => {
    const { as, inbox_id, receive, send } = await open(RELAY_ID);
    const sent = await send();
    expect(sent.delivery_events).toMatchObject([{ type: "sent", provider_id: RELAY_ID }]);
    for (const mail of [
      { in_reply_to: RENAMED },
      { references: [RENAMED] },
      {
        in_reply_to: "<other@example.com>",
        references: [RENAMED.toUpperCase().replace(RELAY_ID.toUpperCase(), RELAY_ID)],
      },
      { in_reply_to: sent.message_id ?? "" },
    ])
      expect((await receive(mail)).thread_id).toBe(sent.thread_id);
    const thread = await as.threads.get({ inbox_id, thread_id: sent.thread_id });
    expect(thread.message_count).toBe(5);
  });

  test("is recognised as the inbox's own, in lists of replies and as an answered mail", async () => {
    const { as, inbox_id, receive, send } = await open(RELAY_ID);
    const sent = await send();
    await as.lists.create({ direction: "receive", type: "block", entry: "ada@example.com" });
    await as.lists.create({ direction: "reply", type: "allow", entry: "ada@example.com" });
    expect((await receive({ in_reply_to: RENAMED })).thread_id).toBe(sent.thread_id);
    const own = await receive({ message_id: RENAMED, references: [sent.message_id ?? ""] });
    const { data } = await as.messages.explain({ inbox_id, message_id: own.id });
    expect(JSON.stringify(data)).toContain("the inbox sent this message itself");
    const answered = await as.messages.send({
      inbox_id,
      to: ["ada@example.com"],
      text: "x",
      in_reply_to: RENAMED,
    });
    expect(answered).toMatchObject({ thread_id: sent.thread_id, in_reply_to: sent.message_id });
  });

  test("is forgotten with its message", async () => {
    const { service, as, inbox_id, receive, send } = await open(RELAY_ID);
    const sent = await send();
    await as.messages.delete({ inbox_id, message_id: sent.id });
    expect(await service.letterslot.services.storage.count("message_references", {}, 9)).toBe(0);
    expect((await receive({ in_reply_to: RENAMED })).thread_id).not.toBe(sent.thread_id);
  });

  test("moves with its thread when a mail before it arrives", async () => {
    const { as, service, inbox_id, receive } = await open(RELAY_ID);
    const root = await receive({ message_id: "<root@example.com>" });
    const mail = { inbox_id, to: ["ada@example.com"], text: "x", in_reply_to: "<parent@example.com>" };
    const early = await as.messages.send(mail);
    await service.work();
    await receive({ message_id: "<parent@example.com>", references: ["<root@example.com>"] });
    expect((await receive({ in_reply_to: RENAMED })).thread_id).toBe(root.thread_id);
    expect(root.thread_id).not.toBe(early.thread_id);
  });

  test.each(["OK", "queued", "4F2B1C0D", "deliveredtotheservice"])(
    "%j names nothing",
    async (provider_id) => {
      const { receive, send } = await open(provider_id);
      const sent = await send();
      expect((await receive({ in_reply_to: `<${provider_id}@relay.example>` })).thread_id).not.toBe(
        sent.thread_id,
      );
    },
  );

  test("never tells its return path", async () => {
    const { service, send, as, inbox_id } = await open();
    const { send: hand_over } = service.transport;
    service.transport.send = async (mail) => {
      const [provider_id = ""] = mail.envelope.mail_from.split("@");
      const results = await hand_over(mail);
      return results.map((result) => ({ ...result, provider_id }));
    };
    const sent = await send();
    expect(sent.status).toBe("sent");
    expect(JSON.stringify(await as.messages.get({ inbox_id, message_id: sent.id }))).not.toContain("bounce+");
  });

  test("is decided by an owner's reply to a letter that the relay renamed", async () => {
    const setting = await guarded();
    setting.service.transport.relayAs(RELAY_ID);
    const draft = await heldMail(setting);
    const { message_id } = await letterTo(setting.service);
    expect(message_id).not.toContain(RELAY_ID);
    await answer(setting.service, "APPROVE", { in_reply_to: RENAMED });
    expect(await approvalOf(setting, draft.approval_id)).toMatchObject({ status: "approved" });
    const other = await heldMail(setting, { subject: "Other" });
    await answer(setting.service, "APPROVE", { in_reply_to: RENAMED.replace("0100018c", "0200018c") });
    expect(await approvalOf(setting, other.approval_id)).toMatchObject({ status: "pending" });
  });
});

describe("Message-IDs are compared", () => {
  test("without the case of their domain, and with that of their local part", async () => {
    const { receive, send } = await open();
    const sent = await send();
    const upper = (sent.message_id ?? "").replace(/@.*/, (domain) => domain.toUpperCase());
    expect((await receive({ in_reply_to: upper })).thread_id).toBe(sent.thread_id);
    const first = await receive({ message_id: "<Local@Example.COM>" });
    expect((await receive({ references: ["<Local@example.com>"] })).thread_id).toBe(first.thread_id);
    expect((await receive({ references: ["<local@example.com>"] })).thread_id).not.toBe(first.thread_id);
    const late = await receive({ references: ["<Late@EXAMPLE.com>"] });
    expect((await receive({ message_id: "<Late@example.COM>" })).thread_id).toBe(late.thread_id);
  });

  test("as older versions stored them, too", async () => {
    const { service, receive } = await open();
    const first = await receive({ message_id: "<old@example.com>" });
    const { storage } = service.letterslot.services;
    await storage.update(
      "message_references",
      { inbox_id: first.inbox_id },
      { reference: "<old@Example.com>" },
    );
    expect((await receive({ in_reply_to: "<old@Example.com>" })).thread_id).toBe(first.thread_id);
  });
});

describe("a long chain of references", () => {
  const others = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => `<${name}${n}@x.example>`);

  test.each([0, 1, 2, 51, 101, 600])(
    "finds our mail at position %i, and is kept bounded",
    async (position) => {
      const { receive, send } = await open();
      const sent = await send();
      const references = others(700, "r");
      references[position] = sent.message_id ?? "";
      const reply = await receive({ references });
      expect(reply.thread_id).toBe(sent.thread_id);
      expect(reply.references).toHaveLength(100);
      expect([reply.references[0], reply.references.at(-1)]).toEqual([references[0], references.at(-1)]);
    },
  );

  test("belongs to the nearest of ours", async () => {
    const { receive, send } = await open();
    const [far, near] = [await send(), await send()];
    const references = [
      far.message_id ?? "",
      ...others(130, "a"),
      near.message_id ?? "",
      ...others(130, "b"),
    ];
    expect((await receive({ references })).thread_id).toBe(near.thread_id);
  });
});

describe("siblings of a mail that never came", () => {
  test("are one thread, in whatever order their references stand", async () => {
    const { as, inbox_id, receive } = await open();
    const first = await receive({ in_reply_to: "<gone@example.com>", message_id: "<1@example.com>" });
    const second = await receive({ references: ["<gone@EXAMPLE.com>", "<elsewhere@example.com>"] });
    expect(second.thread_id).toBe(first.thread_id);
    expect((await receive({ in_reply_to: "<elsewhere@example.com>" })).thread_id).toBe(first.thread_id);
    expect((await receive({ in_reply_to: "<unrelated@example.com>" })).thread_id).not.toBe(first.thread_id);
    expect((await receive({})).thread_id).not.toBe(first.thread_id);
    const mail = { inbox_id, to: ["ada@example.com"], text: "x" };
    const sent = await as.messages.send({ ...mail, in_reply_to: "<gone@example.com>" });
    expect(sent.thread_id).toBe(first.thread_id);
    expect((await receive({ message_id: "<gone@example.com>" })).thread_id).toBe(first.thread_id);
  });

  test("stay together when the first of them is deleted, and apart in different inboxes", async () => {
    const { service, as, inbox_id, receive } = await open();
    const first = await receive({ in_reply_to: "<gone@example.com>" });
    const second = await receive({ in_reply_to: "<gone@example.com>" });
    await as.messages.delete({ inbox_id, message_id: first.id });
    expect((await receive({ in_reply_to: "<gone@example.com>" })).thread_id).toBe(second.thread_id);
    const other = await service.signUp("other");
    const mail = { from: "ada@example.com", to: other.inbox.email, in_reply_to: "<gone@example.com>" };
    const { results } = await service.receive(mail);
    const elsewhere = await other.as.messages.get({
      inbox_id: other.inbox.id,
      message_id: results[0]?.message_id ?? "",
    });
    expect(elsewhere.thread_id).not.toBe(second.thread_id);
  });
});
