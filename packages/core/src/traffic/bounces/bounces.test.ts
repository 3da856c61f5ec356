import { describe, expect, test } from "vitest";
import { createTestService, forgedFrom, type TestAccount, type TestService } from "../../../testing/index.ts";
import { silentLog } from "../../ports/log.ts";
import { acceptsRecipient } from "../inbound/destination.ts";

const daemon = "MAILER-DAEMON@mx.example.com";

/** A delivery status notification about recipients of a message, as another server sends it. */
function notification(facts: {
  to: string;
  message_id?: string | null;
  recipients: { address: string; status: string; words?: string }[];
}) {
  const { to, message_id = null, recipients } = facts;
  const blocks = recipients.map(
    ({ address, status, words = "" }) =>
      `Final-Recipient: rfc822; ${address}\r\nAction: ${status.startsWith("2") ? "delivered" : "failed"}\r\nStatus: ${status}\r\n` +
      `Diagnostic-Code: smtp; 550 ${status} ${words}\r\n\r\n`,
  );
  const original = message_id === null ? "Subject: Hello" : `Message-ID: ${message_id}\r\nSubject: Hello`;
  return report(
    "delivery-status",
    to,
    "message/delivery-status",
    `Reporting-MTA: dns; mx.example.com\r\n\r\n${blocks.join("")}`,
    original,
  );
}

function report(kind: string, to: string, type: string, fields: string, original: string): Uint8Array {
  const text = `From: ${daemon}
To: ${to}
Subject: Report
Message-ID: <${Math.round(performance.now() * 1e6)}@mx.example.com>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${kind}; boundary="b"

--b
Content-Type: text/plain

A report.
--b
Content-Type: ${type}

${fields}
--b
Content-Type: text/rfc822-headers

${original}
--b--
`;
  return new TextEncoder().encode(text.replace(/\r?\n/g, "\r\n"));
}

async function setting(to = ["ada@example.com", "bo@example.org"]) {
  // The relay that all of these reports come from.
  const service = createTestService({ trustedReporters: ["192.0.2.1"] });
  const account = await service.signUp();
  const { as, inbox } = account;
  const { id } = await as.messages.send({ inbox_id: inbox.id, to, subject: "Hello", text: "Hello" });
  await service.work();
  const message = () => as.messages.get({ inbox_id: inbox.id, message_id: id });
  const return_path = service.transport.sent[0]?.envelope.mail_from ?? "";
  const header = async () =>
    /^X-Svc-Report: \S+/m.exec(Buffer.from(service.transport.sent[0]?.raw ?? []).toString())?.[0] ?? "";
  const receive = async (raw: Uint8Array, recipient: string) =>
    (
      await service.letterslot.receive({
        raw,
        envelope: { mail_from: "", rcpt_to: [recipient], client_ip: "192.0.2.1", helo: "mx.example.com" },
        origin: "smtp",
      })
    ).results[0];
  return { service, account, as, inbox, inbox_id: inbox.id, id, message, return_path, header, receive };
}

async function eventsOf(service: TestService, account: TestAccount, type: string) {
  await service.work();
  const { storage } = service.letterslot.services;
  const all = await storage.find("events", {
    where: { account_id: account.account_id },
    order: { by: "sequence", direction: "asc" },
    limit: 200,
  });
  return all.filter((event) => event.type === type).map(({ data }) => data);
}

describe("a bounce", () => {
  test("to the return path is recorded with its message and not stored", async () => {
    const { service, account, as, inbox_id, id, message, return_path, receive } = await setting();
    expect(return_path).toMatch(/^bounce\+[0-9a-hjkmnp-tv-z]{29}@letterslot\.localhost$/);
    expect(return_path).toContain(`+${id.slice("msg_".length, -1)}`);
    const raw = notification({
      to: return_path,
      recipients: [{ address: "ada@example.com", status: "5.1.1", words: "user unknown" }],
    });
    expect(await receive(raw, return_path)).toEqual({
      recipient: return_path,
      outcome: "recorded",
      reason: null,
      message_id: null,
    });
    const bounced = await message();
    expect(bounced).toMatchObject({ status: "sent", labels: expect.arrayContaining(["sent", "bounced"]) });
    expect(bounced.delivery_events.at(-1)).toMatchObject({
      type: "bounced",
      recipient: "ada@example.com",
      detail: "5.1.1 550 5.1.1 user unknown",
    });
    expect((await as.overview.get({})).failed).toMatchObject([{ id }]);
    expect(await eventsOf(service, account, "message.bounced")).toEqual([
      {
        message_id: id,
        inbox_id,
        thread_id: bounced.thread_id,
        bounce_type: "hard",
        recipients: ["ada@example.com"],
      },
    ]);
    expect((await as.messages.list({ inbox_id, direction: "inbound" })).data).toEqual([]);
    expect((await as.messages.list({ inbox_id, label: ["bounced"] })).data).toHaveLength(1);
  });

  test("suppresses the address if it is hard, not if it is soft", async () => {
    const { as, inbox_id, id, return_path, receive } = await setting();
    const recipients = [
      { address: "ada@example.com", status: "5.1.1", words: "user unknown" },
      { address: "bo@example.org", status: "5.2.2", words: "mailbox full" },
    ];
    await receive(notification({ to: return_path, recipients }), return_path);
    expect((await as.suppressions.list({})).data).toMatchObject([
      { address: "ada@example.com", reason: "bounce", source_message_id: id },
    ]);
    await expect(as.messages.send({ inbox_id, to: ["ada@example.com"], text: "x" })).rejects.toMatchObject({
      code: "recipient_suppressed",
    });
    await expect(as.messages.send({ inbox_id, to: ["bo@example.org"], text: "x" })).resolves.toBeDefined();
  });

  test("of a letter of confirmation or approval suppresses nobody, and the operator is told", async () => {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (facts: unknown) => void warned.push(facts) };
    const service = createTestService({ log });
    const account = await service.signUp("agent");
    const { as, inbox } = account;
    const inbox_id = inbox.id;
    await service.addOwner(account, "grace@example.com");
    await as.inboxes.update({ inbox_id, send_mode: "approval" });
    await as.messages.send({ inbox_id, to: ["ada@example.com"], text: "42 euros" });
    await service.work();
    expect(service.transport.sent).toHaveLength(2);
    for (const { envelope, message_id } of [...service.transport.sent]) {
      const raw = notification({
        to: envelope.mail_from,
        message_id,
        recipients: [{ address: "grace@example.com", status: "5.1.1" }],
      });
      await service.letterslot.receive({
        raw,
        envelope: {
          mail_from: "",
          rcpt_to: [envelope.mail_from],
          client_ip: "192.0.2.1",
          helo: "mx.example.com",
        },
        origin: "smtp",
      });
    }
    expect((await as.suppressions.list({})).data).toEqual([]);
    expect(warned).toHaveLength(2);
    expect((await as.metrics.rates({})).bounced).toBe(0);
    expect(await eventsOf(service, account, "message.bounced")).toHaveLength(2);
  });

  test("with hard and soft recipients publishes one event for each kind", async () => {
    const { service, account, return_path, receive } = await setting();
    const recipients = [
      { address: "ada@example.com", status: "5.1.1", words: "user unknown" },
      { address: "bo@example.org", status: "5.2.2", words: "mailbox full" },
    ];
    await receive(notification({ to: return_path, recipients }), return_path);
    expect(await eventsOf(service, account, "message.bounced")).toMatchObject([
      { bounce_type: "hard", recipients: ["ada@example.com"] },
      { bounce_type: "soft", recipients: ["bo@example.org"] },
    ]);
  });

  test("to the inbox itself is noted with the message of the returned Message-ID, unproven, and stored like any mail", async () => {
    const { service, account, as, inbox, inbox_id, message, receive } = await setting();
    const { message_id } = await message();
    const recipients = [{ address: "ada@example.com", status: "5.1.1", words: "user unknown" }];
    expect(
      (await receive(notification({ to: inbox.email, message_id, recipients }), inbox.email))?.outcome,
    ).toBe("stored");
    expect((await message()).labels).not.toContain("bounced");
    expect((await message()).delivery_events.at(-1)).toMatchObject({ type: "bounced", unproven: true });
    expect(await eventsOf(service, account, "message.bounced")).toEqual([]);
    expect((await as.suppressions.list({})).data).toEqual([]);
    expect((await as.metrics.rates({})).bounced).toBe(0);
    expect((await as.messages.list({ inbox_id, direction: "inbound" })).data).toHaveLength(1);
    expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
  });

  test("that is reported twice is recorded once", async () => {
    const { service, account, message, return_path, receive } = await setting();
    const recipients = [{ address: "ada@example.com", status: "5.1.1", words: "user unknown" }];
    for (const _ of [1, 2]) await receive(notification({ to: return_path, recipients }), return_path);
    expect((await message()).delivery_events.filter(({ type }) => type === "bounced")).toHaveLength(1);
    expect(await eventsOf(service, account, "message.bounced")).toHaveLength(1);
  });

  test("of mail that was delivered after all is recorded", async () => {
    const { service, account, message, return_path, receive } = await setting();
    await receive(
      notification({ to: return_path, recipients: [{ address: "ada@example.com", status: "2.0.0" }] }),
      return_path,
    );
    expect((await message()).delivery_events.at(-1)).toMatchObject({
      type: "delivered",
      recipient: "ada@example.com",
    });
    expect((await message()).labels).not.toContain("bounced");
    expect(await eventsOf(service, account, "message.delivered")).toHaveLength(1);
  });
});

test("the SMTP dialogue accepts return paths of messages, and no others", async () => {
  const { service, return_path } = await setting();
  const { services } = service.letterslot;
  expect(await acceptsRecipient(services, return_path)).toBe("ok");
  expect(await acceptsRecipient(services, "bounce@letterslot.localhost")).toBe("ok");
  expect(await acceptsRecipient(services, "bounce+msg_00000000000000000000@letterslot.localhost")).toBe(
    "unknown",
  );
});

describe("a forged bounce", () => {
  /** Returns the effects that a bounce would have had. */
  const changes = async ({ service, account, as, message }: Awaited<ReturnType<typeof setting>>) => ({
    bounced: (await message()).labels.includes("bounced"),
    suppressed: (await as.suppressions.list({})).data,
    events: await eventsOf(service, account, "message.bounced"),
  });
  const none = { bounced: false, suppressed: [], events: [] };
  const recipients = [{ address: "ada@example.com", status: "5.1.1", words: "user unknown" }];

  test.each([
    "bounce+msg_00000000000000000000@letterslot.localhost",
    "bounce+nonsense@letterslot.localhost",
    "bounce@letterslot.localhost",
  ])("to %s is refused and changes nothing", async (to) => {
    const all = await setting();
    expect(await all.receive(notification({ to, recipients }), to)).toMatchObject({
      outcome: "refused",
      reason: "unknown_recipient",
    });
    expect(await changes(all)).toEqual(none);
  });

  test("to the right message at another domain is refused", async () => {
    const all = await setting();
    const to = `bounce+${all.id}@elsewhere.example`;
    expect(await all.receive(notification({ to, recipients }), to)).toMatchObject({ outcome: "refused" });
    expect(await changes(all)).toEqual(none);
  });

  test("for a received message is refused", async () => {
    const all = await setting();
    await all.service.receive({ from: "ada@example.com", to: all.inbox.email });
    const inbound = (await all.as.messages.list({ inbox_id: all.inbox_id, direction: "inbound" })).data[0];
    const to = `bounce+${inbound?.id}@letterslot.localhost`;
    expect(await all.receive(notification({ to, recipients }), to)).toMatchObject({ outcome: "refused" });
  });

  test("with a Message-ID that the inbox did not send changes nothing", async () => {
    const all = await setting();
    for (const message_id of ["<made-up@letterslot.localhost>", null])
      await all.receive(notification({ to: all.inbox.email, message_id, recipients }), all.inbox.email);
    expect(await changes(all)).toEqual(none);
  });

  test("about another inbox's message changes nothing", async () => {
    const all = await setting();
    const other = await all.as.inboxes.create({});
    const { message_id } = await all.message();
    await all.receive(notification({ to: other.email, message_id, recipients }), other.email);
    expect(await changes(all)).toEqual(none);
  });

  test("about somebody who was not a recipient changes nothing", async () => {
    const all = await setting();
    const strange = [{ address: "eve@evil.test", status: "5.1.1", words: "user unknown" }];
    await all.receive(notification({ to: all.return_path, recipients: strange }), all.return_path);
    expect(await changes(all)).toEqual(none);
  });

  test("that was injected changes nothing", async () => {
    const all = await setting();
    const { message_id } = await all.message();
    const raw = Buffer.from(notification({ to: all.inbox.email, message_id, recipients })).toString("base64");
    await all.as.messages.inject({ inbox_id: all.inbox_id, from: "mailer-daemon@mx.example.com", raw });
    expect(await changes(all)).toEqual(none);
  });

  test("that a person sends changes nothing", async () => {
    const all = await setting();
    const { message_id } = await all.message();
    await all.service.receive({
      from: "eve@evil.test",
      to: all.inbox.email,
      subject: "Undelivered Mail Returned to Sender",
      text: `<ada@example.com>: 550 5.1.1 user unknown\n\n--- Original message follows.\n\nMessage-ID: ${message_id}\n`,
    });
    expect(await changes(all)).toEqual(none);
  });
});

test("an automatic reply to the return path reaches the inbox, and makes no task", async () => {
  const { service, account, as, inbox_id, message, return_path } = await setting();
  await service.addOwner(account, "ada@example.com");
  const { message_id, thread_id } = await message();
  const raw = new TextEncoder().encode(
    `From: ada@example.com\r\nTo: agent@letterslot.localhost\r\nSubject: Automatic reply: Hello\r\nMessage-ID: <v@example.com>\r\n` +
      `In-Reply-To: ${message_id}\r\nAuto-Submitted: auto-replied\r\n\r\nI'm away until Monday.\r\n`,
  );
  const { results } = await service.receiveRaw(raw, return_path, "", forgedFrom("example.com"));
  expect(results).toMatchObject([{ recipient: return_path, outcome: "stored" }]);
  expect((await as.messages.list({ inbox_id, direction: "inbound" })).data).toMatchObject([{ thread_id }]);
  expect((await as.tasks.list({ status: "all" })).data).toEqual([]);
});

describe("a complaint", () => {
  const complaint = (
    to: string,
    message_id: string | null,
    header = "",
    fields = "Original-Rcpt-To: ada@example.com",
  ) =>
    report(
      "feedback-report",
      to,
      "message/feedback-report",
      `Feedback-Type: abuse\nVersion: 1\n${fields}`,
      `${header}\nMessage-ID: ${message_id}`.trim(),
    );

  test("to the reserved address is matched by its header, labels the message and suppresses the complainer", async () => {
    const { service, account, as, inbox_id, id, message, header, receive } = await setting();
    const { thread_id } = await message();
    const to = "bounce@letterslot.localhost";
    expect(await receive(complaint(to, null, await header()), to)).toMatchObject({ outcome: "recorded" });
    expect((await message()).labels).toContain("complained");
    expect((await message()).delivery_events.at(-1)).toMatchObject({
      type: "complained",
      recipient: "ada@example.com",
    });
    expect(await eventsOf(service, account, "message.complained")).toEqual([
      { message_id: id, inbox_id, thread_id, bounce_type: "abuse", recipients: ["ada@example.com"] },
    ]);
    expect((await as.suppressions.list({})).data).toMatchObject([
      { address: "ada@example.com", reason: "complaint" },
    ]);
  });

  test("with a redacted address is attributed to the only recipient", async () => {
    const { as, message, return_path, receive } = await setting(["ada@example.com"]);
    await receive(complaint(return_path, null, "", "Redacted-Address: redacted"), return_path);
    expect((await message()).labels).toContain("complained");
    expect((await as.suppressions.list({})).data).toMatchObject([{ address: "ada@example.com" }]);
  });

  test("with a Message-ID that is not ours is refused", async () => {
    const { receive, message } = await setting();
    const to = "bounce@letterslot.localhost";
    expect(await receive(complaint(to, "<made-up@letterslot.localhost>"), to)).toMatchObject({
      outcome: "refused",
    });
    expect((await message()).labels).not.toContain("complained");
  });
});

describe("a letter of the service's own, from no-reply", () => {
  const grace = "grace@example.com";

  /** Mails a sign-in letter; `bounce` is the other server's report about it, and `warned` what the log says. */
  async function signInLetter() {
    const warned: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => void warned.push(line) };
    const service = createTestService({ log });
    const account = await service.signUp();
    await service.addOwner(account, grace);
    await service.letterslot.as({ type: "public", ip: "203.0.113.9" }).sessions.start({ email: grace });
    await service.work();
    const letter = service.transport.sent.at(-1);
    if (letter === undefined) throw new Error("no letter");
    const { mail_from } = letter.envelope;
    const bounce = (
      about: { status?: string; message_id?: string } = {},
      origin: "smtp" | "internal" = "smtp",
    ) =>
      service.letterslot.receive({
        raw: notification({
          to: mail_from,
          message_id: about.message_id ?? letter.message_id,
          recipients: [{ address: grace, status: about.status ?? "5.1.1", words: "no such user" }],
        }),
        envelope: { mail_from: "", rcpt_to: [mail_from], client_ip: "192.0.2.1", helo: "mx.example.com" },
        origin,
      });
    return { service, account, letter, bounce, warned };
  }

  test("has a return path of the service, and its bounce is shown to the operator and suppresses nobody", async () => {
    const { letter, bounce, warned, account } = await signInLetter();
    expect(letter.envelope.mail_from).toBe("bounce@letterslot.localhost");
    expect((await bounce()).results).toMatchObject([{ outcome: "recorded" }]);
    expect(JSON.stringify(warned)).toContain(grace);
    expect(JSON.stringify(warned)).toContain("no such user");
    expect((await account.as.suppressions.list({})).data).toEqual([]);
  });

  test("is not mistaken for another mail, and no inbox reports about it", async () => {
    const { bounce, warned } = await signInLetter();
    expect((await bounce({ message_id: "<no-reply.x@elsewhere.example>" })).results).toMatchObject([
      { outcome: "refused" },
    ]);
    expect((await bounce({}, "internal")).results).toMatchObject([{ outcome: "refused" }]);
    expect((await bounce({ status: "2.0.0" })).results).toMatchObject([{ outcome: "recorded" }]);
    expect(warned).toEqual([]);
  });
});
