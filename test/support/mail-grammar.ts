import fc from "fast-check";
import { anyCharacter } from "./any-character.ts";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const OWN = "to: ada-main@letterslot.localhost";

const address = fc.constantFrom(
  "mara@family.example.com",
  '"Mara \\"M\\" Lee" <mara@family.example.com>',
  "=?utf-8?b?TWFyYQ==?= <mara@family.example.com>",
  "=?utf-8?q?eve=40evil.example?= <mara@family.example.com>",
  "undisclosed-recipients:;",
  "group: a@b.example, c@d.example;",
  "<>",
  "@",
  '"unclosed <a@b.example>',
  "(((comment)))a@b.example",
  `${"<".repeat(200)}a@b.example`,
  "a@b.example,".repeat(300),
);
const headerName = fc.constantFrom(
  ...[
    "From",
    "To",
    "Cc",
    "Subject",
    "Reply-To",
    "Sender",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Date",
    "Return-Path",
  ],
  ...[
    "Content-Type",
    "Content-Transfer-Encoding",
    "Content-Disposition",
    "Content-ID",
    "MIME-Version",
    "DKIM-Signature",
  ],
  ...[
    "Auto-Submitted",
    "List-Unsubscribe",
    "Precedence",
    "Received",
    "ARC-Seal",
    "Authentication-Results",
    "X-Spam",
    "From ",
  ],
);
const headerValue = fc.oneof(
  address,
  fc.constantFrom(
    ...[
      'multipart/mixed; boundary="b"',
      "multipart/alternative; boundary=b",
      "multipart/report; report-type=delivery-status; boundary=b",
    ],
    ...[
      "text/html; charset=utf-7",
      "text/plain; charset=iso-2022-jp",
      "text/plain; charset=nonsense",
      "message/rfc822",
      "multipart/mixed",
    ],
    ...[
      "base64",
      "quoted-printable",
      "8bit",
      "x-uuencode",
      "attachment; filename*0*=utf-8''%e2%82; filename*1=\"x\"",
      "inline",
    ],
    ...[
      "<a@b> <c@d>",
      "<".repeat(500),
      "auto-replied",
      "v=1; a=rsa-sha256; d=family.example.com; s=s1; h=from; bh=; b=",
    ],
    ...[
      "Thu, 01 Jan 2026 00:00:00 +0000",
      "Thu, 99 Foo 99999 99:99:99 +9999",
      "=?utf-8?q?=00=ff?=",
      "=?a?b?c?=".repeat(200),
    ],
  ),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
);
const header = fc
  .tuple(headerName, headerValue, fc.constantFrom("\r\n", "\n", "\r\n ", "\r"))
  .map(([name, value, end]) => `${name}: ${value}${end}`);
const body = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        "--b\r\n",
        "--b--\r\n",
        "--b\n",
        "\r\n\r\n",
        "\r\n.\r\n",
        "Final-Recipient: rfc822; a@b.example\r\n",
        "Action: failed\r\nStatus: 5.1.1\r\n",
      ],
      ...[
        "On Monday, Mara wrote:\r\n> quoted\r\n",
        "-- \r\nMara\r\n",
        "begin 644 x.txt\r\n#0V%T\r\n`\r\nend\r\n",
        "From: Ada\r\nSent: Monday\r\nSubject: x\r\n",
      ],
      ...[
        "<div><blockquote>".repeat(300),
        "<style>",
        "<!--",
        "<a href='javascript:x'>",
        "&#0;&#x110000;&",
        "<table><tr><td>".repeat(200),
      ],
      ...[
        "=\r\n=3D=ZZ",
        "////",
        "\u0000",
        "+AGEAYg-",
        "\u001b$B",
        "%PDF-1.7",
        "yes\r\n",
        "\ud83d\ude00".repeat(50),
        ">".repeat(3_000),
        "a ".repeat(2_000),
      ],
    ),
    header,
    fc.string({ unit: anyCharacter, maxLength: 80 }),
  ),
  { maxLength: 25 },
);

/** Mail made of the building blocks of mail in any order, broken in every way. */
export const grammaticalMail: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.array(header, { maxLength: 14 }), fc.constantFrom("\r\n", "\n", "", "\r\n\r\n"), body)
  .map(([headers, gap, parts]) => bytes(`${headers.join("")}${gap}${parts.join("")}`));

const ordinary = [
  `From: Mara <mara@family.example.com>\r\n${OWN}\r\nSubject: Trip\r\nMessage-ID: <1@family.example.com>\r\nContent-Type: multipart/mixed; boundary="b1"\r\n\r\n--b1\r\nContent-Type: multipart/alternative; boundary=b2\r\n\r\n--b2\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nHello =E2=82=AC\r\n--b2\r\nContent-Type: text/html\r\n\r\n<p>Hello <b>you</b></p><blockquote>old</blockquote>\r\n--b2--\r\n--b1\r\nContent-Type: application/pdf; name="=?utf-8?q?a=2Epdf?="\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename*=utf-8''a%20b.pdf\r\n\r\nJVBERi0xLjcK\r\n--b1--\r\n`,
  `From: MAILER-DAEMON@mx.example.net\r\n${OWN}\r\nSubject: Undelivered\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=r\r\n\r\n--r\r\n\r\nIt failed.\r\n--r\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\nFinal-Recipient: rfc822; bo@example.org\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 no such user\r\n--r\r\nContent-Type: message/rfc822\r\n\r\nMessage-ID: <2@x.example>\r\nSubject: Hi\r\n\r\nHi\r\n--r--\r\n`,
  `From: mara@family.example.com\r\n${OWN}\r\nSubject: =?iso-8859-1?q?Gr=FC=DFe?= =?utf-8?b?8J+Yig==?=\r\nIn-Reply-To: <1@family.example.com>\r\nReferences: <0@family.example.com>\r\n <1@family.example.com>\r\nDKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=family.example.com; s=s1; h=from:to; bh=aGVsbG8=; b=aGVsbG8=\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\nYes, please. \r\nYour code is 482913.\r\n\r\nOn Mon, 2 Nov 2026, Ada wrote:\r\n> Shall I?\r\n`,
].map(bytes);

type Change = (mail: Uint8Array) => Uint8Array;
const at = (mail: Uint8Array, share: number): number => Math.floor(share * mail.length);
const share = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(share, fc.nat(255)).map(
    ([where, byte]): Change =>
      (mail) =>
        mail.with(at(mail, where), byte),
  ),
  fc.tuple(share, share).map(
    ([from, to]): Change =>
      (mail) =>
        joined(mail.subarray(0, at(mail, from)), mail.subarray(at(mail, to))),
  ),
  fc.tuple(share, fc.uint8Array({ maxLength: 20 })).map(
    ([where, more]): Change =>
      (mail) =>
        inserted(mail, where, more),
  ),
  fc
    .tuple(
      share,
      fc.constantFrom("\r\n", "\n", "\0", "--b1", "--b1--", "\r\n\r\n", ";", '"', "=?", "<", "\u00ff"),
    )
    .map(
      ([where, more]): Change =>
        (mail) =>
          inserted(mail, where, bytes(more)),
    ),
  fc.tuple(share, share, fc.integer({ min: 2, max: 400 })).map(
    ([from, length, times]): Change =>
      (mail) => {
        const piece = mail.subarray(at(mail, from), at(mail, from) + 1 + Math.floor(length * 80));
        return inserted(mail, from, joined(...Array.from({ length: times }, () => piece)));
      },
  ),
  share.map(
    (where): Change =>
      (mail) =>
        mail.subarray(0, at(mail, where)),
  ),
);
const inserted = (mail: Uint8Array, where: number, more: Uint8Array): Uint8Array =>
  joined(mail.subarray(0, at(mail, where)), more, mail.subarray(at(mail, where)));
const joined = (...pieces: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(pieces));

/** Ordinary mail with up to eight bytes or pieces changed, removed, inserted or repeated. */
export const mutatedMail: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.constantFrom(...ordinary), fc.array(change, { minLength: 1, maxLength: 8 }))
  .map(([mail, changes]) =>
    changes.reduce((changed, apply) => (changed.length === 0 ? changed : apply(changed)), mail),
  );
