import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createTransport } from "nodemailer";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

/** A raw mail and its envelope. */
interface RawMail {
  raw: Buffer;
  from: string;
  to: string | string[];
}

const serverAt = (port: number) => ({
  host: "127.0.0.1",
  port,
  name: "mx.example.com",
  tls: { rejectUnauthorized: false },
});

/** Sends a raw mail to an SMTP server. Returns the reply's status, or null if the connection broke first. */
export async function sendBySmtp(port: number, mail: RawMail): Promise<number | null> {
  const transport = createTransport(serverAt(port));
  try {
    return await statusOf(transport.sendMail(toSend(mail)));
  } finally {
    transport.close();
  }
}

/**
 * Sends raw mails one after another, each in a connection that has seen no refusal: to connect takes ten times as
 * long as to send. Returns the reply's status, or null if the connection broke first.
 */
export function createSmtpSender(port: number): {
  send(mail: RawMail): Promise<number | null>;
  close(): void;
} {
  const connect = () =>
    createTransport({ ...serverAt(port), pool: true, maxConnections: 1, maxMessages: Infinity });
  let transport = connect();
  return {
    async send(mail) {
      const status = await statusOf(transport.sendMail(toSend(mail)));
      if (status === null || status >= 400) {
        transport.close();
        transport = connect();
      }
      return status;
    },
    close: () => transport.close(),
  };
}

const toSend = ({ raw, from, to }: RawMail) => ({ envelope: { from, to }, raw });

async function statusOf(sent: Promise<{ response: string }>): Promise<number | null> {
  try {
    return Number.parseInt((await sent).response, 10);
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? null;
  }
}

/** A mail that arrived at the sink. */
export interface Arrived {
  to: string[];
  message_id: string;
  in_reply_to: string | undefined;
  references: string[];
  /** The address for a reply: Reply-To, else From. */
  reply_to: string;
  subject: string;
  text: string;
  raw: string;
}

/** A mail server that accepts and keeps every mail. */
export interface SmtpSink {
  url: string;
  arrived: Arrived[];
  /** While set, it keeps incoming mail but doesn't reply. */
  silent: boolean;
  close(): Promise<void>;
}

/** Starts a mail server on a free port of this machine. */
export async function startSmtpSink(): Promise<SmtpSink> {
  const arrived: Arrived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        void keep(Buffer.concat(chunks), session.envelope.rcptTo, done);
      });
    },
  });
  const keep = async (raw: Buffer, to: { address: string }[], done: () => void) => {
    const mail = await PostalMime.parse(raw);
    arrived.push({
      to: to.map(({ address }) => address),
      message_id: mail.messageId ?? "",
      in_reply_to: mail.inReplyTo,
      reply_to: mail.replyTo?.[0]?.address ?? mail.from?.address ?? "",
      references: (mail.references ?? "").split(/\s+/).filter(Boolean),
      subject: mail.subject ?? "",
      text: mail.text ?? "",
      raw: raw.toString(),
    });
    if (!sink.silent) done();
  };
  // A killed sender breaks its connection, as the tests intend.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const sink: SmtpSink = {
    url: `smtp://127.0.0.1:${port}`,
    arrived,
    silent: false,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return sink;
}
