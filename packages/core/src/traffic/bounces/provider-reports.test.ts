import { describe, expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { readReport } from "../../mail/bounce-reports/read-report.ts";
import { parseMail } from "../../mail/parse.ts";

/**
 * Reports without a machine-readable part, as mail systems send them: sender, subject, text, and the expected
 * result.
 */
const reports: Record<string, [from: string, subject: string, body: string, outcome: string]> = {
  qmail: [
    "MAILER-DAEMON@mx.example.net",
    "failure notice",
    `Hi. This is the qmail-send program at mx.example.net.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@example.com>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <agent@example.org>
Message-ID: <sent-1@example.org>
`,
    "ada@example.com hard",
  ],
  Postfix: [
    "MAILER-DAEMON@mx.example.net",
    "Undelivered Mail Returned to Sender",
    `This is the mail system at host mx.example.net.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

For further assistance, please send mail to postmaster.

<ada@example.com>: host mx.example.com[192.0.2.1] said: 550 5.1.1
    <ada@example.com>: Recipient address rejected: User unknown (in reply to
    RCPT TO command)
`,
    "ada@example.com hard",
  ],
  Exim: [
    "Mailer-Daemon@mx.example.net",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@example.com
    host mx.example.com [192.0.2.1]
    SMTP error from remote mail server after RCPT TO:<ada@example.com>:
    550 5.1.1 User unknown
`,
    "ada@example.com hard",
  ],
  "Exim, delayed": [
    "Mailer-Daemon@mx.example.net",
    "Warning: message 1abc delayed 24 hours",
    `This message was created automatically by mail delivery software.
A message that you sent has not yet been delivered to one or more of its
recipients after more than 24 hours on the queue on mx.example.net.

The message identifier is:     1abc
The subject of the message is: Hello

The address to which the message has not yet been delivered is:

  ada@example.com
    Delay reason: connection timed out

No action is required on your part.`,
    "ada@example.com delayed",
  ],
  Sendmail: [
    "MAILER-DAEMON@mx.example.net",
    "Returned mail: see transcript for details",
    `The original message was received at Tue, 4 Mar 2025 10:15:00 GMT
from mx.example.org [192.0.2.9]

   ----- The following addresses had permanent fatal errors -----
<ada@example.com>
    (reason: 550 5.1.1 <ada@example.com>... User unknown)

   ----- Transcript of session follows -----
... while talking to mx.example.com.:
>>> DATA
<<< 550 5.1.1 <ada@example.com>... User unknown
550 5.1.1 <ada@example.com>... User unknown
<<< 503 5.0.0 Need RCPT (recipient)
`,
    "ada@example.com hard",
  ],
  "Exchange 2003": [
    "postmaster@example.com",
    "Undeliverable: Hello",
    `Your message

  To:      ada@example.com
  Subject: Hello
  Sent:    Tue, 4 Mar 2025 10:15:00 -0000

did not reach the following recipient(s):

ada@example.com on Tue, 4 Mar 2025 10:15:02 -0000
    The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.
    <mx.example.com #5.1.1>
`,
    "ada@example.com hard",
  ],
  "Exchange 2007": [
    "postmaster@example.com",
    "Undeliverable: Hello",
    `Delivery has failed to these recipients or distribution lists:

ada@example.com<mailto:ada@example.com>
The recipient's e-mail address was not found in the recipient's e-mail system. Microsoft Exchange will not try to redeliver this message for you. Please check the e-mail address and try resending this message, or provide the following diagnostic text to your system administrator.

Diagnostic information for administrators:

Generating server: mx.example.com

ada@example.com
#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##
`,
    "ada@example.com hard",
  ],
  Domino: [
    "Postmaster@example.com",
    "DELIVERY FAILURE: User ada (ada@example.com) not listed in Domino Directory",
    `Your message

  Subject: Hello

was not delivered to:

  ada@example.com

because:

  User ada (ada@example.com) not listed in Domino Directory
`,
    "ada@example.com hard",
  ],
  Gmail: [
    "mailer-daemon@googlemail.example",
    "Delivery Status Notification (Failure)",
    `
** Address not found **

Your message wasn't delivered to ada@example.com because the address couldn't be found, or is unable to receive mail.

Learn more here: https://support.example

The response was:

550 5.1.1 The email account that you tried to reach does not exist.
`,
    "ada@example.com hard",
  ],
  "Gmail of old": [
    "mailer-daemon@googlemail.example",
    "Delivery Status Notification (Failure)",
    `Delivery to the following recipient failed permanently:

     ada@example.com

Technical details of permanent failure:
Google tried to deliver your message, but it was rejected by the recipient domain. We recommend contacting the other email provider for further information about the cause of this error. The error that the other server returned was: 550 550 5.1.1 User unknown (state 14).

   ----- Original message -----

Message-ID: <sent-1@example.org>
`,
    "ada@example.com hard",
  ],
  Yahoo: [
    "MAILER-DAEMON@yahoo.example",
    "Failure Notice",
    `Sorry, we were unable to deliver your message to the following address.

<ada@example.com>:
550: 5.1.1 <ada@example.com> User doesn't exist: ada@example.com

--- Below this line is a copy of the message.
`,
    "ada@example.com hard",
  ],
  GMX: [
    "mailer-daemon@gmx.example",
    "Mail delivery failed: returning message to sender",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address(es)
failed:

"ada@example.com":
SMTP error from remote server for RCPT TO command, host: mx.example.com (192.0.2.1) reason: 550 Requested action not taken: mailbox unavailable

--- The header of the original message is following. ---
`,
    "ada@example.com hard",
  ],
  QQ: [
    "PostMaster@qq.example",
    "=?gb18030?B?z7XNs83L0MU=?=",
    `尊敬的用户，您好！
抱歉，您的邮件被退回来了……
原邮件信息：
时  间	2025-03-04 10:15:00
主  题	Hello
收件人	ada@example.com
退信原因	收件人邮件地址（ada@example.com）不存在，邮件无法送达。
host mx.example.com[192.0.2.1] said: 550 Mailbox not found (in reply to RCPT TO command)
解决方案：请联系您的收件人。
`,
    "ada@example.com hard",
  ],
  Yandex: [
    "mailer-daemon@yandex.example",
    "Недоставленное сообщение",
    `This is the mail system at host forward.yandex.example.

Your message could not be delivered to one or more recipients.

<ada@example.com>: host mx.example.com[192.0.2.1] said: 550 5.7.1 No such user! (in reply to RCPT TO command)
`,
    "ada@example.com hard",
  ],
  "Mail.ru": [
    "mailer-daemon@corp.mail.example",
    "Mail failure.",
    `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ada@mail.example
    SMTP error from remote mail server after RCPT TO:<ada@mail.example>:
    550 Message was not accepted -- invalid mailbox. Local mailbox ada@mail.example is unavailable: user not found
`,
    "ada@mail.example hard",
  ],
  Mimecast: [
    "postmaster@mimecast.example",
    "[Postmaster] Email Delivery Failure",
    `Could not deliver message to the following recipient(s):

Failed Recipient: ada@example.com
Reason: Remote host said: 550 5.1.1 User unknown
`,
    "ada@example.com hard",
  ],
  SendGrid: [
    "mailer-daemon@sendgrid.example",
    "Undelivered Mail Returned to Sender",
    `Hello, this is the mail server on mx.sendgrid.example.

I am sending you this message to inform you on the delivery status of a
message you previously sent.  Immediately below you will find a list of
the affected recipients.

<ada@example.com>
  Status: 5.1.1
  550 5.1.1 The email account that you tried to reach does not exist.
`,
    "ada@example.com hard",
  ],
  Zoho: [
    "mailer-daemon@mail.zoho.example",
    "Undelivered Mail Returned to Sender",
    `This message was created automatically by mail delivery software.
A message that you sent could not be delivered to one or more of its recipients. This is a permanent error. 

ada@example.com, ERROR CODE :550 - 5.1.1 User Unknown
`,
    "ada@example.com hard",
  ],
  iCloud: [
    "MAILER-DAEMON@icloud.example",
    "Delivery Notification: Delivery has failed",
    `This report relates to a message you sent with the following header fields:

  Message-id: <sent-1@example.org>
  Date: Tue, 04 Mar 2025 10:15:00 +0000
  From: Agent <agent@example.org>
  To: ada@example.com
  Subject: Hello

Your message cannot be delivered to the following recipients:

  Recipient address: ada@example.com
  Reason: Remote SMTP server has rejected address
  Diagnostic code: smtp;550 5.1.1 <ada@example.com>: user unknown
  Remote system: dns;mx.example.com
`,
    "ada@example.com hard",
  ],
  Naver: [
    "mail_failure@naver.example",
    "=?utf-8?B?67CY7Iah?= Hello",
    `메일이 아래와 같은 이유로 전송되지 못하였습니다.

받는사람 : ada@example.com
발송실패 사유 : 550 5.1.1 No such user ada@example.com - nsmtp
`,
    "ada@example.com hard",
  ],
  Docomo: [
    "MAILER-DAEMON@docomo.example",
    "Mail System Error - Returned Mail",
    `The following address(es) failed:

<ada@docomo.example>
Unknown user: ada@docomo.example
`,
    "ada@docomo.example hard",
  ],
  MDaemon: [
    "MDaemon@example.com",
    "Permanent Delivery Failure",
    `The attached message had PERMANENT fatal delivery errors!

After one or more unsuccessful delivery attempts the attached message has
been removed from the mail queue on this server.

YOUR MESSAGE WAS NOT DELIVERED TO ONE OR MORE RECIPIENTS!

Failed address: ada@example.com

--- Session Transcript ---
 RCPT To:<ada@example.com>
 550 5.1.1 unknown user
--- End Transcript ---
`,
    "ada@example.com hard",
  ],
  Kerio: [
    "postmaster@example.com",
    "Nondeliverable mail",
    `Hello. This is the Kerio Connect.
Your message could not be delivered to the following recipients:
<ada@example.com>
Reason: 550 5.1.1 User ada@example.com unknown
`,
    "ada@example.com hard",
  ],
  GroupWise: [
    "Postmaster@example.com",
    "Mail System Error - Returned Mail",
    `The message that you sent was undeliverable to the following:
	ada (user not found)

Possibly truncated original message follows:

To: ada@example.com
Message-ID: <sent-1@example.org>
`,
    "ada@example.com hard",
  ],
  "Outlook.com": [
    "postmaster@outlook.example",
    "Undeliverable: Hello",
    `mx.example.com rejected your message to the following email addresses:

ada@example.com
The email address you entered couldn't be found. Please check the recipient's email address and try to resend the message.

mx.example.com gave this error:
<ada@example.com>: Recipient address rejected: User unknown in virtual mailbox table
`,
    "ada@example.com hard",
  ],
  "a German host": [
    "MAILER-DAEMON@kundenserver.example",
    "Mail delivery failed: returning message to sender",
    `Diese Nachricht wurde automatisch von der Mail-Software erzeugt.

Die folgenden Adressen sind fehlgeschlagen:

  ada@example.com
    550 5.1.1 Unbekannter Empfänger
`,
    "ada@example.com hard",
  ],
  "Gmail, full": [
    "mailer-daemon@googlemail.example",
    "Delivery Status Notification (Failure)",
    `
** Recipient inbox full **

Your message couldn't be delivered to ada@example.com. Their inbox is full, or it's getting too much mail right now.

The response was:

552 5.2.2 The email account that you tried to reach is over quota.
`,
    "ada@example.com soft",
  ],
};

test.each(Object.entries(reports))(
  "a report of %s is read by its words",
  async (_, [from, subject, body, outcome]) => {
    const head = `From: <${from}>\nTo: agent@example.org\nSubject: ${subject}\nContent-Type: text/plain; charset=utf-8`;
    const raw = new TextEncoder().encode(`${head}\n\n${body}`.replace(/\n/g, "\r\n"));
    const report = readReport({ mail: await parseMail(raw), mail_from: "" });
    const said =
      report?.type === "delivery" ? report.recipients.map((one) => `${one.address} ${one.outcome}`) : [];
    expect(said).toEqual([outcome]);
  },
);

describe("a report that comes to the return path", () => {
  const to_ada = Object.entries(reports).filter(([, [, , , outcome]]) => outcome === "ada@example.com hard");

  test.each(
    to_ada.flatMap(([name, report]) => [
      [name, "the relay", "203.0.113.9", report] as const,
      [name, "the recipient's own host", "198.51.100.1", report] as const,
    ]),
  )("of %s from %s suppresses the recipient and counts", async (_, __, client_ip, [from, subject, body]) => {
    const service = createTestService({ trustedReporters: ["203.0.113.9"] });
    service.dns.set("example.com", "MX", [{ exchange: "mx.example.com", priority: 10 }]);
    service.dns.set("mx.example.com", "A", ["198.51.100.1"]);
    const { as, inbox } = await service.signUp();
    await as.messages.send({ inbox_id: inbox.id, to: ["ada@example.com", "bo@example.org"], text: "Hello" });
    await service.work();
    const path = service.transport.sent[0]?.envelope.mail_from ?? "";
    const head = `From: <${from}>\nTo: ${path}\nSubject: ${subject}\nContent-Type: text/plain; charset=utf-8`;
    const raw = new TextEncoder().encode(`${head}\n\n${body}`.replace(/\n/g, "\r\n"));
    const envelope = { mail_from: "", rcpt_to: [path], client_ip, helo: "mx" };
    await service.letterslot.receive({ raw, envelope, origin: "smtp" });
    expect((await as.suppressions.list({})).data).toMatchObject([
      { address: "ada@example.com", made_by: "bounce" },
    ]);
    expect((await as.metrics.rates({})).bounced).toBe(1);
  });
});
