import { describe, expect, test } from "vitest";
import { ada, guarded, letterTo, signedIn } from "../../../test/approval-inbox.fixture.ts";
import { createTestService, signedBy } from "../../../testing/index.ts";

const ICS = [
  "BEGIN:VCALENDAR",
  "METHOD:REQUEST",
  "BEGIN:VEVENT",
  "UID:1",
  "END:VEVENT",
  "END:VCALENDAR",
].join("\r\n");
const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");

async function open() {
  const service = createTestService();
  const account = await service.signUp("agent");
  const newest = async () => {
    await service.work();
    return Buffer.from(service.transport.sent.at(-1)?.raw ?? []).toString();
  };
  return { service, ...account, inbox_id: account.inbox.id, newest };
}
const to = ["bo@example.com"];

/** The Content-Type of a mail's attachment, unfolded. */
const typeOf = (raw: string, type: string) =>
  raw
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .find((line) => line.startsWith(`Content-Type: ${type}`)) ?? "";

describe("the parameters of an attachment's media type", () => {
  test("are shown and sent", async () => {
    const { as, inbox_id, newest } = await open();
    const attachments = [
      {
        filename: "a.csv",
        content_base64: base64("caf\xe9"),
        content_type: "text/csv; charset=iso-8859-1; header=present",
      },
    ];
    const sent = await as.messages.send({ inbox_id, to, text: "x", attachments });
    const parameters = { charset: "iso-8859-1", header: "present" };
    expect(sent.attachments).toMatchObject([{ content_type: "text/csv", parameters }]);
    const line = typeOf(await newest(), "text/csv");
    expect(line).toContain("charset=iso-8859-1");
    expect(line).toContain("header=present");
    expect(line).toContain("name=a.csv");
  });

  test("of an invitation are sent as given, or as its file states them, at each door", async () => {
    const { as, inbox_id, newest } = await open();
    for (const content_type of ["text/calendar; method=REQUEST; charset=utf-8", "text/calendar"]) {
      const mail = {
        text: "x",
        attachments: [{ filename: "i.ics", content_base64: base64(ICS), content_type }],
      };
      const sent = await as.messages.send({ inbox_id, to, ...mail });
      expect(typeOf(await newest(), "text/calendar")).toContain("method=REQUEST");
      await as.messages.reply({ inbox_id, message_id: sent.id, ...mail });
      expect(typeOf(await newest(), "text/calendar")).toContain("method=REQUEST");
      const draft = await as.drafts.create({ inbox_id, to, ...mail });
      await as.drafts.send({ inbox_id, draft_id: draft.id });
      expect(typeOf(await newest(), "text/calendar")).toContain("method=REQUEST");
      await as.messages.forward({ inbox_id, message_id: sent.id, to });
      expect(typeOf(await newest(), "text/calendar")).toContain("method=REQUEST");
      const injected = await as.messages.inject({
        inbox_id,
        from: "a@example.com",
        ...mail,
        text: content_type,
      });
      expect(injected.attachments[0]?.content_type).toBe("text/calendar");
    }
  });

  test("of a received invitation survive the forward", async () => {
    const { service, as, inbox, inbox_id, newest } = await open();
    const raw = Buffer.from(
      [
        ...[
          "From: ada@example.com",
          `To: ${inbox.email}`,
          "Message-ID: <1@example.com>",
          "MIME-Version: 1.0",
        ],
        ...[
          'Content-Type: multipart/mixed; boundary="b"',
          "",
          "--b",
          "Content-Type: text/plain",
          "",
          "Come!",
        ],
        ...[
          "--b",
          'Content-Type: text/calendar; method=REQUEST; charset="utf-8"; name="i.ics"',
          "",
          ICS,
          "--b--",
          "",
        ],
      ].join("\r\n"),
    );
    const { results } = await service.receiveRaw(
      raw,
      inbox.email,
      "ada@example.com",
      signedBy("example.com"),
    );
    const message_id = results[0]?.message_id ?? "";
    const { attachments } = await as.messages.get({ inbox_id, message_id });
    expect(attachments).toMatchObject([
      {
        content_type: "text/calendar",
        filename: "i.ics",
        parameters: { method: "REQUEST", charset: "utf-8" },
      },
    ]);
    await as.messages.forward({ inbox_id, message_id, to });
    const line = typeOf(await newest(), "text/calendar");
    expect(line).toContain("method=REQUEST");
    expect(line).toContain("charset=utf-8");
  });

  test.each(["text/csv; charset", "text/csv; a=b; a=c", "text", 'text/csv; a="b', "text/csv; a=b\r\nX: y"])(
    "that are ill-formed are refused: %j",
    async (content_type) => {
      const { as, inbox_id } = await open();
      const attachments = [{ filename: "a", content_base64: "", content_type }];
      for (const call of [
        () => as.messages.send({ inbox_id, to, text: "x", attachments }),
        () => as.drafts.create({ inbox_id, to, attachments }),
        () => as.messages.inject({ inbox_id, from: "a@example.com", text: "x", attachments }),
      ])
        await expect(call()).rejects.toMatchObject({
          code: "invalid_content_type",
          param: expect.stringContaining("attachments") as string,
        });
    },
  );

  test("are what an owner approves", async () => {
    const setting = await guarded();
    const { as, inbox_id, service } = setting;
    const attachments = [{ filename: "i.ics", content_base64: base64(ICS), content_type: "text/calendar" }];
    const draft = await as.messages.send({ inbox_id, to: [ada], text: "x", attachments });
    await service.work();
    const { token } = await letterTo(service);
    const { storage } = service.letterslot.services;
    const [stored] = await storage.find("drafts", { where: { id: draft.id }, limit: 1 });
    const changed = stored?.attachments.map((file) => ({ ...file, parameters: { method: "CANCEL" } })) ?? [];
    await storage.update("drafts", { id: draft.id }, { attachments: changed });
    const decide = () => signedIn(service).approvals.decide({ token, decision: "approve" });
    await expect(decide()).rejects.toMatchObject({ code: "approval_closed" });
  });
});
