import type { OutgoingMail, RecipientResult, Transport } from "@letterslot/core/ports";
import { bytesToSend, type FindDkimKey } from "./dkim.ts";
import { inTurns } from "./in-turns.ts";
import { readRelayId } from "./relay-id.ts";
import { invalidAddress, resultsOfSend } from "./send-result.ts";
import { readSmtpUrl } from "./smtp-url.ts";
import { toWireAddress } from "./wire-address.ts";

/** Options for sending through a relay. */
export interface SmtpTransportOptions {
  /** `smtp://user:pass@host:port` or `smtps://…`. Passwords are sent over TLS only. */
  url: string;
  /** Mail is sent unsigned without it. */
  dkim?: FindDkimKey;
  /** Host name for EHLO. Default: this machine's. */
  name?: string;
}

const CONNECTIONS = 10;
const MAILS_PER_CONNECTION = 100;
const CONNECT_TIMEOUT_MS = 15_000;
const SOCKET_TIMEOUT_MS = 120_000;

/**
 * Sends mail over a pool of SMTP connections, signed with DKIM if there is a key. One refused recipient does
 * not stop the others. Network errors, 4xx and failed authentication are temporary; 5xx for the message or a
 * recipient is permanent.
 */
export function createSmtpTransport(options: SmtpTransportOptions): Transport {
  const server = readSmtpUrl(options.url);
  let opening: Promise<Connections> | undefined;

  async function send(mail: OutgoingMail): Promise<RecipientResult[]> {
    const recipients = mail.envelope.rcpt_to.map((recipient) => ({
      recipient,
      wire: toWireAddress(recipient),
    }));
    const wires = recipients.flatMap(({ wire }) => (wire === null ? [] : [wire]));
    const mail_from = mail.envelope.mail_from === "" ? "" : toWireAddress(mail.envelope.mail_from);
    if (mail_from === null || wires.length === 0)
      return recipients.map(({ recipient }) => invalidAddress(recipient));
    const resultOf = await deliver(mail, { from: mail_from, to: wires });
    return recipients.map(({ recipient, wire }) =>
      wire === null ? invalidAddress(recipient) : resultOf(recipient, wire),
    );
  }

  async function deliver(
    mail: OutgoingMail,
    envelope: { from: string; to: string[] },
  ): Promise<(recipient: string, wire: string) => RecipientResult> {
    try {
      const raw = inTurns(...(await bytesToSend(mail, options.dkim)));
      opening ??= openConnections({
        ...server,
        ...(options.name === undefined ? {} : { name: options.name }),
      });
      const pool = await opening;
      const sent = await pool.sendMail({ envelope, raw });
      const [resultOf, provider_id] = [resultsOfSend({ sent }), readRelayId(sent.response)];
      return (recipient, wire) => {
        const result = resultOf(recipient, wire);
        return provider_id === undefined || result.outcome !== "accepted"
          ? result
          : { ...result, provider_id };
      };
    } catch (error) {
      return resultsOfSend({ error });
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

/**
 * Connects to the mail server of an SMTP URL and signs in as for sending mail, without sending any. Rejects with
 * nodemailer's error, whose `code` is `EAUTH` when the server refuses the login.
 */
export async function verifySmtpServer(url: string, timeout_ms: number): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const server = createTransport({
    ...readSmtpUrl(url),
    connectionTimeout: timeout_ms,
    greetingTimeout: timeout_ms,
    socketTimeout: timeout_ms,
  });
  try {
    await server.verify();
  } finally {
    server.close();
  }
}

type Connections = Awaited<ReturnType<typeof openConnections>>;

/** Loads nodemailer on the first send: a server that only captures mail never needs it. */
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
