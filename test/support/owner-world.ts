import {
  createDns,
  createMailParser,
  createSenderAuth,
  createSmtpListener,
} from "../../packages/adapter-smtp/src/index.ts";
import { startDnsServer, type Zone } from "../../packages/adapter-smtp/test/dns-server.ts";
import { acceptsRecipient } from "../../packages/core/internal/index.ts";
import { parseMail } from "../../packages/core/src/mail/parse.ts";
import type { Storage } from "../../packages/core/src/ports/storage.ts";
import {
  createManualClock,
  createTestService,
  type TestAccount,
  type TestService,
} from "../../packages/core/testing/index.ts";
import { createSigningKey, createZone, type SigningKey, sign, type Tags } from "./signer.ts";
import { createSmtpSender } from "./smtp.ts";

/** The owner's domain whose mail leaves from another host than the tests: only its signatures prove anything. */
export const FAMILY = "family.example.com";
/** An owner's domain that allows this machine to send. */
export const POST = "post.example.net";
/** A recipient of the agent's mail. */
export const CUSTOMER = "carl@customer.example.org";
/** The header fields that the tests sign by default, as the largest provider does. */
export const USUAL = "from:from:to:to:cc:subject:subject:date:date:message-id:in-reply-to:references";

const CONFIRMATION_GAP_MS = 20 * 60_000;

/** A mail by its header lines, in order, and its body. */
export interface Written {
  headers: Record<string, string>;
  body: string;
}

/** The signature and route of a mail. */
export interface Sending {
  key?: SigningKey | null;
  tags?: Tags;
  /** The envelope's sender; that of From unless stated. */
  mail_from?: string;
  /** The envelope's recipient; the address in To unless stated. */
  rcpt?: string;
  /** Changes the signed mail in transit. */
  change?: (signed: string) => string;
}

/** The newest letter to an address. */
export interface ReadLetter {
  subject: string;
  text: string;
  message_id: string;
  reply_to: string;
}

/** A service behind real SMTP that checks real signatures, on the given storage. */
export interface OwnerWorld {
  service: TestService;
  keys: { family: SigningKey; post: SigningKey; testing: SigningKey; ours: SigningKey };
  /** The zone of the DNS server that senders are checked with; records may be added. */
  zone: Zone;
  /** An account in approval mode whose owner at that domain is verified. */
  guarded(username: string, owner?: string): Promise<TestAccount & { inbox_id: string; owner: string }>;
  letterTo(email: string): Promise<ReadLetter>;
  /** A mail from an author to an address, dated now. */
  write(mail: { from: string; to: string; body: string; headers?: Record<string, string> }): Written;
  /** An honest reply to a letter. */
  reply(from: string, letter: ReadLetter, body: string): Written;
  /** Signs and delivers a mail by SMTP; returns the status and the bytes that were sent. */
  send(mail: Written, sending?: Sending): Promise<{ status: number | null; raw: string }>;
  /** Delivers these bytes. */
  deliver(raw: string, envelope: { from: string; to: string }): Promise<number | null>;
  close(): Promise<void>;
}

/** Starts a world. */
export async function startOwnerWorld(storage: Storage): Promise<OwnerWorld> {
  const keys = {
    family: createSigningKey(FAMILY),
    post: createSigningKey(POST),
    testing: createSigningKey(FAMILY, { selector: "testing" }),
    ours: createSigningKey("agents.example.com"),
  };
  const policies = Object.fromEntries(
    [FAMILY, POST, "example.com"].map((domain) => [`TXT _dmarc.${domain}`, ["v=DMARC1; p=reject"]]),
  );
  const zone: Zone = {
    ...keys.family.zone,
    ...keys.post.zone,
    ...createZone(keys.testing, `v=DKIM1; k=rsa; t=y; p=${keys.testing.published}`),
    ...keys.ours.zone,
    ...policies,
    [`TXT ${FAMILY}`]: ["v=spf1 ip4:192.0.2.1 -all"],
    [`TXT ${POST}`]: ["v=spf1 ip4:127.0.0.1 -all"],
    "TXT agents.example.com": ["v=spf1 ip4:127.0.0.1 -all"],
  };
  const dns = await startDnsServer(zone);
  const parser = createMailParser();
  const clock = createManualClock(new Date());
  const service = createTestService({
    storage,
    clock,
    parser,
    senderAuth: createSenderAuth({ dns: createDns({ server: dns.server }), workers: parser.workers }),
    mailDomain: "agents.example.com",
  });
  const { letterslot } = service;
  const listener = await createSmtpListener({
    host: "127.0.0.1",
    port: 0,
    name: "mx.agents.example.com",
    accept: (recipient) => acceptsRecipient(letterslot.services, recipient),
    receive: (mail) => letterslot.receive({ ...mail, origin: "smtp" }),
  });
  const sender = createSmtpSender(listener.port);
  let written = 0;

  const world: OwnerWorld = {
    service,
    keys,
    zone,
    async guarded(username, owner = `mara@${FAMILY}`) {
      // A network gets five confirmation letters an hour.
      await clock.advance(CONFIRMATION_GAP_MS);
      const account = await service.signUp(username);
      await service.addOwner(account, owner);
      const inbox_id = account.inbox.id;
      await account.as.inboxes.update({ inbox_id, send_mode: "approval" });
      return { ...account, inbox_id, owner };
    },
    async letterTo(email) {
      await service.work();
      const sent = service.transport.sent.findLast(({ envelope }) => envelope.rcpt_to.includes(email));
      if (sent === undefined) throw new Error(`no letter to ${email}`);
      const { subject, text, message_id, reply_to } = await parseMail(sent.raw);
      return { subject, text, message_id: message_id ?? "", reply_to: reply_to[0]?.address ?? "" };
    },
    write({ from, to, body, headers = {} }) {
      written += 1;
      return {
        headers: {
          From: from,
          To: to,
          Subject: "Hello",
          Date: clock.now().toUTCString().replace("GMT", "+0000"),
          "Message-ID": `<m${written}@${from.slice(from.lastIndexOf("@") + 1).replace(">", "")}>`,
          "MIME-Version": "1.0",
          "Content-Type": "text/plain; charset=utf-8",
          "Content-Transfer-Encoding": "8bit",
          ...headers,
        },
        body,
      };
    },
    reply(from, letter, body) {
      const headers = {
        Subject: `Re: ${letter.subject}`,
        "In-Reply-To": letter.message_id,
        References: letter.message_id,
      };
      return world.write({ from, to: letter.reply_to, body, headers });
    },
    async send(mail, { key = keys.family, tags = {}, mail_from, rcpt, change = String } = {}) {
      const text = toText(mail);
      const signed = key === null ? text : sign(text, key, { h: USUAL, ...tags });
      const raw = change(signed);
      const from = mail_from ?? bare(mail.headers["From"] ?? "");
      const status = await world.deliver(raw, { from, to: rcpt ?? bare(mail.headers["To"] ?? "") });
      return { status, raw };
    },
    async deliver(raw, { from, to }) {
      const status = await sender.send({ raw: Buffer.from(raw), from, to });
      await service.work();
      return status;
    },
    async close() {
      sender.close();
      await listener.close();
      await dns.close();
      await parser.close();
    },
  };
  return world;
}

const bare = (address: string): string => /<([^<>]+)>/.exec(address)?.[1] ?? address;

function toText({ headers, body }: Written): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n${body.replace(/\r?\n/g, "\r\n")}\r\n`;
}
