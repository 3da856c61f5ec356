import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { RecipientReport } from "@letterslot/core";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { type Certificate, generateCertificate } from "./certificate.ts";
import { clientAddress, clientSource, isLocalClient } from "./client-source.ts";
import { createPerMinute } from "./per-minute.ts";
import { collect } from "./smtp-data.ts";
import { DEFAULT_SMTP_LIMITS, type SmtpLimits } from "./smtp-limits.ts";

/** A mail as it came in, with the envelope it came in (RFC 5321). `mail_from` is empty for a bounce. */
export interface ReceivedMail {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: string[]; client_ip: string | null; helo: string | null };
}

/** What became of a mail for each of its recipients, and why. */
export interface ReceiveOutcome {
  results: {
    recipient: string;
    outcome: "stored" | "duplicate" | "dropped" | "refused" | "recorded";
    reason?: RecipientReport["reason"];
  }[];
}

/** Where the listener reports; fields never hold mail. */
export interface ListenerLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** How to listen. `receive` may resolve only when the mail is on disk, since 250 is said then. */
export interface SmtpListenerOptions {
  receive(mail: ReceivedMail): Promise<ReceiveOutcome>;
  /** Asked at RCPT: whether somebody has this address. */
  accept(recipient: string): Promise<"ok" | "unknown" | "expired">;
  host: string;
  /** 0 takes a free one; see `port` of the answer. */
  port: number;
  /** The name in the greeting; the host otherwise. */
  name?: string;
  limits?: Partial<SmtpLimits>;
  /**
   * Clients on this machine are not counted per address, as relays and tunnels come from there. True unless
   * said otherwise.
   */
  exempt_loopback?: boolean;
  /** For STARTTLS; a self-signed one for this run is made when there is none. */
  tls?: Certificate;
  logger?: ListenerLog;
}

/** A listener at work. */
export interface SmtpListener {
  host: string;
  port: number;
  /**
   * Takes no more mail, says 421 to who waits, finishes the mails under way, and resolves when all sockets
   * are closed.
   */
  close(): Promise<void>;
}

interface Visit {
  source: string;
  unknown: number;
  receiving: boolean;
  end_of_visit: NodeJS.Timeout;
}

/**
 * Listens for mail (RFC 5321) with STARTTLS, SIZE, PIPELINING, 8BITMIME and SMTPUTF8, without AUTH: it takes
 * mail for the addresses that `accept` knows and relays nothing. Resolves when it listens, rejects when it
 * can't.
 */
export async function createSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const limits = { ...DEFAULT_SMTP_LIMITS, ...options.limits };
  const tls =
    options.tls ?? (await generateCertificate({ host: options.name ?? options.host, now: new Date() }));
  const within_rate = createPerMinute(limits.mails_per_minute_per_ip);
  const visits = new Map<string, Visit>();
  const buffered = { bytes: 0 };
  let closing = false;

  const server = new SMTPServer({
    name: options.name ?? options.host,
    banner: "Letterslot",
    key: tls.key,
    cert: tls.cert,
    minVersion: "TLSv1.2",
    disabledCommands: ["AUTH"],
    authOptional: true,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    size: limits.message_bytes,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    maxClients: limits.connections,
    socketTimeout: limits.idle_ms,
    closeTimeout: limits.close_ms,
    maxCommandLength: 4_096,
    logger: false,
    onConnect: (session, done) => done(enter(session)),
    onClose: (session) => leave(session.id),
    onMailFrom: (_, session, done) =>
      done(
        isExempt(ipOf(session)) || within_rate(clientSource(ipOf(session)))
          ? null
          : reply(421, "Too many mails in a minute, try again later"),
      ),
    onRcptTo: (address, session, done) => void ask(address.address, session).then(done),
    onData: (stream, session, done) => void take(stream, session).then((error) => done(error)),
  });

  function isExempt(ip: string): boolean {
    return options.exempt_loopback !== false && isLocalClient(ip);
  }

  function enter(session: SMTPServerSession): Error | null {
    const ip = ipOf(session);
    if (closing) return reply(421, "Closing down, try again later");
    const source = clientSource(ip);
    const from_here = [...visits.values()].filter((visit) => visit.source === source).length;
    if (from_here >= limits.connections_per_ip && !isExempt(ip))
      return reply(421, "Too many connections from your address");
    const end_of_visit = setTimeout(() => dismiss(session.id, "Session took too long"), limits.session_ms);
    end_of_visit.unref();
    visits.set(session.id, { source, unknown: 0, receiving: false, end_of_visit });
    return null;
  }

  function leave(id: string): void {
    clearTimeout(visits.get(id)?.end_of_visit);
    visits.delete(id);
  }

  function dismiss(id: string, words: string): void {
    for (const connection of server.connections) if (connection.id === id) connection.send(421, words);
  }

  async function ask(recipient: string, session: SMTPServerSession): Promise<Error | null> {
    const visit = visits.get(session.id);
    if (visit !== undefined && visit.unknown >= limits.unknown_recipients)
      return reply(421, "Too many unknown recipients");
    const answer = await options.accept(recipient).catch((error: unknown) => {
      options.logger?.warn({ error: wordsOf(error) }, "recipient could not be looked up");
      return null;
    });
    if (answer === "ok") return null;
    if (answer === null) return reply(451, "Try again later");
    if (visit !== undefined) visit.unknown += 1;
    return reply(550, "No such mailbox here");
  }

  async function take(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<Error | null> {
    const visit = visits.get(session.id);
    if (visit !== undefined) visit.receiving = true;
    try {
      const collected = await collect(stream, buffered, limits.buffered_bytes);
      if (collected === "too_large") return reply(552, "The mail is too large");
      if (collected === "no_room") return reply(451, "Busy, try again later");
      return await handOver(collected, session);
    } catch (error) {
      options.logger?.warn({ error: wordsOf(error) }, "mail could not be received");
      return reply(451, "Try again later");
    } finally {
      if (visit !== undefined) visit.receiving = false;
      // The reply is written after this turn; then a closing listener has nothing to wait for here.
      if (closing) setImmediate(() => dismiss(session.id, "Closing down"));
    }
  }

  async function handOver(
    collected: { raw: Uint8Array; release: () => void },
    session: SMTPServerSession,
  ): Promise<Error | null> {
    const { mailFrom, rcptTo } = session.envelope;
    const envelope = {
      mail_from: mailFrom === false ? "" : mailFrom.address,
      rcpt_to: rcptTo.map(({ address }) => address),
      client_ip: ipOf(session),
      helo: session.hostNameAppearsAs || null,
    };
    try {
      const { results } = await options.receive({ raw: collected.raw, envelope });
      if (results.length === 0 || results.some(({ outcome }) => outcome !== "refused")) return null;
      return results.some(isOfTheMail)
        ? reply(554, "The mail can't be read")
        : reply(550, "No such mailbox here");
    } finally {
      collected.release();
    }
  }

  async function close(): Promise<void> {
    closing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const connection of server.connections)
      if (visits.get(connection.id)?.receiving !== true) connection.send(421, "Closing down");
    await closed;
    for (const id of [...visits.keys()]) leave(id);
  }

  server.on("error", (error) => options.logger?.info({ error: wordsOf(error) }, "smtp connection failed"));
  const listening = once(server.server, "listening");
  server.listen(options.port, options.host);
  await listening;
  const { port } = server.server.address() as AddressInfo;
  return { host: options.host, port, close };
}

function ipOf(session: SMTPServerSession): string {
  return clientAddress(session.remoteAddress);
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Whether a refusal says nothing of its recipient. */
function isOfTheMail({ reason }: ReceiveOutcome["results"][number]): boolean {
  return reason === "mail_unreadable" || reason === "mail_too_complex";
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}
