import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";

const LETTER_ADDRESS = `r+${"a".repeat(26)}@letterslot.localhost`;

/** An inbox that received a mail with these header lines, at its own address or another of its spellings. */
async function received(lines: readonly string[], rcpt_to?: string) {
  const service = createTestService();
  const account = await service.signUp("agent");
  const { as, inbox } = account;
  const raw = Buffer.from([...lines, "Message-ID: <1@a.example>", "", "Hello."].join("\r\n"));
  const envelope = {
    ...{ mail_from: "bounce@a.example", client_ip: "192.0.2.1", helo: "a" },
    rcpt_to: [rcpt_to ?? inbox.email],
  };
  const report = await service.letterslot.receive({ raw, envelope, origin: "smtp" });
  const named = { inbox_id: inbox.id, message_id: report.results[0]?.message_id ?? "" };
  const draft = { inbox_id: inbox.id, in_reply_to: named.message_id, text: "Yes." };
  return { service, account, as, inbox, named, draft, one: { ...named, text: "Yes." } };
}

describe("a mail with several addresses in Reply-To", () => {
  test.each([
    ["separated by commas", "Ada <one@dest.example>, two@dest.example"],
    ["in a group", "Team: Ada <one@dest.example>, two@dest.example;"],
    [
      "with one twice and one without an address",
      "Ada <one@dest.example>, TWO@dest.example, two@dest.example, Bo",
    ],
  ])("%s is answered to all of them, and shows them", async (_name, reply_to) => {
    const { as, one, named, ...it } = await received([
      "From: list@a.example",
      "To: agent@x.example",
      `Reply-To: ${reply_to}`,
    ]);
    const message = await as.messages.get(named);
    const second = expect.stringMatching(/^two@dest\.example$/i) as string;
    expect(message.reply_to).toBe("one@dest.example");
    expect([message.reply_to_all[0], message.reply_to_all[1]]).toEqual(["one@dest.example", second]);
    const to = ["one@dest.example", second];
    expect(await as.messages.reply(one)).toMatchObject({ to, cc: [] });
    expect(await as.messages.replyAll(one)).toMatchObject({ to: [...to, "agent@x.example"] });
    const draft = await as.drafts.create({ ...it.draft, kind: "reply" });
    expect(draft).toMatchObject({ to });
    const { data } = await as.messages.list({
      inbox_id: one.inbox_id,
      direction: "inbound",
      view: "summary",
    });
    expect(data[0]?.reply_to_all).toEqual(message.reply_to_all);
    const events = await as.events.list({ after: "0", types: ["message.received"] });
    expect(events.data[0]?.data).toMatchObject({ message: { reply_to_all: message.reply_to_all } });
  });

  test("without Reply-To there are none, and a sent mail has its own", async () => {
    const { as, one, named } = await received(["From: ada@a.example", "To: agent@x.example"]);
    expect(await as.messages.get(named)).toMatchObject({ reply_to: null, reply_to_all: [] });
    const sent = { inbox_id: one.inbox_id, to: ["bo@a.example"], text: "x" };
    expect(await as.messages.send({ ...sent, reply_to: "desk@a.example" })).toMatchObject({
      reply_to: "desk@a.example",
      reply_to_all: ["desk@a.example"],
    });
    expect(await as.messages.send(sent)).toMatchObject({ reply_to: null, reply_to_all: [] });
  });
});

describe("an inbox's own address", () => {
  const people = [
    "From: Bo <bo@a.example>",
    "To: Me <AGENT+orders@LetterSlot.localhost>, agent@letterslot.localhost, cy@c.example, CY@c.example",
    "Cc: agent+x@letterslot.localhost, Cy Again <cy@C.example>, di@d.example, bo@a.example",
  ];

  test("is dropped from a reply to all in every spelling, and everybody else is there once", async () => {
    const { as, one } = await received(people);
    const everybody = { to: ["bo@a.example", "cy@c.example"], cc: ["di@d.example"] };
    expect(await as.messages.replyAll(one)).toMatchObject(everybody);
    expect(await as.messages.reply({ ...one, reply_all: true })).toMatchObject(everybody);
  });

  test("gets no copy of it", async () => {
    const { service, as, one } = await received(people);
    await as.messages.replyAll(one);
    await service.work();
    const { data } = await as.messages.list({ inbox_id: one.inbox_id, direction: "inbound" });
    expect(data).toHaveLength(1);
  });

  test("is never answered: another author is, or nobody", async () => {
    const own = "Reply-To: agent+loop@letterslot.localhost";
    const other = await received(["From: bo@a.example", own, "To: agent@letterslot.localhost"]);
    expect(await other.as.messages.reply(other.one)).toMatchObject({ to: ["bo@a.example"] });
    const nobody = await received([
      "From: Agent+x@letterslot.localhost",
      own,
      "To: agent@letterslot.localhost",
    ]);
    const { as, one, draft } = nobody;
    const refused = { code: "no_reply_address" };
    await expect(as.messages.reply(one)).rejects.toMatchObject(refused);
    await expect(as.messages.replyAll(one)).rejects.toMatchObject(refused);
    await expect(as.drafts.create({ ...draft, kind: "reply_all" })).rejects.toMatchObject(refused);
  });

  test("with a tag, another inbox's, or at another domain is no own address of this one", async () => {
    const { as, one } = await received([
      "From: bo@a.example",
      "To: agent@letterslot.localhost, agent.two@letterslot.localhost, agent@other.example",
    ]);
    expect(await as.messages.replyAll(one)).toMatchObject({
      to: ["bo@a.example", "agent.two@letterslot.localhost", "agent@other.example"],
    });
  });
});

describe("a reply is held to the rules of a send", () => {
  test("addresses that no mail may be sent to are left out of it", async () => {
    const { as, one } = await received([
      "From: bo@a.example",
      `To: agent@letterslot.localhost, ${LETTER_ADDRESS}, "two words"@c.example, cy@c.example`,
      `Cc: bo..@@x, ${LETTER_ADDRESS}, di@d.example`,
    ]);
    expect(await as.messages.replyAll(one)).toMatchObject({
      to: ["bo@a.example", "cy@c.example"],
      cc: ["di@d.example"],
    });
  });

  test("when nobody is left, the answer says so", async () => {
    const { as, one } = await received([
      'From: "two words"@c.example',
      `Reply-To: ${LETTER_ADDRESS}`,
      "To: agent@letterslot.localhost",
    ]);
    for (const call of [() => as.messages.reply(one), () => as.messages.replyAll(one)])
      await expect(call()).rejects.toMatchObject({ code: "no_reply_address", kind: "conflict" });
  });

  test("what the caller adds is checked at each door, and everybody gets it once", async () => {
    const { as, one } = await received([
      "From: bo@a.example",
      "To: agent@letterslot.localhost, cy@c.example",
    ]);
    const [cc, bcc] = [
      ["BO@a.example", "di@d.example"],
      ["cy@c.example", "di@d.example", "ed@e.example"],
    ];
    expect(await as.messages.replyAll({ ...one, cc, bcc })).toMatchObject({
      ...{ to: ["bo@a.example", "cy@c.example"], cc: ["di@d.example"], bcc: ["ed@e.example"] },
    });
    await expect(as.messages.reply({ ...one, cc: [LETTER_ADDRESS] })).rejects.toMatchObject({
      code: "invalid_address",
    });
    const many = Array.from({ length: 50 }, (_, index) => `p${index}@many.example`);
    await expect(as.messages.reply({ ...one, cc: many })).rejects.toMatchObject({
      code: "too_many_recipients",
    });
  });

  test("the longest subject can be answered and forwarded", async () => {
    const subject = "long ".repeat(199).trim();
    const { as, one, ...it } = await received([
      "From: bo@a.example",
      "To: agent@x.example",
      `Subject: ${subject}`,
    ]);
    const reply = await as.messages.reply(one);
    expect(reply.subject).toMatch(/^Re: long/);
    expect(reply.subject.length).toBeLessThanOrEqual(998);
    const draft = await as.drafts.create({ ...it.draft, kind: "reply" });
    await as.drafts.update({ inbox_id: one.inbox_id, draft_id: draft.id, subject: draft.subject });
  });

  test("lists and suppressions hold for recipients that the mail names", async () => {
    const { as, one } = await received(["From: bo@a.example", "To: agent@x.example, cy@c.example"]);
    await as.suppressions.create({ address: "cy@c.example" });
    await expect(as.messages.replyAll(one)).rejects.toMatchObject({ code: "recipient_suppressed" });
    expect(await as.messages.reply(one)).toMatchObject({ to: ["bo@a.example"] });
  });
});

test("a task's reply goes to all of Reply-To, and never to the inbox itself", async () => {
  const service = createTestService();
  const account = await service.signUp("agent");
  const { as, inbox } = account;
  await as.allowlist.create({ inbox_id: inbox.id, address: "bo@a.example" });
  const task = async (reply_to: string) => {
    await service.receive({
      ...{ from: "bo@a.example", to: inbox.email, text: "Please." },
      headers: [`Reply-To: ${reply_to}`],
    });
    return (await as.tasks.list({})).data[0]?.id ?? "";
  };
  const { message } = await as.tasks.reply({
    task_id: await task("one@d.example, two@d.example"),
    text: "Done",
  });
  expect(message).toMatchObject({ to: ["one@d.example", "two@d.example"] });
  const other = await as.tasks.reply({
    task_id: await task(`Agent+x@${inbox.email.split("@")[1]}`),
    text: "Done",
  });
  expect(other.message).toMatchObject({ to: ["bo@a.example"] });
});
