import { expect, test } from "vitest";
import { casesOf } from "../../../test/support/case-count.ts";
import { buildMail, createTestService } from "../testing/index.ts";

/** The contract's number: the bytes of a message's bodies and attachments, decoded. */
const MOST_BYTES = 26_214_400;
/** Two characters of three bytes, and one of one. */
const TEXT = "今天x";
const TEXT_BYTES = 7;

type Opened = Awaited<ReturnType<typeof opened>>;

async function opened() {
  const service = createTestService();
  const { as, inbox } = await service.signUp("ada-main");
  const inbox_id = inbox.id;
  const old = await as.messages.inject({ inbox_id, from: "bo@example.org", text: "Please." });
  return { service, as, inbox, inbox_id, old };
}

const fileOf = (size: number, filename = "plan.bin") => ({
  filename,
  content_base64: Buffer.alloc(size, 7).toString("base64"),
});

/** A mail of MIME in which the attachment is written in lines, as mail servers do. */
function rawOf(to: string, size: number): Uint8Array {
  const line = `${fileOf(57).content_base64}\r\n`;
  const text = Buffer.from(TEXT).toString("base64");
  return Buffer.from(
    [
      `From: bo@example.org\r\nTo: ${to}\r\nMessage-ID: <${size}@example.org>\r\nMIME-Version: 1.0`,
      'Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b',
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${text}\r\n--b`,
      "Content-Type: application/octet-stream; name=plan.bin\r\nContent-Transfer-Encoding: base64\r\n",
      `${line.repeat(Math.floor(size / 57))}${fileOf(size % 57).content_base64}`,
      "--b--\r\n",
    ].join("\r\n"),
  );
}

const to = ["bo@example.org"];
const doors: [string, (it: Opened, file_bytes: number) => Promise<unknown>][] = [
  [
    "a mail",
    ({ as, inbox_id }, size) => as.messages.send({ inbox_id, to, text: TEXT, attachments: [fileOf(size)] }),
  ],
  [
    "several files and HTML",
    ({ as, inbox_id }, size) => {
      const attachments = [fileOf(size - 1_000_000), fileOf(1_000_000)];
      return as.messages.send({ inbox_id, to, html: TEXT, attachments });
    },
  ],
  [
    "a reply",
    ({ as, inbox_id, old }, size) =>
      as.messages.reply({ inbox_id, message_id: old.id, text: TEXT, attachments: [fileOf(size)] }),
  ],
  [
    "a draft",
    ({ as, inbox_id }, size) => as.drafts.create({ inbox_id, text: TEXT, attachments: [fileOf(size)] }),
  ],
  [
    "a draft that grows",
    async ({ as, inbox_id }, size) => {
      const attachments = [fileOf(size - 1_000_000)];
      const { id } = await as.drafts.create({ inbox_id, text: TEXT, attachments });
      return as.drafts.update({ inbox_id, draft_id: id, add_attachments: [fileOf(1_000_000)] });
    },
  ],
  [
    "an injected mail",
    ({ as, inbox_id }, size) =>
      as.messages.inject({ inbox_id, from: "bo@example.org", text: TEXT, attachments: [fileOf(size)] }),
  ],
  [
    "an injected raw mail",
    ({ as, inbox, inbox_id }, size) =>
      as.messages.inject({ inbox_id, raw: Buffer.from(rawOf(inbox.email, size)).toString("base64") }),
  ],
];

test.each(doors)("%s has at most 25 MB of bodies and attachments, decoded", async (name, call) => {
  const it = await opened();
  const most = MOST_BYTES - TEXT_BYTES;
  // Taking as much takes most of the time, and is the same at each door.
  if (casesOf(name === "a mail", true)) await call(it, most);
  await expect(call(it, most + 1)).rejects.toMatchObject({
    code: "message_too_large",
    fix: expect.stringContaining("25 MB (26,214,400 bytes)"),
  });
});

test("a mail of the most bytes is sent to an inbox of this service, and arrives", async () => {
  const { service, as, inbox_id } = await opened();
  const { as: bo, inbox } = await service.signUp("bo-main");
  await as.messages.send({
    ...{ inbox_id, to: [inbox.email], text: TEXT },
    attachments: [fileOf(MOST_BYTES - TEXT_BYTES)],
  });
  await service.work();
  const { data } = await bo.messages.list({ inbox_id: inbox.id });
  expect(data).toMatchObject([{ attachments: [{ size_bytes: MOST_BYTES - TEXT_BYTES }] }]);
});

test("long text of letters that need encoding leaves room for as many bytes", async () => {
  const { service, as, inbox_id } = await opened();
  const text = "é€ab".repeat(250_000);
  const attachments = [fileOf(MOST_BYTES - 2 * Buffer.byteLength(text))];
  await as.messages.send({ inbox_id, to, text, html: text, attachments });
  await service.work();
  expect(service.transport.sent.length).toBe(1);
  expect(service.transport.sent[0]?.raw.length).toBeLessThanOrEqual(36_700_160);
});

test.each([
  [0, "stored"],
  [1, "refused"],
])("a mail from outside with %i bytes more than that is %s", async (more, outcome) => {
  const { service, inbox } = await opened();
  const raw = rawOf(inbox.email, MOST_BYTES - TEXT_BYTES + more);
  const envelope = { mail_from: "bo@example.org", rcpt_to: [inbox.email], client_ip: null, helo: null };
  const { results } = await service.letterslot.receive({ raw, envelope, origin: "smtp" });
  expect(results).toMatchObject([{ outcome, reason: outcome === "stored" ? null : "message_too_large" }]);
});

test("text of a mail from outside counts, also what of it isn't kept", async () => {
  const { service, inbox } = await opened();
  const raw = Buffer.from(
    buildMail({ from: "bo@example.org", to: inbox.email, text: "x\r\n".repeat(9_000_000) }),
  );
  const envelope = { mail_from: "bo@example.org", rcpt_to: [inbox.email], client_ip: null, helo: null };
  const { results } = await service.letterslot.receive({ raw, envelope, origin: "internal_path" });
  expect(results).toMatchObject([{ outcome: "refused", reason: "message_too_large" }]);
});

test("a forward's files count with what is written above them", async () => {
  const { as, inbox_id } = await opened();
  const attachments = [fileOf(MOST_BYTES - 10_000)];
  const big = await as.messages.inject({ inbox_id, from: "bo@example.org", text: "x", attachments });
  const forward = (text: string) => as.messages.forward({ inbox_id, message_id: big.id, to, text });
  await expect(forward("x".repeat(10_000))).rejects.toMatchObject({ code: "message_too_large" });
  await forward("x".repeat(100));
});
