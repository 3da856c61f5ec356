import { beforeEach, describe, expect, test } from "vitest";
import { grace, guarded, letterTo, publicly } from "../../../test/approval-inbox.fixture.ts";
import { createTestService, type TestAccount, type TestService } from "../../../testing/index.ts";
import { parseMail } from "../../mail/parse.ts";

let service: TestService;
let account: TestAccount;
let inbox_id: string;

beforeEach(async () => {
  service = createTestService();
  account = await service.signUp("agent");
  inbox_id = account.inbox.id;
});

/** The newest mail that left, as a mail program reads it. */
async function newest() {
  await service.work();
  const sent = service.transport.sent.at(-1);
  return { ...(await parseMail(sent?.raw ?? new Uint8Array())), rcpt_to: sent?.envelope.rcpt_to };
}

describe("an address with a display name", () => {
  test("is stored, shown and sent as the address, with the name beside it", async () => {
    const sent = await account.as.messages.send({
      inbox_id,
      to: ['"Lovelace, Ada" <ada@example.com>', "bo@example.com"],
      cc: ["山田 太郎 <taro@example.com>"],
      bcc: ["Eve <eve@example.com>"],
      reply_to: "Desk <desk@example.com>",
      text: "Hello",
    });
    expect(sent).toMatchObject({
      to: ["ada@example.com", "bo@example.com"],
      to_names: ["Lovelace, Ada", null],
      cc: ["taro@example.com"],
      cc_names: ["山田 太郎"],
      bcc: ["eve@example.com"],
      bcc_names: ["Eve"],
      reply_to: "desk@example.com",
    });
    const mail = await newest();
    expect(mail.to).toEqual([
      { address: "ada@example.com", name: "Lovelace, Ada" },
      { address: "bo@example.com", name: "" },
    ]);
    expect(mail.cc).toEqual([{ address: "taro@example.com", name: "山田 太郎" }]);
    expect(mail.reply_to).toEqual([{ address: "desk@example.com", name: "Desk" }]);
    expect(mail.rcpt_to?.toSorted()).toEqual([
      "ada@example.com",
      "bo@example.com",
      "eve@example.com",
      "taro@example.com",
    ]);
    const { data } = await account.as.messages.list({ inbox_id, to: "ada@example.com" });
    expect(data).toMatchObject([{ to_names: ["Lovelace, Ada", null] }]);
    const events = (await account.as.events.list({ types: ["message.sent"] })).data;
    expect(events[0]?.data).toMatchObject({ message: { to_names: ["Lovelace, Ada", null] } });
  });

  test("is taken by reply, reply-all, forward and drafts", async () => {
    await service.receive({ from: "Ada <ada@example.com>", to: account.inbox.email, text: "Hi" });
    const [received] = (await account.as.messages.list({ inbox_id })).data;
    const message_id = received?.id ?? "";
    const cc = ["Bo <bo@example.com>"];
    expect(await account.as.messages.reply({ inbox_id, message_id, text: "Yes", cc })).toMatchObject({
      cc_names: ["Bo"],
    });
    expect((await newest()).cc).toEqual([{ address: "bo@example.com", name: "Bo" }]);
    expect(await account.as.messages.replyAll({ inbox_id, message_id, text: "Yes", cc })).toMatchObject({
      cc_names: ["Bo"],
    });
    expect(await account.as.messages.forward({ inbox_id, message_id, to: cc })).toMatchObject({
      to: ["bo@example.com"],
      to_names: ["Bo"],
    });

    await service.work();
    const draft = await account.as.drafts.create({
      inbox_id,
      to: cc,
      reply_to: "D <d@example.com>",
      text: "x",
    });
    expect(draft).toMatchObject({ to: ["bo@example.com"], to_names: ["Bo"], reply_to: "d@example.com" });
    const draft_id = draft.id;
    expect(
      await account.as.drafts.update({ inbox_id, draft_id, cc: ["Cy <cy@example.com>"], subject: "s" }),
    ).toMatchObject({ to_names: ["Bo"], cc_names: ["Cy"] });
    expect(await account.as.drafts.update({ inbox_id, draft_id, to: ["bo@example.com"] })).toMatchObject({
      to_names: [null],
      cc_names: ["Cy"],
    });
    expect(await account.as.drafts.send({ inbox_id, draft_id })).toMatchObject({ cc_names: ["Cy"] });
    const mail = await newest();
    expect(mail.cc).toEqual([{ address: "cy@example.com", name: "Cy" }]);
    expect(mail.reply_to).toEqual([{ address: "d@example.com", name: "D" }]);
  });

  test("is the injector's author, and names of received mail are shown", async () => {
    const message = await account.as.messages.inject({
      inbox_id,
      from: '"Ada (home)" <ada@example.com>',
      to: [`My agent <${account.inbox.email}>`, "bo@example.com"],
      cc: ["Cy <cy@example.com>"],
      text: "Hi",
    });
    expect(message).toMatchObject({
      from: "ada@example.com",
      from_name: "Ada (home)",
      to_names: ["My agent", null],
      cc_names: ["Cy"],
    });
    const raw = Buffer.from("To: constructor, __proto__, Bo <bo@example.com>\r\n\r\nHi").toString("base64");
    expect(await account.as.messages.inject({ inbox_id, from: "ada@example.com", raw })).toMatchObject({
      to: expect.arrayContaining(["bo@example.com"]),
      to_names: expect.arrayContaining(["Bo"]),
      unaddressed: [
        { field: "to", name: "constructor" },
        { field: "to", name: "__proto__" },
      ],
      cc_names: [],
    });
  });

  test("names an owner, whose address is kept", async () => {
    const owner = await account.as.owners.create({ inbox_id, email: "Grace Hopper <Grace@Example.com>" });
    expect(owner).toMatchObject({ email: "Grace@example.com" });
    await service.work();
    const opened = await publicly(service).accounts.onboard({
      username: "second",
      owner_email: "Grace <grace@example.com>",
    });
    expect(opened.next_steps.instruction).toContain("grace@example.com");
  });

  test.each([
    "Ada <ada@example.com>\r\nBcc: eve@example.com",
    "Ada\r\nBcc: eve@example.com <ada@example.com>",
    '"Ada\nX: y" <ada@example.com>',
    "Ada\u0000 <ada@example.com>",
    "=?utf-8?q?Ada=0D=0ABcc=3A_eve=40example.com?= <ada@example.com>",
    "Ada <ada@example.com>, Eve <eve@example.com>",
    "Team: ada@example.com, eve@example.com;",
  ])("is refused at every door: %j", async (address) => {
    const { as } = account;
    const message = await as.messages.inject({ inbox_id, from: "ada@example.com", text: "Hi" });
    const message_id = message.id;
    const to = ["bo@example.com"];
    const doors = [
      () => as.messages.send({ inbox_id, to: [address], text: "x" }),
      () => as.messages.send({ inbox_id, to, cc: [address], text: "x" }),
      () => as.messages.send({ inbox_id, to, bcc: [address], text: "x" }),
      () => as.messages.send({ inbox_id, to, reply_to: address, text: "x" }),
      () => as.messages.reply({ inbox_id, message_id, cc: [address], text: "x" }),
      () => as.messages.replyAll({ inbox_id, message_id, bcc: [address], text: "x" }),
      () => as.messages.forward({ inbox_id, message_id, to: [address] }),
      () => as.drafts.create({ inbox_id, to: [address], text: "x" }),
      () => as.messages.inject({ inbox_id, from: address, text: "x" }),
      () => as.owners.create({ inbox_id, email: address }),
      () => publicly(service).accounts.onboard({ username: "other", owner_email: address }),
    ];
    for (const call of doors) await expect(call()).rejects.toMatchObject({ code: "invalid_address" });
  });

  test("can't be that of a letter's reply address", async () => {
    const to = [`Ada <r+${"a".repeat(26)}@letterslot.localhost>`];
    await expect(account.as.messages.send({ inbox_id, to, text: "x" })).rejects.toMatchObject({
      code: "invalid_address",
    });
  });
});

describe("an owner who approves a mail", () => {
  const held = { to: ['"Your bank" <eve@example.com>'], subject: "Offer", text: "42 euros" };

  test("is shown the names that its recipients will read, and the approval is bound to them", async () => {
    const setting = await guarded();
    const draft = await setting.as.messages.send({ inbox_id: setting.inbox_id, ...held });
    await setting.service.work();
    const letter = await letterTo(setting.service);
    expect(letter.text).toContain("To: Your bank <eve@example.com>");
    const review = await publicly(setting.service).approvals.review({ token: letter.token });
    expect(review.mail?.to).toEqual(["Your bank <eve@example.com>"]);

    await setting.service.letterslot.services.storage.update(
      "drafts",
      { id: draft.id },
      { names: { "eve@example.com": "Somebody else" } },
    );
    await expect(
      setting.service.letterslot
        .asOwner({ email: grace, account_id: "" })
        .approvals.decide({ token: letter.token, decision: "approve" }),
    ).rejects.toMatchObject({ code: "approval_closed" });
  });
});
