import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import type { Message } from "../../model/messages.ts";

const OLGA = "olga@owner.example";
const HEIDI = "heidi@owner.example";
const BOB = "bob@example.com";

async function open(owner_copy: "cc" | "bcc" | "off" = "bcc", people = [OLGA, HEIDI]) {
  const service = createTestService();
  const account = await service.signUp();
  const { as, account_id } = account;
  const inbox_id = account.inbox.id;
  for (const email of people)
    await service.letterslot.operator.accounts.authority.give({ account_id, email });
  await as.inboxes.update({ inbox_id, owner_copy });
  const olga = service.letterslot.asOwner({ email: OLGA, account_id });
  const send = async (more: object = {}): Promise<Message> => {
    const sent = await as.messages.send({ inbox_id, to: [BOB], subject: "Hi", text: "Hello.", ...more });
    if (sent.object !== "message") throw new Error("it was held");
    await service.work();
    return sent;
  };
  const envelopes = () => service.transport.sent.map(({ envelope }) => envelope.rcpt_to.toSorted());
  return { service, account, as, olga, inbox_id, send, envelopes };
}

describe("a copy for those in charge", () => {
  test("goes to everybody with authority, hidden or seen", async () => {
    const hidden = await open("bcc");
    expect(await hidden.send()).toMatchObject({ to: [BOB], cc: [], bcc: [HEIDI, OLGA] });
    expect(hidden.envelopes()).toEqual([[BOB, HEIDI, OLGA]]);
    expect(Buffer.from(hidden.service.transport.sent[0]?.raw ?? []).toString()).not.toContain(OLGA);
    const seen = await open("cc");
    expect(await seen.send()).toMatchObject({ cc: [HEIDI, OLGA], bcc: [] });
    expect(Buffer.from(seen.service.transport.sent[0]?.raw ?? []).toString()).toContain(OLGA);
  });

  test("isn't sent by default, nor where nobody is in charge, nor twice to one address", async () => {
    const off = await open("off");
    expect(await off.send()).toMatchObject({ cc: [], bcc: [] });
    const alone = await open("bcc", []);
    expect(await alone.send()).toMatchObject({ cc: [], bcc: [] });
    const both = await open("bcc");
    expect(await both.send({ cc: [OLGA] })).toMatchObject({ cc: [OLGA], bcc: [HEIDI] });
  });

  test("comes on top of 50 recipients, of budgets, and of what the account knows of recipients", async () => {
    const { as, inbox_id, service, account } = await open();
    const to = Array.from({ length: 50 }, (_, number) => `b${number}@example.com`);
    const budget = { sends_per_day: 50, new_recipients_per_day: 50, recipient_domains: ["example.com"] };
    const { api_key } = await as.keys.create({ name: "small", budget });
    const small = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    const sent = await small.messages.send({ inbox_id, to, text: "Hello." });
    expect(sent).toMatchObject({ bcc: [HEIDI, OLGA] });
    await service.work();
    const { storage } = service.letterslot.services;
    const { account_id } = account;
    expect(await storage.find("recipients", { where: { account_id, address: OLGA }, limit: 1 })).toEqual([]);
    expect((await as.metrics.rates({})).sent).toBe(50);
  });

  test("of a letter of the service itself doesn't go", async () => {
    const { service, account, envelopes } = await open();
    await service.addOwner(account, "ada@owner.example");
    expect(envelopes()).toEqual([["ada@owner.example"]]);
  });

  test("is part of what an owner approves: who is in charge since changes it", async () => {
    const { service, as, olga, inbox_id, account, envelopes } = await open("bcc", [OLGA]);
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    const draft = await as.messages.send({ inbox_id, to: [BOB], text: "Offer." });
    if (draft.object !== "draft") throw new Error("it left");
    const { digest } = await as.approvals.get({ approval_id: draft.approval_id ?? "" });
    const { account_id } = account;
    await service.letterslot.operator.accounts.authority.give({ account_id, email: HEIDI });
    await expect(
      olga.approvals.decideInSession({ approval_id: draft.approval_id ?? "", decision: "approve", digest }),
    ).rejects.toMatchObject({ code: "approval_closed" });
    const asked = await as.drafts.send({ inbox_id, draft_id: draft.id });
    if (asked.object !== "draft") throw new Error("it left");
    const anew = await as.approvals.get({ approval_id: asked.approval_id ?? "" });
    expect(anew.digest).not.toBe(digest);
    await olga.approvals.decideInSession({ approval_id: anew.id, decision: "approve", digest: anew.digest });
    await service.work();
    expect(envelopes().at(-1)).toEqual([BOB, HEIDI, OLGA]);
  });

  test("that bounces suppresses nobody and doesn't count for sending health", async () => {
    const { service, as, send } = await open("bcc", [OLGA]);
    service.transport.refuse(OLGA, "permanent_failure", "550 5.1.1 no such user", "recipient_host");
    for (let time = 0; time < 60; time++) await send({ to: [`b${time}@example.com`] });
    expect((await as.suppressions.list({})).data).toEqual([]);
    expect(await as.metrics.rates({})).toMatchObject({ sent: 60, bounced: 0 });
    expect((await as.me.get({})).restrictions).toEqual([]);
  });

  test("that comes back makes no task", async () => {
    const { service, account, as, send } = await open("cc", [OLGA]);
    await service.addOwner(account, OLGA);
    const sent = await send();
    await service.receive({
      from: OLGA,
      to: account.inbox.email,
      subject: "Hi",
      text: "Hello.",
      message_id: sent.message_id ?? "",
    });
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
  });

  test("is not among those whom a reply to all of one's own mail goes to as the caller's choice", async () => {
    const { as, inbox_id, send, olga } = await open("cc", [OLGA]);
    const sent = await send({ cc: ["carol@example.com"] });
    const again = await as.messages.replyAll({ inbox_id, message_id: sent.id, text: "And more." });
    expect(again).toMatchObject({ to: [BOB], cc: ["carol@example.com", OLGA] });
    await olga.inboxes.update({ inbox_id, owner_copy: "off" });
    const off = await as.messages.replyAll({ inbox_id, message_id: sent.id, text: "And more." });
    expect(off).toMatchObject({ to: [BOB], cc: ["carol@example.com"] });
  });
});

describe("the setting", () => {
  test("is turned on by a key, and off again by those who get the copies, or with their approval", async () => {
    const { as, olga, inbox_id, service } = await open("cc");
    expect(await as.inboxes.update({ inbox_id, owner_copy: "bcc" })).toMatchObject({ owner_copy: "bcc" });
    const asked = await as.inboxes.update({ inbox_id, owner_copy: "off" });
    expect(asked).toMatchObject({
      ...{ object: "approval", subject_type: "outbound_change", status: "pending" },
      summary: expect.stringContaining("without a copy for people in charge"),
    });
    expect(await as.inboxes.get({ inbox_id })).toMatchObject({ owner_copy: "bcc" });
    const { api_key } = await as.keys.create({ permissions: ["inbox_update"] });
    const weak = service.letterslot.as(await service.letterslot.authenticate(api_key, null));
    await expect(weak.inboxes.update({ inbox_id, owner_copy: "off" })).rejects.toMatchObject({
      code: "permission_denied",
      param: "owner_manage",
    });
    expect(await olga.inboxes.update({ inbox_id, owner_copy: "off" })).toMatchObject({ owner_copy: "off" });
    const { data } = await as.events.list({ types: ["inbox.security_changed"] });
    const ended = { inbox_id, owner_copy: "off", previous: { owner_copy: "bcc" } };
    expect(data.map((event) => event.data)).toEqual([ended]);
    await as.inboxes.update({ inbox_id, owner_copy: "bcc" });
    const { digest } = await as.approvals.get({ approval_id: asked.id });
    await service.letterslot
      .asOwner({ email: OLGA, account_id: "" })
      .approvals.decideInSession({ approval_id: asked.id, digest, decision: "approve" });
    expect(await as.inboxes.get({ inbox_id })).toMatchObject({ owner_copy: "off" });
    const after = (await as.events.list({ types: ["inbox.security_changed"] })).data;
    expect(after.map((event) => event.data)).toEqual([ended, ended]);
  });

  test("is turned off by a key with owner_manage while nobody is in charge", async () => {
    const { as, inbox_id } = await open("cc", []);
    expect(await as.inboxes.update({ inbox_id, owner_copy: "off" })).toMatchObject({ owner_copy: "off" });
  });
});
