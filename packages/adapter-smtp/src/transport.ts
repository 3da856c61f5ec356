import type { OutgoingMail, RecipientResult, Transport } from "@letterslot/core";
import type { DkimKey } from "./dkim-key.ts";
import { type SmtpFailure, toFailures, toResult, unusable } from "./send-result.ts";
import { signMail } from "./sign.ts";
import { readSmtpUrl } from "./smtp-url.ts";
import { toWireAddress } from "./wire-address.ts";

/** How to send. */
export interface SmtpTransportOptions {
  /** `smtp://user:pass@host:port` or `smtps://…`. A password goes over TLS only. */
  url: string;
  /** The key that signs for a From domain, or null to send unsigned. */
  dkim?: (domain: string) => Promise<DkimKey | null>;
  /** The name to say in EHLO; the machine's otherwise. */
  name?: string;
}

const CONNECTIONS = 10;
const MAILS_PER_CONNECTION = 100;
const CONNECT_TIMEOUT_MS = 15_000;
const SOCKET_TIMEOUT_MS = 120_000;

/**
 * Sends mail over SMTP through a pool of connections, signed with DKIM where there is a key. A refusal of one
 * recipient doesn't stop the others. Network trouble, 4xx and failed sign-in are temporary; 5xx to the mail
 * or a recipient is permanent.
 */
export function createSmtpTransport(options: SmtpTransportOptions): Transport {
  const server = readSmtpUrl(options.url);
  let opening: Promise<Connections> | undefined;

  async function sign(mail: OutgoingMail): Promise<Uint8Array> {
    const domain = mail.from.slice(mail.from.lastIndexOf("@") + 1).toLowerCase();
    const key = (await options.dkim?.(domain)) ?? null;
    return key === null ? mail.raw : await signMail({ raw: mail.raw, domain, key });
  }

  async function send(mail: OutgoingMail): Promise<RecipientResult[]> {
    const recipients = mail.envelope.rcpt_to.map((recipient) => ({
      recipient,
      wire: toWireAddress(recipient),
    }));
    const wires = recipients.flatMap(({ wire }) => (wire === null ? [] : [wire]));
    const mail_from = mail.envelope.mail_from === "" ? "" : toWireAddress(mail.envelope.mail_from);
    if (mail_from === null || wires.length === 0)
      return recipients.map(({ recipient }) => unusable(recipient));
    const outcome = await deliver(mail, { from: mail_from, to: wires });
    return recipients.map(({ recipient, wire }) =>
      wire === null ? unusable(recipient) : outcome(recipient, wire),
    );
  }

  async function deliver(
    mail: OutgoingMail,
    envelope: { from: string; to: string[] },
  ): Promise<(recipient: string, wire: string) => RecipientResult> {
    try {
      const raw = Buffer.from(await sign(mail));
      opening ??= openConnections({
        ...server,
        ...(options.name === undefined ? {} : { name: options.name }),
      });
      const pool = await opening;
      const sent = (await pool.sendMail({ envelope, raw })) as {
        response?: string;
        accepted: string[];
        rejectedErrors?: SmtpFailure[];
      };
      const accepted = new Set(sent.accepted.map((address) => address.toLowerCase()));
      const failures = toFailures(sent.rejectedErrors);
      return (recipient, wire) =>
        toResult(
          recipient,
          failures.get(wire.toLowerCase()),
          sent.response ?? "",
          accepted.has(wire.toLowerCase()),
        );
    } catch (error) {
      const failure = (error instanceof Error ? error : new Error(String(error))) as SmtpFailure;
      const failures = toFailures(failure.rejectedErrors);
      return (recipient, wire) => toResult(recipient, failures.get(wire.toLowerCase()) ?? failure, "", false);
    }
  }

  return {
    name: "smtp",
    send,
    async close() {
      (await opening)?.close();
    },
  };
}

type Connections = Awaited<ReturnType<typeof openConnections>>;

/**
 * The library is loaded with the first mail that leaves: a server that captures its mail needs none of it.
 */
async function openConnections(server: ReturnType<typeof readSmtpUrl> & { name?: string }) {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    ...server,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: MAILS_PER_CONNECTION,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
