import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../../../../test/support/case-count.ts";
import { createTestService, forgedFrom } from "../../../../testing/index.ts";
import { answerTo, headerOf, lettersTo, tokensIn, withOwner } from "../../../../testing/owner-mail.ts";
import { newLetterWord } from "../../../catalogue/letter-words.ts";
import { findWords } from "../../../mail/redaction/find-words.ts";

const grace = "grace@example.com";

type Setting = Awaited<ReturnType<typeof withOwner>>;

/** A service whose owner was asked a question, and the letter. */
const asked = async () => askedBy(await withOwner(createTestService()));

/** Asks the owner of a service a question. */
async function askedBy(setting: Setting) {
  await setting.report({
    kind: "needs_input",
    title: "Shall I book the garden for June?",
    text: "The garden is free on the twelfth of June.",
    question: { type: "yes_no" },
  });
  await setting.service.work();
  const letter = lettersTo(setting.service, grace).at(-1) ?? "";
  const [answer = "", page = ""] = [tokensIn(letter, "answer")[0], tokensIn(letter, "style")[0]];
  const link = `http://localhost:8025/api/v1/owners/answer?token=${answer}&value=yes`;
  const publicly = setting.service.letterslot.as({ type: "public", ip: "198.51.100.7" });
  const newest = async () => (await setting.as.messages.list({ inbox_id: setting.inbox.id })).data[0];
  return { ...setting, letter, answer, page, link, publicly, newest };
}

/** Everything that a key can read of an inbox: messages, raw mail, attachments, threads, tasks, later events. */
async function allThatAgentsRead({ as, inbox }: Pick<Setting, "as" | "inbox">, after = "0") {
  const { id: inbox_id } = inbox;
  const { data } = await as.messages.list({ inbox_id, limit: 200 });
  const texts = [
    JSON.stringify(data),
    JSON.stringify(await as.threads.list({ inbox_id })),
    JSON.stringify(await as.tasks.list({ status: "all" })),
    JSON.stringify(await as.events.list({ after, limit: 200 })),
  ];
  for (const { id: message_id, attachments } of data) {
    texts.push(Buffer.from((await as.messages.raw({ inbox_id, message_id })).bytes).toString("latin1"));
    texts.push(JSON.stringify(await as.messages.explain({ inbox_id, message_id })));
    for (const { id: attachment_id } of attachments) {
      const file = await as.attachments.get({ inbox_id, message_id, attachment_id });
      texts.push(Buffer.from(file.bytes).toString("latin1"));
    }
  }
  return texts.join("\n\n");
}

/** A text as it was, and with each run of base64 in it decoded. */
const decoded = (text: string): string =>
  text +
  [...text.matchAll(/(?:[A-Za-z0-9+/]{4,76}={0,2}\r?\n)*[A-Za-z0-9+/]{4,76}={0,2}/g)]
    .map(([block]) => Buffer.from(block, "base64").toString("latin1"))
    .join("\n");

describe("a letter", () => {
  test("has links with secrets of one form, and a reply address of its own", async () => {
    const { letter, answer, page, as, inbox } = await asked();
    for (const secret of [answer, page]) expect(secret).toMatch(/^lso[a-z2-7]{38}$/);
    expect(headerOf(letter, "Reply-To")).toMatch(/^r\+[a-z2-7]{26}@letterslot\.localhost$/);
    expect(headerOf(letter, "From")).toContain(inbox.email);
    const read = await allThatAgentsRead({ as, inbox });
    expect(findWords(read)).toEqual([]);
  });

  test("has a word of its own for one-click unsubscribing, which opens no other page", async () => {
    const { page, publicly, service, as, inbox, owners } = await asked();
    const report = await as.updates.create({ inbox_id: inbox.id, kind: "progress", text: "Going on." });
    expect(report.deliveries[0]?.status).toBe("sent");
    await service.work();
    const header = headerOf(lettersTo(service, grace).at(-1), "List-Unsubscribe") ?? "";
    const word = /token=(\w+)/.exec(header)?.[1] ?? "";
    expect(word).toMatch(/^lso/);
    expect(word).not.toBe(page);
    await expect(publicly.owners.choose({ token: word, updates: "daily" })).rejects.toMatchObject({
      code: "owner_link_invalid",
    });
    await service.receive({ from: "ann@example.net", to: inbox.email, text: header });
    await publicly.owners.unsubscribe({ token: word });
    expect(
      (await as.owners.get({ inbox_id: inbox.id, owner_id: owners[0] ?? "" })).unsubscribed_at,
    ).not.toBeNull();
  });
});

describe("a secret that comes back", () => {
  test.each([
    ["quoted by a stranger", (link: string) => ({ text: `See\n> ${link}\n` })],
    ["in HTML", (link: string) => ({ html: `<p><a href="${link.replace("&", "&amp;")}">Yes</a></p>` })],
    ["in a header", (link: string) => ({ headers: [`X-Seen: ${link}`] })],
    ["in the subject", (link: string) => ({ subject: link })],
    [
      "rewritten by Safe Links",
      (link: string) => ({
        text: `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(link)}&data=05`,
      }),
    ],
    [
      "rewritten by Proofpoint, version 2",
      (link: string) => ({
        text: `https://urldefense.com/v2/url?u=${link.replace("://", "-3A__").replaceAll("/", "_").replaceAll("=", "-3D").replace("?", "-3F")}&d=Dw`,
      }),
    ],
    [
      "rewritten by Proofpoint, version 3",
      (link: string) => ({ text: `https://urldefense.com/v3/__${link}__;!!Abc$` }),
    ],
    [
      "rewritten by Barracuda",
      (link: string) => ({ text: `https://linkprotect.cudasvc.com/url?a=${encodeURIComponent(link)}&c=E,1` }),
    ],
    [
      "broken over quoted lines",
      (link: string) => ({ text: `> ${link.slice(0, 60)}\n> > ${link.slice(60)}` }),
    ],
    [
      "as entities",
      (link: string) => ({
        html: `<p>${[...link].map((sign) => `&#${sign.charCodeAt(0)};`).join("")}</p>`,
      }),
    ],
  ])("%s is removed everywhere, and its link no longer acts alone", async (_, mailOf) => {
    const setting = await asked();
    const { service, inbox, link, answer, publicly, newest, as } = setting;
    await service.receive({ from: "ann@example.net", to: inbox.email, ...mailOf(link) });
    expect(await newest()).toMatchObject({ redacted: true });
    const read = await allThatAgentsRead(setting);
    expect(read).toContain("[link removed]");
    const raw = await as.messages.raw({ inbox_id: inbox.id, message_id: (await newest())?.id ?? "" });
    expect(raw.headers).toMatchObject({ "x-svc-redacted": "1" });
    expect(findWords(decoded(read))).toEqual([]);
    expect(await publicly.questions.review({ token: answer })).toMatchObject({ state: "open" });
    await expect(publicly.questions.answer({ token: answer, value: "yes" })).rejects.toMatchObject({
      code: "session_required",
    });
    const person = service.letterslot.asOwner({ email: grace, account_id: setting.account_id });
    await person.questions.answer({ token: answer, value: "yes" });
    expect((await as.tasks.list({})).data).toMatchObject([{ answer: { value: true }, trusted: true }]);
  });

  test("is a return path and the header of reports too, wherever they stand", async () => {
    const setting = await asked();
    const { service, inbox, as } = setting;
    await as.messages.send({ inbox_id: inbox.id, to: ["ann@example.net"], subject: "Hi", text: "Hi." });
    await service.work();
    const { envelope, raw = new Uint8Array() } = service.transport.sent.at(-1) ?? {};
    const [path = ""] = envelope?.mail_from.split("@") ?? [];
    const header = /^X-Svc-Report: (\S+)/m.exec(Buffer.from(raw).toString()) ?? [];
    expect([path, header[0]]).toEqual([
      expect.stringMatching(/^bounce\+\w{29}$/),
      expect.stringContaining("X-Svc-Report"),
    ]);
    await service.receive({
      ...{ from: "ann@example.net", to: inbox.email, subject: `To ${path}@letterslot.localhost` },
      text: `It came back from ${path}@letterslot.localhost:\n> Return-Path: <${path}@letterslot.localhost>\n> ${header[0]}\n`,
      headers: [`X-Original-From: ${path}@letterslot.localhost`, `X-Copy: ${header[0]}`],
    });
    expect(await setting.newest()).toMatchObject({ redacted: true });
    const read = decoded(await allThatAgentsRead(setting));
    for (const secret of [path, header[1] ?? ""]) expect(read.includes(secret)).toBe(false);
  });

  test.each(["lso", "lsu", "lsv"])("is any word of the form that begins with %s", async (prefix) => {
    const { service, inbox, newest } = await asked();
    const text = `https://x.example/?t=${prefix}${newLetterWord().slice(3)}`;
    await service.receive({ from: "ann@example.net", to: inbox.email, text });
    expect(await newest()).toMatchObject({ redacted: true, extracted_text: "[link removed]" });
  });

  test("is no word that begins with lsc, which is no secret of a letter", async () => {
    const { service, inbox, newest } = await asked();
    const text = `https://x.example/?t=lsc${newLetterWord().slice(3)}`;
    await service.receive({ from: "ann@example.net", to: inbox.email, text });
    expect(await newest()).toMatchObject({ redacted: false, extracted_text: text });
  });

  test("in mail without any is left as it was sent", async () => {
    const { service, inbox, newest, as } = await asked();
    await service.receive({ from: "ann@example.net", to: inbox.email, text: "https://example.com/a" });
    const message = await newest();
    expect(message?.redacted).toBe(false);
    const raw = await as.messages.raw({ inbox_id: inbox.id, message_id: message?.id ?? "" });
    expect(Buffer.from(raw.bytes).toString()).toContain("https://example.com/a");
  });

  test("through the injector is removed, and marks nothing", async () => {
    const { inbox, link, answer, publicly, as } = await asked();
    const message = await as.messages.inject({ inbox_id: inbox.id, from: grace, text: link });
    expect(message).toMatchObject({ redacted: true, text: expect.stringContaining("[link removed]") });
    await publicly.questions.answer({ token: answer, value: "no" });
  });

  test("in a nested mail and in a text file is removed", async () => {
    const setting = await asked();
    const { service, inbox, link, newest } = setting;
    const nested = `From: a@example.net\r\nSubject: in\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(`Look: ${link}`).toString("base64")}\r\n`;
    const part = (type: string, body: string, more = "") =>
      `--b\r\nContent-Type: ${type}\r\n${more}\r\n${body}\r\n`;
    // Encoded twice over: only the nested mail's own parts show the link.
    const file = Buffer.from(nested).toString("base64").replace(/.{76}/g, "$&\r\n");
    const twice = `From: a@example.net\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Type: application/octet-stream; name=in.eml\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--c--\r\n`;
    const raw = [
      `From: Ann <ann@example.net>\r\nTo: ${inbox.email}\r\nSubject: Fwd\r\nMessage-ID: <n1@example.net>\r\n`,
      "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n",
      `${link}\r\n`,
      part("text/plain", "Here."),
      part("message/rfc822", nested),
      part("message/rfc822", twice),
      part("text/csv; name=a.csv", `a,${link}`, "Content-Disposition: attachment; filename=a.csv\r\n"),
      part(
        "application/octet-stream",
        Buffer.from(link, "utf16le").toString("base64"),
        "Content-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename=b.bin\r\n",
      ),
      `--b--\r\n${link}\r\n`,
    ].join("");
    await service.receiveRaw(Buffer.from(raw), inbox.email, "ann@example.net", forgedFrom("example.net"));
    const message = await newest();
    expect(message?.attachments).toHaveLength(4);
    const read = decoded(decoded(decoded(await allThatAgentsRead(setting))));
    expect(findWords(read)).toEqual([]);
    expect(read.replaceAll("\0", "")).not.toContain(link.slice(60, 80));
    expect(read).toContain("Here.");
  });
});

describe("mail to a letter's reply address", () => {
  test("reaches the agent without the letter's links, and with the owner's own", async () => {
    const setting = await asked();
    const { service, letter, link, newest, inbox } = setting;
    const hidden = "https://clicks.example.org/x8Yt";
    await service.receive({
      from: `Grace <${grace}>`,
      ...answerTo(letter),
      text: `Yes, as on https://garden.example/june\n\nOn Thu, 1 Jan 2026, ${inbox.email} wrote:\n> Shall I book the garden for June?\n> The garden is free on the twelfth of June.\n> Yes: ${hidden}\n> No: ${link}\n`,
    });
    const message = await newest();
    expect(message).toMatchObject({ redacted: true, from: grace, to: [inbox.email] });
    expect(message?.extracted_text).toContain("https://garden.example/june");
    const read = decoded(await allThatAgentsRead(setting));
    expect(read.includes(hidden)).toBe(false);
    expect(findWords(read)).toEqual([]);
    expect(read).toContain("Shall I book the garden for June?");
  });

  test("loses all links when its new words repeat the letter", async () => {
    const setting = await asked();
    const { service, letter } = setting;
    const hidden = "https://clicks.example.org/x8Yt";
    await service.receive({
      from: grace,
      ...answerTo(letter),
      text: `Shall I book the garden for June?\n${hidden}\n`,
    });
    expect(decoded(await allThatAgentsRead(setting)).includes(hidden)).toBe(false);
  });

  test.each(["paused", "blocked"])(
    "is carried out while the inbox is %s, which stores nothing",
    async (how) => {
      const { service, letter, as, inbox, publicly, answer } = await asked();
      const before = (await as.messages.list({ inbox_id: inbox.id })).data.length;
      if (how === "paused") await as.inboxes.update({ inbox_id: inbox.id, status: "paused" });
      if (how === "blocked") await as.lists.create({ direction: "reply", type: "block", entry: grace });
      const { results } = await service.receive({ from: grace, ...answerTo(letter), text: "Yes" });
      expect(results[0]).toMatchObject({ message_id: null });
      expect(await publicly.questions.review({ token: answer })).toMatchObject({ state: "answered" });
      expect((await as.messages.list({ inbox_id: inbox.id })).data).toHaveLength(before);
    },
  );

  test("that is automatic is dropped and counted, and an unknown address is refused", async () => {
    const { service, letter, newest } = await asked();
    const before = (await newest())?.id;
    const report = await service.receive({
      from: grace,
      ...answerTo(letter),
      text: "Yes",
      headers: ["Auto-Submitted: auto-replied"],
    });
    expect(report.results).toMatchObject([{ outcome: "dropped", reason: "automatic_reply" }]);
    expect((await newest())?.id).toBe(before);
    const other = await service.receive({
      from: grace,
      to: "r+22222222222222222222222222@letterslot.localhost",
      text: "x",
    });
    expect(other.results).toMatchObject([{ outcome: "refused", reason: "unknown_recipient" }]);
  });
});

describe("a caller", () => {
  test("can't write to a letter's reply address, nor make it the one that people answer to", async () => {
    const { as, inbox, letter } = await asked();
    const { to, in_reply_to } = answerTo(letter);
    const mail = { inbox_id: inbox.id, to: ["ann@example.net"], subject: "Lunch?", text: "Answer yes." };
    const bad = { code: "invalid_address" };
    await expect(as.messages.send({ ...mail, to: [to] })).rejects.toMatchObject(bad);
    await expect(as.messages.send({ ...mail, cc: [to] })).rejects.toMatchObject(bad);
    await expect(as.messages.send({ ...mail, bcc: [to.toUpperCase()] })).rejects.toMatchObject(bad);
    await expect(as.messages.send({ ...mail, reply_to: to })).rejects.toMatchObject(bad);
    await expect(as.messages.send({ ...mail, in_reply_to })).rejects.toMatchObject({
      code: "invalid_header",
    });
  });
});

describe("a code", () => {
  test("that lives is removed from its reader's mail, lives on, and its link still confirms", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp("ada");
    await as.owners.create({ inbox_id: inbox.id, email: grace });
    await service.work();
    const code = service.codeFor(grace);
    const token = tokensIn(lettersTo(service, grace).at(-1) ?? "", "confirm")[0] ?? "";
    const mail = { to: inbox.email, text: `The code is ${code}, order 1234567.` };
    await service.receive({ ...mail, from: "stranger@example.net" });
    await service.receive({ ...mail, from: grace }, forgedFrom("example.com"));
    expect((await as.messages.list({ inbox_id: inbox.id })).data[0]?.extracted_text).toContain(code);
    await service.receive({ ...mail, from: grace });
    expect((await as.messages.list({ inbox_id: inbox.id })).data[0]).toMatchObject({
      redacted: true,
      extracted_text: "The code is [code removed], order 1234567.",
    });
    const publicly = service.letterslot.as({ type: "public", ip: "198.51.100.7" });
    expect(await publicly.owners.confirm({ token })).toMatchObject({ status: "verified" });
  });
});

test("numbers by anybody else, or injected, void no code, even all that a code may be", async () => {
  const service = createTestService();
  const { as, inbox } = await service.signUp("ada");
  const owner = await as.owners.create({ inbox_id: inbox.id, email: grace });
  await service.work();
  const code = service.codeFor(grace);
  const numbers = Array.from({ length: casesOf(100_000, 1_000_000) }, (_, after) =>
    String((Number(code) + after) % 1_000_000).padStart(6, "0"),
  ).join(" ");
  const mail = { to: inbox.email, text: numbers };
  expect(numbers).toContain(code);
  await service.receive({ ...mail, from: "agent@evil.example" });
  await service.receive({ ...mail, from: grace }, forgedFrom("example.com"));
  await as.messages.inject({
    inbox_id: inbox.id,
    from: grace,
    text: numbers.slice(0, 900_000),
    auth: { spf: "pass", dkim: "pass", dmarc: "pass" },
  });
  await as.messages.inject({ inbox_id: inbox.id, from: grace, text: `The code is ${code}.` });
  expect(await as.owners.confirmWithCode({ inbox_id: inbox.id, owner_id: owner.id, code })).toMatchObject({
    status: "verified",
  });
});

test("no sequence of an owner's mails leaves a live secret where a key can read it", async () => {
  const wrap = (text: string, at: number) => `${text.slice(0, at)}\r\n> ${text.slice(at)}`;
  const writings: ((link: string) => string)[] = [
    (link) => link,
    (link) => `> ${link}`,
    (link) => encodeURIComponent(link),
    (link) => encodeURIComponent(encodeURIComponent(link)),
    (link) => `https://eur01.safelinks.protection.outlook.com/?url=${encodeURIComponent(link)}`,
    (link) => `https://urldefense.com/v3/__${link}__;!!x`,
    (link) =>
      `https://urldefense.com/v2/url?u=${link.replace("://", "-3A__").replaceAll("/", "_").replaceAll("=", "-3D").replace("?", "-3F").replace("+", "-2B")}&d=Dw`,
    (link) => `https://linkprotect.cudasvc.com/url?a=${encodeURIComponent(link)}&c=E,1,x`,
    (link) => [...link].map((sign) => `&#x${sign.charCodeAt(0).toString(16)};`).join(""),
    (link) => [...link].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join(""),
    (link) => wrap(link, 58),
    (link) => `${link.slice(0, 61)}<wbr>${link.slice(61)}`,
    (link) => `${link.slice(0, 61)}\u200b${link.slice(61)}`,
  ];
  const encodings: ((body: string) => [string, string])[] = [
    (body) => ["8bit", body],
    (body) => ["base64", Buffer.from(body).toString("base64").replace(/.{76}/g, "$&\r\n")],
    (body) => ["quoted-printable", body.replaceAll("=", "=3D").replace(/[^\r\n]{60}(?=[^\r\n])/g, "$&=\r\n")],
  ];
  const Mail = fc.record({
    writing: fc.constantFrom(...writings),
    encoding: fc.constantFrom(...encodings),
    type: fc.constantFrom("text/plain", "text/html"),
    place: fc.constantFrom("body", "nested", "file", "subject", "header", "preamble"),
    to: fc.constantFrom("inbox", "reply"),
    automatic: fc.boolean(),
    secret: fc.constantFrom("answer", "page", "reply_to"),
  });
  // One service for all sequences: to make one takes longer than a sequence.
  const owned = await withOwner(createTestService());
  const { as, service, inbox } = owned;
  const inbox_id = inbox.id;
  let number = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(Mail, { minLength: 1, maxLength: 3 }), async (mails) => {
      // Only so many letters go to an owner in an hour.
      await service.clock.advance(600_000);
      const { next_cursor: before } = await as.events.list({});
      const { letter, answer, page } = await askedBy(owned);
      const reply_to = headerOf(letter, "Reply-To") ?? "";
      for (const { writing, encoding, type, place, to, automatic, secret } of mails) {
        const link = `http://localhost:8025/api/v1/owners/answer?token=${secret === "page" ? page : answer}`;
        const written = writing(secret === "reply_to" ? reply_to : link);
        const [coding, body] = encoding(place === "body" ? `Hello\r\n${written}\r\n` : "Hello\r\n");
        const [inner_coding, inner] = encoding(`Look\r\n${written}\r\n`);
        const nested = `Subject: in\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${inner_coding}\r\n\r\n${inner}\r\n`;
        const one_line = written.replace(/\r\n> /g, " ");
        const raw = [
          `From: Grace <${grace}>`,
          `To: ${to === "reply" ? reply_to : inbox.email}`,
          `Subject: ${place === "subject" ? one_line : "Re"}`,
          `Message-ID: <m${(number += 1)}@example.com>`,
          "Date: Thu, 01 Jan 2026 00:00:00 +0000",
          ...(automatic ? ["Auto-Submitted: auto-replied"] : []),
          ...(place === "header" ? [`X-Quoted: ${one_line}`] : []),
          "MIME-Version: 1.0",
          "Content-Type: multipart/mixed; boundary=b",
          "",
          place === "preamble" ? written : "",
          `--b\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${coding}\r\n\r\n${body}`,
          ...(place === "nested" ? [`--b\r\nContent-Type: message/rfc822\r\n\r\n${nested}`] : []),
          ...(place === "file"
            ? [
                `--b\r\nContent-Type: ${type}; name=a.txt\r\nContent-Disposition: attachment; filename=a.txt\r\nContent-Transfer-Encoding: ${inner_coding}\r\n\r\n${inner}`,
              ]
            : []),
          "--b--",
          "",
        ].join("\r\n");
        await service.receiveRaw(
          Buffer.from(raw),
          to === "reply" ? reply_to : inbox.email,
          grace,
          forgedFrom("example.com"),
        );
        await service.work();
      }
      const read = decoded(await allThatAgentsRead(owned, before));
      expect(findWords(read)).toEqual([]);
      for (const secret of [answer, page, reply_to.slice(2, 28)]) expect(read.includes(secret)).toBe(false);
      const { data } = await as.messages.list({ inbox_id, limit: 200 });
      for (const { id: message_id } of data) await as.messages.delete({ inbox_id, message_id });
    }),
    { numRuns: casesOf(20, 60) },
  );
});
