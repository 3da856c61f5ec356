import { describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../test/support/processor-time.ts";
import { parseMail } from "../parse.ts";
import { readReport } from "./read-report.ts";

/** A mail from a mail system, with what a test cares about. */
const read = async (
  mail: { from?: string; subject?: string; headers?: string[]; type?: string; body: string },
  mail_from = "",
) => {
  const {
    from = "Mail Delivery System <MAILER-DAEMON@mx.example.net>",
    subject = "Undelivered Mail Returned to Sender",
  } = mail;
  const head = [`From: ${from}`, "To: agent@example.org", `Subject: ${subject}`, ...(mail.headers ?? [])];
  const raw = [
    ...head,
    "MIME-Version: 1.0",
    `Content-Type: ${mail.type ?? "text/plain; charset=utf-8"}`,
    "",
    mail.body,
  ].join("\n");
  return readReport({
    mail: await parseMail(new TextEncoder().encode(raw.replace(/\n/g, "\r\n"))),
    mail_from,
  });
};

const report = (kind: string) => `multipart/report; report-type=${kind}; boundary="b"`;
const parts = (...all: [type: string, body: string][]) =>
  `${all.map(([type, body]) => `--b\nContent-Type: ${type}\n\n${body}\n`).join("")}--b--\n`;
const RETURNED: [string, string] = [
  "message/rfc822",
  "Message-ID: <sent-1@example.org>\nFrom: agent@example.org\nTo: ada@example.com\nSubject: Hello\n\nHello",
];

describe("a delivery status notification", () => {
  const status = [
    "Reporting-MTA: dns; mx.example.net",
    "Arrival-Date: Thu, 1 Jan 2026 00:00:00 +0000",
    "",
    "Original-Recipient: rfc822;Ada@example.com",
    "Final-Recipient: rfc822; ada@inner.example.com",
    "Action: failed",
    "Status: 5.0.0",
    "Diagnostic-Code: smtp; 550 5.1.1 <ada@inner.example.com>: Recipient address",
    "    rejected: User unknown",
    "",
    "Final-Recipient: rfc822; <bo@example.com>",
    "Action: failed",
    "Status: 5.2.2 (mailbox full)",
    "",
    "Final-Recipient: rfc822; cy@example.com",
    "Action: delayed",
    "Status: 4.4.1",
    "",
    "Final-Recipient: rfc822; di@example.com",
    "Action: relayed",
    "Status: 2.1.9",
  ].join("\n");

  test("gives each recipient's result", async () => {
    const body = parts(
      ["text/plain", "It could not be delivered."],
      ["message/delivery-status", status],
      RETURNED,
    );
    expect(await read({ type: report("delivery-status"), body })).toMatchObject({
      type: "delivery",
      original_message_id: "<sent-1@example.org>",
      recipients: [
        {
          address: "ada@inner.example.com",
          original: "ada@example.com",
          outcome: "hard",
          status: "5.1.1",
          reason: "unknown_user",
          detail: "550 5.1.1 <ada@inner.example.com>: Recipient address rejected: User unknown",
        },
        {
          address: "bo@example.com",
          original: null,
          outcome: "soft",
          status: "5.2.2",
          reason: "mailbox_full",
        },
        { address: "cy@example.com", outcome: "delayed", status: "4.4.1" },
        { address: "di@example.com", outcome: "delivered", status: "2.1.9" },
      ],
    });
  });

  test.each([
    ['<192.0.2.32 #5.0.0 smtp; 550 "Unknown User">', "hard"],
    ["<192.0.2.32 #5.1.1 smtp; 550 5.1.1 no such user>", "hard"],
    ['<192.0.2.32 #5.0.0 smtp; 552 "Mailbox full">', "soft"],
    ["<192.0.2.32 #4.0.0 smtp; 451 try later>", "soft"],
    ["", "soft"],
  ])("may have what the other server said in AsyncOS's own field: %s", async (supplement, outcome) => {
    const fields = [
      "Reporting-MTA: dns; mx.example.net\n",
      "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.0.0",
      `X-Supplementary-Info: ${supplement}`,
    ].join("\n");
    const body = parts(["text/plain", "I'm sorry."], ["message/delivery-status", fields], RETURNED);
    expect(await read({ type: report("delivery-status"), body })).toMatchObject({
      recipients: [{ address: "ada@example.com", outcome }],
      original_message_id: "<sent-1@example.org>",
    });
  });

  test("may omit the blank line between recipients, and return only the header", async () => {
    const joined = status.slice(status.indexOf("Final-Recipient")).replace(/\n\n/g, "\n");
    const body = parts(
      ["message/delivery-status", joined],
      ["text/rfc822-headers", "Message-ID: <sent-2@example.org>\nSubject: Hello"],
    );
    const read2 = await read({ type: report("delivery-status"), body });
    expect(read2).toMatchObject({ original_message_id: "<sent-2@example.org>" });
    expect(read2?.recipients).toHaveLength(4);
  });

  test("is read from the prose when its own diagnostic is missing", async () => {
    const bare = "Final-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.0.0";
    const words =
      "<ada@example.com>: host mx.example.com said: 550 no such user (in reply to RCPT TO command)";
    const body = parts(["text/plain", words], ["message/delivery-status", bare], RETURNED);
    expect(await read({ type: report("delivery-status"), body })).toMatchObject({
      recipients: [{ outcome: "hard", reason: "unknown_user", detail: words }],
    });
  });

  test("gets its status and reason from the prose about that recipient when its own says nothing", async () => {
    const words = [
      "A message is delayed for the following recipients:",
      "",
      "ada@example.com: 421 4.7.0 Messages temporarily deferred",
      "bo@example.com: 550 5.7.25 Reverse DNS validation failed",
    ].join("\n");
    const bare = (address: string, action: string, code: string) =>
      `Final-Recipient: rfc822; ${address}\nAction: ${action}\nStatus: ${code}\n`;
    const fields = [
      bare("ada@example.com", "delayed", "4.0.0"),
      bare("bo@example.com", "failed", "5.0.0"),
      bare("cy@example.com", "failed", "5.0.0"),
    ].join("\n");
    const body = parts(["text/plain", words], ["message/delivery-status", fields], RETURNED);
    expect(await read({ type: report("delivery-status"), body })).toMatchObject({
      recipients: [
        { outcome: "delayed", status: "4.7.0", reason: "rate" },
        { outcome: "soft", status: "5.7.25", reason: "host_refused" },
        { outcome: "soft", status: "5.0.0" },
      ],
    });
  });

  test("believes of a recipient nothing that the prose says of another", async () => {
    const words = "ada@example.com: 550 5.1.1 no such user";
    const fields = ["ada@example.com", "bo@example.com"]
      .map((address) => `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.0.0\n`)
      .join("\n");
    const body = parts(["text/plain", words], ["message/delivery-status", fields], RETURNED);
    expect(await read({ type: report("delivery-status"), body })).toMatchObject({
      recipients: [
        { address: "ada@example.com", outcome: "hard", status: "5.1.1", reason: "unknown_user" },
        { address: "bo@example.com", outcome: "soft", status: "5.0.0", reason: "unknown" },
      ],
    });
  });

  test.each([
    ["utf-8; प्रिया@उदाहरण.भारत", "प्रिया@उदाहरण.भारत"],
    ["utf-8;\\x{430}\\x{434}\\x{430}@пример.рф", "ада@пример.рф"],
    ["utf-8; ada@example.com", "ada@example.com"],
    ["utf-8; \\x{110000}ada@example.com", "ada@example.com"],
  ])("in Unicode names the recipient of %s", async (written, address) => {
    const fields = `Final-Recipient: ${written}\nAction: failed\nStatus: 5.1.1\n`;
    const body = parts(["text/plain", "It failed."], ["message/global-delivery-status", fields]);
    const utf8 = body.replace(
      "global-delivery-status",
      "global-delivery-status\nContent-Transfer-Encoding: 8bit",
    );
    expect(await read({ type: report("delivery-status"), body: utf8 })).toMatchObject({
      recipients: [{ address, outcome: "hard" }],
    });
  });

  test("that a person forwards does not count", async () => {
    const body = parts(["text/plain", "See below"], ["message/delivery-status", status], RETURNED);
    const mail = {
      from: "Bo <bo@example.com>",
      subject: "Fwd: Undelivered Mail",
      type: 'multipart/mixed; boundary="b"',
      body,
    };
    expect(await read(mail, "bo@example.com")).toBeUndefined();
  });
});

describe("a report in prose", () => {
  test.each([
    [
      "of qmail",
      "Hi. This is the qmail-send program at mx.example.net.\nI'm afraid I wasn't able to deliver your message to the following addresses.\n\n<ada@example.com>:\n192.0.2.1 does not like recipient.\nRemote host said: 550 5.1.1 <ada@example.com>... User unknown\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <agent@example.org>\nMessage-ID: <sent-1@example.org>\nTo: ada@example.com\n\nHello",
      [["ada@example.com", "hard", "5.1.1"]],
    ],
    [
      "of Exim, about two",
      "This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to all of its recipients.\n\n  ada@example.com\n    SMTP error from remote mail server after RCPT TO:<ada@example.com>:\n    host mx.example.com [192.0.2.1]: 550 no such user\n  bo@example.com\n    host mx.example.com [192.0.2.1]: 552 5.2.2 mailbox full\n\n------ This is a copy of the message, including all the headers. ------\n\nMessage-ID: <sent-1@example.org>\nTo: ada@example.com, bo@example.com\n\nHello cy@example.com",
      [
        ["ada@example.com", "hard", null],
        ["bo@example.com", "soft", "5.2.2"],
      ],
    ],
    [
      "that warns of a delay",
      "This is a warning message only. You do not need to resend your message.\n\nThe address to which the message has not yet been delivered is:\n\n  ada@example.com\n    Delay reason: connection timed out\n",
      [["ada@example.com", "delayed", null]],
    ],
    [
      "of an old Exchange",
      "Your message\n\n  To:      somebody@example.com\n  Subject: Hello\n\ndid not reach the following recipient(s):\n\nada@example.com on Thu, 1 Jan 2026 00:00:00 -0000\n    The recipient name is not recognized\n",
      [["ada@example.com", "hard", null]],
    ],
    [
      "that says why of one recipient",
      "These addresses failed:\n\nada@example.com\n  no such user\n\nbo@example.com\n  it didn't work\n",
      [
        ["ada@example.com", "hard", null],
        ["bo@example.com", "soft", null],
      ],
    ],
    [
      "that says why of all",
      "There is no such user for these addresses:\n\nada@example.com\n\nbo@example.com\n",
      [
        ["ada@example.com", "hard", null],
        ["bo@example.com", "hard", null],
      ],
    ],
    [
      "that lists the envelope below the answer",
      "Error message below:\n550 - Requested action not taken: no such user here\n\nMessage details:\n  MAIL FROM: agent@example.org\n  RCPT TO: ada@example.com\n",
      [["ada@example.com", "soft", null]],
    ],
    [
      "that names the command alone",
      "Sent <<< RCPT TO:<ada@example.com>\nReceived >>> 550 5.1.1 user unknown\n",
      [["ada@example.com", "hard", "5.1.1"]],
    ],
  ] as const)("%s is read", async (_, body, expected) => {
    const found = await read({ body });
    expect(found?.type).toBe("delivery");
    expect(
      found?.type === "delivery" &&
        found.recipients.map(({ address, outcome, status }) => [address, outcome, status]),
    ).toEqual(expected);
  });

  test("gets its message from the copy below", async () => {
    const body =
      "<ada@example.com>: User unknown\n\n--- Original message follows.\n\nReceived: by x\nMessage-ID: <sent-1@example.org>\n\nHi";
    expect(await read({ body })).toMatchObject({ original_message_id: "<sent-1@example.org>" });
  });

  test("uses X-Failed-Recipients", async () => {
    const headers = ["X-Failed-Recipients: ada@example.com, bo@example.com"];
    const found = await read({
      headers,
      body: "Your message to these people could not be delivered: no such user.",
    });
    expect(found?.type === "delivery" && found.recipients.map(({ address }) => address)).toEqual([
      "ada@example.com",
      "bo@example.com",
    ]);
  });

  test("in HTML only is read too", async () => {
    const body =
      "<html><body><p>Delivery failed:</p><p>&lt;ada@example.com&gt;: 550 5.1.1 user unknown</p></body></html>";
    expect(await read({ type: "text/html; charset=utf-8", body })).toMatchObject({
      recipients: [{ address: "ada@example.com", outcome: "hard" }],
    });
  });
});

describe("not a report", () => {
  test.each([
    [
      "an automatic reply",
      { subject: "Automatic reply: Hello", from: "ada@example.com", body: "I'm out of the office." },
      "",
    ],
    [
      "a mail of a person about a failure",
      { subject: "delivery failure", from: "ada@example.com", body: "<bo@example.com>: 550 user unknown" },
      "ada@example.com",
    ],
    [
      "a mail system's mail about something else",
      { subject: "Weekly summary", body: "ada@example.com wrote 4 mails." },
      "",
    ],
    ["an ordinary mail", { subject: "Hello", from: "ada@example.com", body: "Hello" }, "ada@example.com"],
  ] as const)("%s", async (_, mail, mail_from) => {
    expect(await read(mail, mail_from)).toBeUndefined();
  });
});

describe("a complaint", () => {
  const feedback = (fields: string, ...more: [string, string][]) =>
    read(
      {
        from: "fbl@provider.example",
        subject: "Abuse report",
        type: report("feedback-report"),
        body: parts(["text/plain", "This is a complaint."], ["message/feedback-report", fields], ...more),
      },
      "fbl@provider.example",
    );

  test("has the complainant and the mail", async () => {
    const fields =
      "Feedback-Type: abuse\nUser-Agent: X/1\nVersion: 1\nOriginal-Rcpt-To: <Ada@example.com>\nOriginal-Rcpt-To: bo@example.com";
    expect(await feedback(fields, RETURNED)).toEqual({
      type: "complaint",
      feedback_type: "abuse",
      recipients: ["ada@example.com", "bo@example.com"],
      original_message_id: "<sent-1@example.org>",
      report_header: null,
    });
  });

  test("has the header that the service put into the returned mail, the first one where there are more", async () => {
    const [type, body] = RETURNED;
    const returned: [string, string] = [type, `X-Svc-Report: first\nx-svc-report: second\n${body}`];
    expect(await feedback("Feedback-Type: abuse\nVersion: 1", returned)).toMatchObject({
      report_header: "first",
    });
  });

  test("with a redacted address uses the returned mail", async () => {
    const fields = "Feedback-Type: abuse\nVersion: 1\nRedacted-Address: redacted@";
    expect(await feedback(fields, RETURNED)).toMatchObject({ recipients: ["ada@example.com"] });
  });

  test.each(["auth-failure", "not-spam", "dmarc"])("is not read from %s feedback", async (type) => {
    expect(await feedback(`Feedback-Type: ${type}\nVersion: 1`, RETURNED)).toBeUndefined();
  });

  test("from Outlook.com has no report part", async () => {
    const original = RETURNED[1].replace(
      "Message-ID",
      "X-HmXmrOriginalRecipient: ada@example.com\nMessage-ID",
    );
    const mail = {
      from: "staff@hotmail.com",
      subject: "complaint about message from 192.0.2.1",
      type: 'multipart/mixed; boundary="b"',
      body: parts(["message/rfc822", original]),
    };
    expect(await read(mail, "staff@hotmail.com")).toMatchObject({
      type: "complaint",
      recipients: ["ada@example.com"],
      original_message_id: "<sent-1@example.org>",
    });
    expect(await read({ ...mail, from: "eve@evil.test" }, "eve@evil.test")).toBeUndefined();
  });
});

describe("an Amazon SES notification", () => {
  const mail = { headers: [{ name: "Message-ID", value: "<sent-1@example.org>" }] };
  const bounce = {
    notificationType: "Bounce",
    bounce: {
      bouncedRecipients: [
        { emailAddress: "Ada@example.com", status: "5.1.1", diagnosticCode: "smtp; 550 5.1.1 user unknown" },
      ],
    },
    mail,
  };
  const notice = (body: string, from = "no-reply@sns.amazonaws.com") =>
    read({ from, subject: "AWS Notification Message", body }, "bounces@amazonses.com");
  const footer = "\n\n--\nIf you wish to stop receiving notifications from this topic, see below.";

  test("has the bounced recipients, alone or in an envelope", async () => {
    const expected = {
      type: "delivery",
      original_message_id: "<sent-1@example.org>",
      recipients: [{ address: "ada@example.com", outcome: "hard", status: "5.1.1", reason: "unknown_user" }],
    };
    expect(await notice(JSON.stringify(bounce) + footer)).toMatchObject(expected);
    expect(
      await notice(JSON.stringify({ Type: "Notification", Message: JSON.stringify(bounce) })),
    ).toMatchObject(expected);
  });

  test("has the complainants, and the delivered recipients", async () => {
    const complaint = { complainedRecipients: [{ emailAddress: "ada@example.com" }] };
    expect(await notice(JSON.stringify({ notificationType: "Complaint", complaint, mail }))).toMatchObject({
      type: "complaint",
      feedback_type: "abuse",
      recipients: ["ada@example.com"],
    });
    const delivery = { recipients: ["ada@example.com"], smtpResponse: "250 2.6.0 Message received" };
    expect(await notice(JSON.stringify({ notificationType: "Delivery", delivery, mail: {} }))).toMatchObject({
      original_message_id: null,
      recipients: [{ outcome: "delivered", status: "2.6.0" }],
    });
  });

  test("does not count from elsewhere, or in another form", async () => {
    expect(await notice(JSON.stringify(bounce), "eve@evil.test")).toBeUndefined();
    for (const body of ["{", "{}", "Hello", "[1]", JSON.stringify({ notificationType: "Bounce", mail })])
      expect(await notice(body)).toBeUndefined();
  });
});

test("hostile reports are read quickly and within limits", async () => {
  const body = parts([
    "message/delivery-status",
    Array.from(
      { length: 5_000 },
      (_, n) => `Final-Recipient: rfc822; a${n}@example.com\nAction: failed\n`,
    ).join("\n"),
  ]);
  const spent = await measureThreadCpu(async () => {
    const found = await read({ type: report("delivery-status"), body });
    expect(found?.recipients).toHaveLength(100);
    await read({
      body: `${"<ada@example.com> ".repeat(50_000)}\n${"a".repeat(500_000)}@`,
      subject: "failure notice",
    });
    await read({ body: Array.from({ length: 50_000 }, (_, n) => `a${n}@example.com: failed`).join("\n") });
  });
  expect(spent).toBeLessThan(3_000);
});
