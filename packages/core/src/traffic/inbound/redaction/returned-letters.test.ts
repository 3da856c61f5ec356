import { describe, expect, test } from "vitest";
import { signedInPieces, signedMessage } from "../../../../test/signed-mail.ts";
import { createTestService, forgedFrom, signedBy } from "../../../../testing/index.ts";
import { lettersTo, withOwner } from "../../../../testing/owner-mail.ts";
import {
  around,
  file,
  grace,
  mailOf,
  newest,
  placeOfCode,
  type Setting,
  signingIn,
  text,
  withoutLink,
} from "../../../../testing/returned-mail.ts";

const expectGone = async (setting: Parameters<typeof placeOfCode>[0]) =>
  expect(await placeOfCode(setting)).toBe("");

describe("a letter that the owner's mailbox redirects", () => {
  test("is stored as a stub, and its code is void", async () => {
    const setting = await signingIn();
    const { service, inbox, raw, signIn, as } = setting;
    await service.receiveRaw(raw, inbox.email, "srs@example.com", signedBy("letterslot.localhost"));
    const message = await newest(setting);
    expect(message).toMatchObject({ redacted: true, html: null, attachments: [], message_id: null });
    expect(message?.extracted_text).toContain('A letter of the kind "sign_in" from this service');
    await expectGone(setting);
    expect(await as.messages.waitForCode({ inbox_id: inbox.id, wait: 0 })).toMatchObject({
      timed_out: true,
      message: null,
    });
    await expect(signIn()).rejects.toMatchObject({ code: "session_invalid" });
  });

  test("is a stub also without our signature, and injected, where it voids nothing", async () => {
    const setting = await signingIn();
    const { inbox, raw, signIn, as } = setting;
    const message = await as.messages.inject({ inbox_id: inbox.id, raw: raw.toString("base64") });
    expect(message).toMatchObject({ redacted: true, text: expect.stringContaining("sign_in") });
    await expectGone(setting);
    expect(await signIn()).toMatchObject({ email: grace });
  });

  test("that confirms an owner is a stub too, and its code is void", async () => {
    const service = createTestService();
    const { as, inbox } = await service.signUp("ada");
    const owner = await as.owners.create({ inbox_id: inbox.id, email: grace });
    await service.work();
    const code = service.codeFor(grace);
    const raw = service.transport.sent.at(-1)?.raw ?? new Uint8Array();
    await service.receiveRaw(raw, inbox.email, "srs@example.com", signedBy("letterslot.localhost"));
    const { data } = await as.messages.list({ inbox_id: inbox.id, limit: 200 });
    expect(data.find(({ direction }) => direction === "inbound")).toMatchObject({ redacted: true });
    expect(JSON.stringify(data).includes(code)).toBe(false);
    const named = { inbox_id: inbox.id, owner_id: owner.id, code };
    await expect(as.owners.confirmWithCode(named)).rejects.toMatchObject({ code: expect.any(String) });
  });
});

/** A service whose owner recovers a key, and the letter with the link. */
async function recovering() {
  const setting = await withOwner(createTestService());
  const { service, account_id } = setting;
  await service.letterslot.operator.accounts.authority.give({ account_id, email: grace });
  const publicly = service.letterslot.as({ type: "public", ip: "203.0.113.9" });
  await publicly.recovery.start({ email: grace });
  await service.work();
  const raw = Buffer.from(service.transport.sent.at(-1)?.raw ?? []);
  const token = /recover\/confirm\?token=(\w+)/.exec(lettersTo(service, grace).at(-1) ?? "")?.[1] ?? "";
  return { ...setting, raw, code: token };
}

describe("a letter of recovery that the owner's mailbox redirects", () => {
  test("is stored as a stub, and its link stands nowhere", async () => {
    const setting = await recovering();
    const { service, inbox, raw, code } = setting;
    expect(code).toMatch(/^ls/);
    await service.receiveRaw(raw, inbox.email, "srs@example.com", signedBy("letterslot.localhost"));
    const message = await newest(setting);
    expect(message).toMatchObject({ redacted: true, html: null, attachments: [], message_id: null });
    expect(message?.extracted_text).toContain('A letter of the kind "recovery" from this service');
    await expectGone(setting);
  });

  test("is a stub without our signature too, and attached to another mail", async () => {
    const setting = await recovering();
    const { service, inbox, raw } = setting;
    await service.receiveRaw(raw, inbox.email, "srs@example.com", forgedFrom("letterslot.localhost"));
    expect((await newest(setting))?.extracted_text).toContain('of the kind "recovery"');
    const forwarded = around(setting, raw);
    await service.receiveRaw(forwarded, inbox.email, "help@desk.example", forgedFrom("desk.example"));
    expect((await newest(setting))?.attachments).toMatchObject([{ filename: "letter.txt" }]);
    await expectGone(setting);
  });
});

describe("a stub", () => {
  test("is all that plain waits, lists, searches, events and webhooks show of a letter itself", async () => {
    const setting = await signingIn();
    const { service, inbox, raw, code, words, as } = setting;
    await as.webhooks.create({ url: "https://receiver.example/hook", events: ["message.received"] });
    const inbox_id = inbox.id;
    const { next_cursor: after } = await as.events.list({});
    const waits = [
      as.messages.wait({ inbox_id, wait: 10 }),
      as.messages.waitForCode({ inbox_id, wait: 10 }),
    ] as const;
    await service.receiveRaw(raw, inbox.email, "srs@example.com", signedBy("letterslot.localhost"));
    await service.work();
    const waited = await waits[0];
    const stub = 'A letter of the kind "sign_in" from this service';
    expect(JSON.stringify(waited)).toContain(JSON.stringify(stub).slice(1, -1));
    const posted = service.receivers.posted.map(({ body }) => body);
    expect(posted).toHaveLength(1);
    const shown = {
      waited,
      posted,
      list: await as.messages.list({ inbox_id }),
      threads: await as.threads.list({ inbox_id }),
      search: await as.search.messages({ q: "letter from this service" }),
      events: await as.events.list({ after, limit: 100 }),
    };
    for (const [where, found] of Object.entries(shown)) {
      const json = JSON.stringify(found);
      expect([where, json.includes(code)]).toEqual([where, false]);
      for (const line of words.split("\n").filter((each) => each.length > 30))
        expect([where, json.includes(line)]).toEqual([where, false]);
    }
    await service.clock.advance(10_000);
    expect(await waits[1]).toMatchObject({ timed_out: true, message: null, code: null });
  });
});

describe("a letter that comes back in another mail", () => {
  const SMIME = "application/pkcs7-mime; smime-type=signed-data";
  const spelled = (code: string, sign: (digit: string) => string) => [...code].map(sign).join("");
  const fullWidth = (code: string) => spelled(code, (digit) => String.fromCharCode(0xff10 + Number(digit)));
  /** A mail with the letter in a part of quoted-printable, whose code is written in a way of its own. */
  const quotedPrintable = (s: Setting, write: (code: string) => string): Buffer => {
    const body = s.words.replaceAll("=", "=3D").replace(s.code, write(s.code)).replace(/\r?\n/g, "\r\n");
    const part = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable";
    const mail = mailOf(s, [text("FYI")]).toString();
    return Buffer.from(mail.replace(/--b--\r\n$/, () => `--b\r\n${part}\r\n\r\n${body}\r\n--b--\r\n`));
  };
  const ways: [string, (setting: Setting) => Buffer][] = [
    ["forwarded inline", (s) => mailOf(s, [text(`FYI\r\n\r\n${s.words}`)])],
    ["forwarded as an attachment", (s) => around(s, s.raw)],
    ["nested three deep", (s) => around(s, around(s, around(s, s.raw)))],
    [
      "in quoted-printable, with its code as code points",
      (s) => quotedPrintable(s, (code) => spelled(code, (digit) => `=3${digit}`)),
    ],
    [
      "in quoted-printable, with its code over a soft break",
      (s) => quotedPrintable(s, (code) => `${code.slice(0, 3)}=\r\n${code.slice(3)}`),
    ],
    [
      "in a signed S/MIME message",
      (s) => mailOf(s, [text("See."), file("smime.p7m", signedMessage(s.raw.toString("latin1")), SMIME)]),
    ],
    [
      "in pieces of a signed S/MIME message, in Base64",
      (s) => {
        const fields = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64";
        const body = Buffer.from(s.words).toString("base64").replace(/.{76}/g, "$&\r\n");
        const signed = signedInPieces(`${fields}\r\n\r\n${body}\r\n`, 50);
        return mailOf(s, [text("See."), file("smime.p7m", signed, SMIME)]);
      },
    ],
    ["saved as text", (s) => mailOf(s, [text("See."), file("saved.txt", s.words)])],
    ["saved in UTF-16", (s) => mailOf(s, [text("See."), file("saved.txt", Buffer.from(s.words, "utf16le"))])],
    ["saved as HTML", (s) => mailOf(s, [text("See."), file("a.html", `<p>${s.words}</p>`, "text/html")])],
    [
      "saved as a calendar",
      (s) => mailOf(s, [text("See."), file("a.ics", `DESCRIPTION:${s.words}`, "text/calendar")]),
    ],
    [
      "returned by a mail server",
      (s) => mailOf(s, [text("It was not delivered."), file("letter.txt", s.raw, "text/rfc822-headers")]),
    ],
    [
      "quoted by a help desk",
      (s) => mailOf(s, [text(`Thank you.\r\n\r\n> ${s.words.replaceAll("\n", "\n> ")}`)]),
    ],
    ["with its code in a file name", (s) => mailOf(s, [text(s.words), file(`${s.code}.png`, "x")])],
    ["with its code in a header", (s) => mailOf(s, [text(s.words)], [`X-Code: ${s.code}`])],
    ["with its code in the subject", (s) => mailOf(s, [text(s.words)], [`Subject: Re: ${s.code}`])],
    [
      "with its code in tags",
      (s) =>
        mailOf(s, [
          {
            type: "text/html",
            body: s.words
              .replaceAll("\n", "<br>")
              .replace(s.code, `<b>${s.code.slice(0, 3)}</b>${s.code.slice(3)}`),
          },
        ]),
    ],
    [
      "with its code as entities",
      (s) =>
        mailOf(s, [
          {
            type: "text/html",
            body: s.words.replace(
              s.code,
              spelled(s.code, (digit) => `&#${48 + Number(digit)};`),
            ),
          },
        ]),
    ],
    ["with full-width digits", (s) => mailOf(s, [text(s.words.replace(s.code, fullWidth(s.code)))])],
    [
      "with a soft hyphen in its code",
      (s) => mailOf(s, [text(s.words.replace(s.code, `${s.code.slice(0, 2)}\u00ad${s.code.slice(2)}`))]),
    ],
    [
      "with its code over two lines",
      (s) => mailOf(s, [text(s.words.replace(s.code, `${s.code.slice(0, 4)}\r\n> ${s.code.slice(4)}`))]),
    ],
  ];

  test.each(ways)("%s shows its code nowhere, and the code is void", async (_, mail) => {
    const setting = await signingIn();
    const { service, inbox, signIn } = setting;
    await service.receiveRaw(mail(setting), inbox.email, "help@desk.example", signedBy("desk.example"));
    expect(await newest(setting)).toMatchObject({ redacted: true });
    await expectGone(setting);
    await expect(signIn()).rejects.toMatchObject({ code: "session_invalid" });
  });

  test.each(ways)("%s through the injector shows its code nowhere, and voids nothing", async (_, mail) => {
    const setting = await signingIn();
    const { as, inbox, signIn } = setting;
    await as.messages.inject({ inbox_id: inbox.id, raw: mail(setting).toString("base64") });
    await expectGone(setting);
    expect(await signIn()).toMatchObject({ email: grace });
  });

  test("in a signed S/MIME message that only its file's name tells is void", async () => {
    const setting = await signingIn();
    const { service, inbox, words, signIn } = setting;
    const body = Buffer.from(words).toString("base64").replace(/.{76}/g, "$&\r\n");
    const signed = signedInPieces(`Content-Transfer-Encoding: base64\r\n\r\n${body}\r\n`, 50);
    const mail = mailOf(setting, [text("See."), file("smime.p7m", signed)]);
    await service.receiveRaw(mail, inbox.email, "help@desk.example", forgedFrom("desk.example"));
    expect(await newest(setting)).toMatchObject({ redacted: true });
    await expectGone(setting);
    await expect(signIn()).rejects.toMatchObject({ code: "session_invalid" });
  });

  test("without its link is known by its sentences", async () => {
    const setting = await signingIn();
    const { service, inbox, signIn } = setting;
    const mail = mailOf(setting, [text(`FYI\r\n\r\n${withoutLink(setting)}`)]);
    await service.receiveRaw(mail, inbox.email, "help@desk.example", forgedFrom("desk.example"));
    await expectGone(setting);
    await expect(signIn()).rejects.toMatchObject({ code: "session_invalid" });
  });

  test("leaves the words of whoever forwards it, and what else is in the mail", async () => {
    const setting = await signingIn();
    const { service, inbox, as } = setting;
    await service.receiveRaw(
      mailOf(setting, [text("Look at this."), file("letter.eml", setting.raw, "message/rfc822")]),
      inbox.email,
      "help@desk.example",
      signedBy("desk.example"),
    );
    const message = await newest(setting);
    expect(message).toMatchObject({ extracted_text: "Look at this.", redacted: true });
    const [attachment] = message?.attachments ?? [];
    expect(attachment).toMatchObject({ filename: "letter.txt", content_type: "text/plain" });
    const stub = await as.attachments.get({
      inbox_id: inbox.id,
      message_id: message?.id ?? "",
      attachment_id: attachment?.id ?? "",
    });
    expect(Buffer.from(stub.bytes).toString()).toContain(`to ${grace}`);
  });

  test("in an archive is withheld from the owner's own mail while the code lives", async () => {
    const setting = await signingIn();
    const { service, inbox, signIn } = setting;
    const archive = Buffer.from("PK\u0003\u0004\u0014\0\0\0\u0008\0something deflated");
    const mail = Buffer.from(
      mailOf(setting, [
        text("Here."),
        file("mail.zip", archive),
        file("a.png", Buffer.from("\x89PNG\r\n\x1a\n--", "latin1")),
      ])
        .toString()
        .replace("Help <help@desk.example>", grace),
    );
    await service.receiveRaw(mail, inbox.email, grace, signedBy("example.com"));
    expect((await newest(setting))?.attachments.map(({ filename }) => filename)).toEqual([
      "withheld.txt",
      "a.png",
    ]);
    expect(await signIn()).toMatchObject({ email: grace });
  });
});

test("a letter that is proven by its link is void also among many numbers", async () => {
  const setting = await signingIn();
  const { service, inbox, words, signIn } = setting;
  const many = Array.from({ length: 40 }, (_, index) => String(100_000 + index)).join(", ");
  await service.receive({ from: "help@desk.example", to: inbox.email, text: `${words}\n${many}` });
  await expectGone(setting);
  await expect(signIn()).rejects.toMatchObject({ code: "session_invalid" });
});

describe("while a code lives", () => {
  test("other people's numbers and files come through whole", async () => {
    const setting = await signingIn();
    const { service, inbox, as, signIn } = setting;
    const words = "Your code for the shop is 482913. Order 123 456.";
    await service.receiveRaw(
      mailOf(setting, [text(words), file("a.zip", Buffer.from("PK\u0003\u0004\u0001"))]),
      inbox.email,
      "help@desk.example",
      signedBy("desk.example"),
    );
    expect(await newest(setting)).toMatchObject({ redacted: false, extracted_text: words });
    expect((await newest(setting))?.attachments).toMatchObject([{ filename: "a.zip" }]);
    expect(await as.messages.waitForCode({ inbox_id: inbox.id, wait: 0 })).toMatchObject({ code: "482913" });
    expect(await signIn()).toMatchObject({ email: grace });
  });

  test("the owner's own mail loses the code alone, which lives on", async () => {
    const setting = await signingIn();
    const { service, inbox, code, signIn } = setting;
    const other = code === "482913" ? "482914" : "482913";
    await service.receive({ from: grace, to: inbox.email, text: `${code} for order ${other}.` });
    expect(await newest(setting)).toMatchObject({
      redacted: true,
      extracted_text: `[code removed] for order ${other}.`,
    });
    await expectGone(setting);
    expect(await signIn()).toMatchObject({ email: grace });
  });

  test("nobody who guesses makes it void: with many numbers, nor without the letter", async () => {
    const setting = await signingIn();
    const { service, inbox, code, signIn } = setting;
    const many = Array.from({ length: 40 }, (_, index) => String(100_000 + index)).join(", ");
    const from = "help@desk.example";
    await service.receive({ from, to: inbox.email, text: `${withoutLink(setting)} ${many}, ${code}` });
    await expectGone(setting);
    await service.receive({ from, to: inbox.email, text: `Is it ${code}?` });
    expect((await newest(setting))?.extracted_text).toBe(`Is it ${code}?`);
    expect(await signIn()).toMatchObject({ email: grace });
  });
});
