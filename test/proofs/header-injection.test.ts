import fc from "fast-check";
import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test } from "vitest";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import type { OutgoingMail } from "../../packages/core/src/ports/transport.ts";
import { createTestService, type TestAccount, type TestService } from "../../packages/core/testing/index.ts";
import { caseCount, casesOf, PROOF_SEED, PROOF_TIMEOUT_MS } from "../support/case-count.ts";
import { NASTY_TEXTS, nastyText } from "../support/nasty-text.ts";

const OWNER = "mara@family.example.com";
const FRIEND = "bo@example.org";
const HOUR_MS = 3600_000;

/** Every header that this service's mail may have. */
const EXPECTED_HEADERS = new Set([
  ...[
    "from",
    "to",
    "cc",
    "reply-to",
    "subject",
    "message-id",
    "in-reply-to",
    "references",
    "date",
    "mime-version",
  ],
  ...[
    "content-type",
    "content-transfer-encoding",
    "auto-submitted",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "x-meant",
  ],
  ...["x-auto-response-suppress", "precedence", "feedback-id", "list-id", "sender"],
  "x-svc-report",
]);

let service: TestService;
let ada: TestAccount;
let inbox_id: string;
let answered: string;

beforeEach(async () => {
  service = createTestService();
  ada = await service.signUp("ada");
  inbox_id = ada.inbox.id;
  await service.addOwner(ada, OWNER);
  await ada.as.inboxes.update({ inbox_id, screening: "off" });
  answered = (await ada.as.messages.inject({ inbox_id, from: FRIEND, subject: "Hello", text: "Hello." })).id;
});

type Attempt = (text: string) => Promise<unknown>;

/**
 * Each input field that reaches a mail header, with a function that sends a mail with a text in that field.
 */
const fields: Record<string, Attempt> = {
  subject: (subject) => ada.as.messages.send({ inbox_id, to: [FRIEND], subject, text: "x" }),
  "the subject of a forward": (subject) =>
    ada.as.messages.forward({ inbox_id, message_id: answered, to: [FRIEND], subject }),
  "the subject of a draft": async (subject) => {
    const { id } = await ada.as.drafts.create({ inbox_id, to: [FRIEND], subject, text: "x" });
    return ada.as.drafts.send({ inbox_id, draft_id: id });
  },
  "a recipient": (to) => ada.as.messages.send({ inbox_id, to: [to], text: "x" }),
  "a recipient's quoted name": (to) =>
    ada.as.messages.send({ inbox_id, to: [`"${to}"@example.org`], text: "x" }),
  "a copy": (cc) => ada.as.messages.send({ inbox_id, to: [FRIEND], cc: [`a${cc}@example.org`], text: "x" }),
  reply_to: (reply_to) => ada.as.messages.send({ inbox_id, to: [FRIEND], reply_to, text: "x" }),
  "a header's value": (value) =>
    ada.as.messages.send({ inbox_id, to: [FRIEND], headers: { "X-Meant": value }, text: "x" }),
  "a header's name": (name) =>
    ada.as.messages.send({ inbox_id, to: [FRIEND], headers: { [`X-Meant${name}`]: "x" }, text: "x" }),
  in_reply_to: (id) =>
    ada.as.messages.send({ inbox_id, to: [FRIEND], in_reply_to: `<${id}@example.org>`, text: "x" }),
  "a file's name": (filename) => sendFile({ filename }),
  "a file's type": (content_type) => sendFile({ content_type: `text/plain; name=${content_type}` }),
  "a file's content id": (content_id) => sendFile({ content_id }),
  "a label": (label) => ada.as.messages.send({ inbox_id, to: [FRIEND], labels: [label], text: "x" }),
  "the inbox's name": async (display_name) => {
    await ada.as.inboxes.update({ inbox_id, display_name });
    return ada.as.messages.send({ inbox_id, to: [FRIEND], text: "x" });
  },
  "a new inbox's name": async (display_name) => {
    const { id } = await ada.as.inboxes.create({ display_name });
    return ada.as.messages.send({ inbox_id: id, to: [FRIEND], text: "x" });
  },
  "an owner's address": (email) => ada.as.owners.create({ inbox_id, email }),
  "an update's title": (title) => ada.as.updates.create({ inbox_id, kind: "progress", text: "x", title }),
  "an update's status": (status) => ada.as.updates.create({ inbox_id, kind: "progress", text: "x", status }),
  "an update's task": (task_id) => ada.as.updates.create({ inbox_id, kind: "done", text: "x", task_id }),
  "an update's text": (text) => ada.as.updates.create({ inbox_id, kind: "done", text }),
  "a question's option": (option) =>
    ada.as.updates.create({
      inbox_id,
      kind: "needs_input",
      text: "x",
      question: { type: "choice", options: [option, "other"] },
    }),
  "the subject that a stranger wrote and a reply repeats": async (subject) => {
    const raw = Buffer.from(
      `From: ${FRIEND}\r\nTo: ada@letterslot.localhost\r\nSubject: =?utf-8?b?${base64(subject)}?=\r\n\r\nHello.`,
    );
    return replyTo(raw);
  },
  "the name that a stranger gave and a reply repeats": async (name) =>
    replyTo(
      Buffer.from(
        `From: =?utf-8?b?${base64(name)}?= <${FRIEND}>\r\nTo: ada@letterslot.localhost\r\nSubject: Hi\r\n\r\nHello.`,
      ),
    ),
  "the Message-ID that a stranger gave and a reply repeats": async (id) =>
    replyTo(
      Buffer.from(
        `From: ${FRIEND}\r\nTo: ada@letterslot.localhost\r\nMessage-ID: <${id}@example.org>\r\n\r\nHello.`,
      ),
    ),
  "the file name that a stranger gave and a forward repeats": async (name) => {
    const file = `filename*=utf-8''${encodeURIComponent(name.toWellFormed())}`;
    const raw = Buffer.from(
      `From: ${FRIEND}\r\nTo: ada@letterslot.localhost\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; ${file}\r\n\r\nx`,
    );
    const message_id = await takeIn(raw);
    return ada.as.messages.forward({ inbox_id, message_id, to: [FRIEND] });
  },
};

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const sendFile = (file: object) =>
  ada.as.messages.send({
    inbox_id,
    to: [FRIEND],
    text: "x",
    attachments: [{ filename: "a.txt", content_base64: "eA==", ...file }],
  });

async function takeIn(raw: Uint8Array): Promise<string> {
  const { results } = await service.letterslot.receive({
    raw,
    envelope: {
      mail_from: FRIEND,
      rcpt_to: [ada.inbox.email],
      client_ip: "198.51.100.9",
      helo: "mx.example.org",
    },
    origin: "smtp",
  });
  return results[0]?.message_id ?? "";
}

async function replyTo(raw: Uint8Array): Promise<unknown> {
  return ada.as.messages.reply({ inbox_id, message_id: await takeIn(raw), text: "Hello." });
}

/**
 * Tries the text in the field; if it is refused, the error is the caller's fault and nothing is sent.
 */
async function left(attempt: Attempt, text: string): Promise<OutgoingMail[]> {
  const before = service.transport.sent.length;
  await service.clock.advance(HOUR_MS);
  await attempt(text).catch((error: { kind?: string }) => {
    if (!["invalid", "not_found", "conflict", "forbidden"].includes(error.kind ?? "")) throw error;
  });
  await service.work();
  return service.transport.sent.slice(before);
}

/**
 * Expects two independent parsers to see each intended header once, and only the envelope's recipients.
 */
async function expectMeant(mail: OutgoingMail, text: string): Promise<void> {
  const [theirs, ours] = [await PostalMime.parse(mail.raw), await parseMail(mail.raw)];
  const byTheirs = theirs.headers.map(({ key }) => key);
  const byOurs = ours.headers.map(({ name }) => name);
  for (const names of [byTheirs, byOurs]) {
    for (const name of names)
      expect(
        EXPECTED_HEADERS.has(name) || name.startsWith("x-meant"),
        `${name} in\n${Buffer.from(mail.raw).toString()}`,
      ).toBe(true);
    expect(new Set(names).size).toBe(names.length);
  }
  expect(byTheirs.toSorted()).toEqual(byOurs.toSorted());
  expect(theirs.from?.address).toMatch(/@letterslot\.localhost$/);
  expect(ours.from).toHaveLength(1);
  const shown = [...ours.to, ...ours.cc].map(({ address }) => address);
  for (const address of shown) expect(mail.envelope.rcpt_to).toContain(address);
  // A single plain address as recipient is intended.
  const smuggled = mail.envelope.rcpt_to.filter((address) => address !== text.trim().toLowerCase());
  for (const address of smuggled) expect(address).not.toMatch(/[\r\n\0\u2028\u2029]|evil/);
}

describe("no caller can inject a header", () => {
  test.each(Object.entries(fields))("through %s", { timeout: PROOF_TIMEOUT_MS }, async (_, attempt) => {
    for (const text of NASTY_TEXTS)
      for (const mail of await left(attempt, text)) await expectMeant(mail, text);
    await fc.assert(
      fc.asyncProperty(nastyText, async (text) => {
        for (const mail of await left(attempt, text)) await expectMeant(mail, text);
      }),
      { seed: PROOF_SEED, numRuns: casesOf(3, caseCount(8, 2_000)) },
    );
  });

  test("but intended text does arrive, so that the test can fail", async () => {
    const sent: string[] = [];
    for (const [name, attempt] of Object.entries(fields)) {
      const tame = {
        "an owner's address": "new@example.org",
        "a recipient": "new@example.org",
        "a file's content id": "new",
        reply_to: "new@example.org",
        "a label": "new",
      };
      const mails = await left(attempt, tame[name as keyof typeof tame] ?? "new");
      if (mails.length > 0) sent.push(name);
      for (const mail of mails) await expectMeant(mail, "new@example.org");
    }
    expect(Object.keys(fields).filter((name) => !sent.includes(name))).toEqual([]);
  });
});
