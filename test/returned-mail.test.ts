import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createTransport } from "nodemailer";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import {
  createDirectTransport,
  createDns,
  createMailParser,
  createSenderAuth,
  createSmtpListener,
} from "../packages/adapter-smtp/src/index.ts";
import { startDnsServer } from "../packages/adapter-smtp/test/dns-server.ts";
import { acceptsRecipient } from "../packages/core/src/traffic/inbound/destination.ts";
import { createTestService } from "../packages/core/testing/index.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const MAIL_DOMAIN = "agents.example.com";
const [ada, bo] = ["ada@example.org", "bo@example.net"];

/** The recipients' mail host, which has no mailbox called gone. */
async function startHost() {
  const returns: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    closeTimeout: 20,
    onRcptTo: ({ address }, _, done) =>
      address.startsWith("gone@")
        ? done(Object.assign(new Error("5.1.1 No such user"), { responseCode: 550 }))
        : done(),
    onData(stream, { envelope: { mailFrom } }, done) {
      returns.push(mailFrom === false ? "" : mailFrom.address);
      stream.resume();
      stream.on("end", () => done());
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  undo.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as AddressInfo).port, returns };
}

/** A service that sends to that host and takes mail by SMTP, with real checks of senders. */
async function world() {
  const host = await startHost();
  const { server, close } = await startDnsServer({
    "MX example.org": ["10 mx.example.org"],
    "A mx.example.org": ["127.0.0.1"],
    "MX example.net": ["10 mx.example.net"],
    "A mx.example.net": ["127.0.0.1", "127.0.0.9"],
    "TXT out.mx.example.org": ["v=spf1 ip4:127.0.0.4 -all"],
  });
  undo.push(close);
  const dns = createDns({ server });
  const parser = createMailParser();
  undo.push(() => parser.close());
  const transport = createDirectTransport({
    url: `mx:?port=${host.port}&allow=127.0.0.0/8`,
    dns,
    mailDomain: MAIL_DOMAIN,
  });
  undo.push(() => transport.close());
  const service = createTestService({
    ...{ dns, parser, transport, senderAuth: createSenderAuth({ dns, workers: parser.workers }) },
    mailDomain: MAIL_DOMAIN,
  });
  const { letterslot } = service;
  const listener = await createSmtpListener({
    ...{ host: "127.0.0.1", port: 0, name: MAIL_DOMAIN },
    accept: (recipient) => acceptsRecipient(letterslot.services, recipient),
    receive: (mail) => letterslot.receive({ ...mail, origin: "smtp" }),
  });
  undo.push(() => listener.close());
  const { as, inbox } = await service.signUp();
  const send = async (...to: string[]) => {
    const { id } = await as.messages.send({ inbox_id: inbox.id, to, text: "Hello" });
    await service.work();
    return id;
  };
  /** Sends a bounce about somebody from an address of this machine, and says how the service answers. */
  const bounce = async (path: string, about: string, { ip = "127.0.0.3", helo = "mx.evil.test" } = {}) => {
    const client = createTransport({
      ...{ host: "127.0.0.1", port: listener.port, name: helo, localAddress: ip, ignoreTLS: true },
    });
    const raw = [
      ...[
        "From: MAILER-DAEMON@mx.example.org",
        `To: ${path}`,
        "Subject: Undelivered Mail Returned to Sender",
      ],
      ...[
        "MIME-Version: 1.0",
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
        "",
      ],
      ...["--b", "Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.example.org", ""],
      ...[`Final-Recipient: rfc822; ${about}`, "Action: failed", "Status: 5.1.1", "", "--b--", ""],
    ].join("\r\n");
    try {
      return (await client.sendMail({ envelope: { from: "", to: path }, raw })).response;
    } catch (error) {
      return (error as { response?: string }).response ?? String(error);
    } finally {
      client.close();
    }
  };
  const suppressed = async () => (await as.suppressions.list({})).data.map(({ address }) => address);
  return { service, as, inbox, host, send, bounce, suppressed };
}

test("by SMTP a bounce counts from a host of the recipient's domain alone, and only at the right path", async () => {
  const { as, inbox, host, send, bounce, suppressed } = await world();
  const id = await send(ada, bo);
  const [path = ""] = host.returns;
  expect(path).toMatch(/^bounce\+[0-9a-z]{29}@agents\.example\.com$/);

  for (const forged of [
    `bounce+${id}@${MAIL_DOMAIN}`,
    path.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@")),
  ])
    expect(await bounce(forged, ada, { ip: "127.0.0.1" })).toMatch(/^550 5\.1\.1/);
  expect(await bounce(path, ada, { helo: "mx.example.org" })).toMatch(/^250/);
  // A host of the other recipient's domain, and a name whose SPF allows another address.
  expect(await bounce(path, ada, { ip: "127.0.0.9" })).toMatch(/^250/);
  expect(await bounce(path, ada, { helo: "out.mx.example.org" })).toMatch(/^250/);
  expect(await suppressed()).toEqual([]);
  const { labels, delivery_events } = await as.messages.get({ inbox_id: inbox.id, message_id: id });
  expect(labels).not.toContain("bounced");
  expect(delivery_events.at(-1)).toMatchObject({ type: "bounced", recipient: ada, unproven: true });

  expect(await bounce(path, bo, { ip: "127.0.0.9" })).toMatch(/^250/);
  expect(await suppressed()).toEqual([bo]);
  expect(await bounce(path, ada, { ip: "127.0.0.4", helo: "out.mx.example.org" })).toMatch(/^250/);
  expect(await suppressed()).toEqual([ada, bo]);
});

test("what the recipient's own host refuses in the dialogue is a bounce", async () => {
  const { as, inbox, send, suppressed } = await world();
  const id = await send("gone@example.org", bo);
  expect(await suppressed()).toEqual(["gone@example.org"]);
  const message = await as.messages.get({ inbox_id: inbox.id, message_id: id });
  expect(message).toMatchObject({ status: "sent", labels: expect.arrayContaining(["bounced"]) });
  expect(message.delivery_events.map(({ type, recipient }) => `${type} ${recipient}`)).toEqual(
    expect.arrayContaining(["failed gone@example.org", "bounced gone@example.org", `sent ${bo}`]),
  );
});
