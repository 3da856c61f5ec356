import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import type { RecipientReport } from "@letterslot/core";
import { MESSAGE_SIZE } from "@letterslot/core/ports";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { clientAddress, clientNetwork, clientSource, isLocalClient } from "../reading/client-network.ts";
import { type Certificate, generateCertificate } from "./certificate.ts";
import { createRateLimiter, DEFAULT_SMTP_LIMITS, type SmtpLimits } from "./limits.ts";
import { type BufferedMessage, countBuffered, readMessage } from "./smtp-data.ts";
import { createPace, readDotsQuickly } from "./undot.ts";

const MAILBOX_DISABLED = "Mailbox disabled for now, try again later";

/** A received message and its envelope (RFC 5321). `mail_from` is empty for a bounce. */
export interface ReceivedMail {
  raw: Uint8Array;
  envelope: { mail_from: string; rcpt_to: string[]; client_ip: string | null; helo: string | null };
}

/** The outcome of a message for each recipient, with its reason. */
export interface ReceiveOutcome {
  results: {
    recipient: string;
    outcome: "stored" | "duplicate" | "dropped" | "refused" | "recorded" | "deferred";
    reason?: RecipientReport["reason"];
  }[];
}

/** The listener's log. Fields never contain mail. */
export interface ListenerLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

/** Listener settings. `receive` must resolve only once the message is on disk: the client then gets 250. */
export interface SmtpListenerOptions {
  receive(mail: ReceivedMail): Promise<ReceiveOutcome>;
  /** Called at RCPT: does this address exist, and is its mail taken now or only later? */
  accept(recipient: string): Promise<"ok" | "unknown" | "expired" | "deferred">;
  host: string;
  /** 0 picks a free port, which the returned listener reports. */
  port: number;
  /** Host name in the greeting. Default: `host`. */
  name?: string;
  limits?: Partial<SmtpLimits>;
  /**
   * Exempts 127.0.0.1 and ::1, such as relays and tunnels on this machine, from the limits per address and
   * network. Default: true.
   */
  exemptLoopback?: boolean;
  /** For STARTTLS. Default: a self-signed certificate generated at start. */
  tls?: Certificate;
  logger?: ListenerLog;
}

/** A running listener. */
export interface SmtpListener {
  host: string;
  port: number;
  /**
   * Stops accepting mail, sends 421 to idle clients, finishes messages in progress, and resolves once all
   * sockets are closed.
   */
  close(): Promise<void>;
}

/** The non-public members of smtp-server's connection that we use. */
interface OpenConnection {
  id: string;
  _parser?: unknown;
  _socket?: Pick<Socket, "cork" | "uncork">;
}

interface Client {
  connection: OpenConnection | undefined;
  network: string | null;
  unknown_recipients: number;
  receiving: boolean;
  session_timeout: NodeJS.Timeout;
}

/**
 * Starts an SMTP server (RFC 5321) with STARTTLS, SIZE, PIPELINING, 8BITMIME and SMTPUTF8, without AUTH. It
 * accepts mail only for addresses that `accept` knows and never relays. Rejects if it cannot listen.
 */
export async function createSmtpListener(options: SmtpListenerOptions): Promise<SmtpListener> {
  const limits = { ...DEFAULT_SMTP_LIMITS, ...options.limits };
  const tls =
    options.tls ?? (await generateCertificate({ host: options.name ?? options.host, now: new Date() }));
  const isWithinRate = createRateLimiter(limits.mailsPerMinutePerIp);
  const clients = new Map<string, Client>();
  const bufferedOf = countBuffered(limits.bufferedBytes, limits.bufferedBytesPerNetwork);
  const pace = createPace();
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
    size: limits.messageBytes,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    maxClients: limits.connections,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.closeMs,
    maxCommandLength: 4_096,
    logger: false,
    onConnect: (session, done) => done(connect(session)),
    onClose: (session) => forget(session.id),
    onMailFrom: (_, session, done) => {
      replyTogether(clients.get(session.id)?.connection);
      done(
        isExempt(ipOf(session)) || isWithinRate(clientSource(ipOf(session)))
          ? null
          : reply(421, "Too many messages per minute, try again later"),
      );
    },
    onRcptTo: (address, session, done) => void checkRecipient(address.address, session).then(done),
    onData: (stream, session, done) => void receiveData(stream, session).then((error) => done(error)),
  });

  function isExempt(ip: string): boolean {
    return options.exemptLoopback !== false && isLocalClient(ip);
  }

  /** Null when the limits per network do not apply. */
  function networkOf(ip: string): string | null {
    return isExempt(ip) ? null : (clientNetwork(ip) ?? ip);
  }

  function connect(session: SMTPServerSession): Error | null {
    const ip = ipOf(session);
    if (closing) return reply(421, "Shutting down, try again later");
    const network = networkOf(ip);
    const from_network = [...clients.values()].filter((client) => client.network === network).length;
    if (network !== null && from_network >= limits.connectionsPerNetwork)
      return reply(421, "Too many connections from your network");
    const session_timeout = setTimeout(
      () => disconnect(session.id, "Session took too long"),
      limits.sessionMs,
    ).unref();
    const connection = [...server.connections].find(({ id }) => id === session.id);
    clients.set(session.id, {
      connection,
      network,
      unknown_recipients: 0,
      receiving: false,
      session_timeout,
    });
    return null;
  }

  function forget(id: string): void {
    clearTimeout(clients.get(id)?.session_timeout);
    clients.delete(id);
  }

  function disconnect(id: string, reason: string): void {
    for (const connection of server.connections) if (connection.id === id) connection.send(421, reason);
  }

  async function checkRecipient(recipient: string, session: SMTPServerSession): Promise<Error | null> {
    const client = clients.get(session.id);
    if (client !== undefined && client.unknown_recipients >= limits.unknownRecipients)
      return reply(421, "Too many unknown recipients");
    const answer = await options.accept(recipient).catch((error: unknown) => {
      options.logger?.warn({ error: errorText(error) }, "recipient lookup failed");
      return null;
    });
    if (answer === "ok") return null;
    if (answer === null) return reply(451, "Try again later");
    if (answer === "deferred") return reply(451, MAILBOX_DISABLED);
    if (client !== undefined) client.unknown_recipients += 1;
    return reply(550, "No such mailbox here");
  }

  async function receiveData(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
  ): Promise<Error | null> {
    const client = clients.get(session.id);
    if (client !== undefined) client.receiving = true;
    // Before the first byte: the parser has just entered data mode.
    readDotsQuickly(client?.connection?._parser, pace);
    try {
      const message = await readMessage(stream, bufferedOf(networkOf(ipOf(session))));
      if (message === "too_large") return tooLarge();
      if (message === "buffer_full") return reply(451, "Busy, try again later");
      return await deliver(message, session);
    } catch (error) {
      options.logger?.warn({ error: errorText(error) }, "message could not be received");
      return reply(451, "Try again later");
    } finally {
      if (client !== undefined) client.receiving = false;
      // The reply is written after this tick; then nothing keeps a closing listener waiting here.
      if (closing) setImmediate(() => disconnect(session.id, "Shutting down"));
    }
  }

  async function deliver(message: BufferedMessage, session: SMTPServerSession): Promise<Error | null> {
    const { mailFrom, rcptTo } = session.envelope;
    const envelope = {
      mail_from: mailFrom === false ? "" : mailFrom.address,
      rcpt_to: rcptTo.map(({ address }) => address),
      client_ip: ipOf(session),
      helo: session.hostNameAppearsAs || null,
    };
    try {
      const { results } = await options.receive({ raw: message.raw, envelope });
      // Suspended since RCPT. The others have the mail; sent again it is a duplicate to them.
      if (results.some(({ outcome }) => outcome === "deferred")) return reply(451, MAILBOX_DISABLED);
      if (results.length === 0 || results.some(({ outcome }) => outcome !== "refused")) return null;
      if (results.some(({ reason }) => reason === "message_too_large")) return tooLarge();
      return results.some(isMessageFault)
        ? reply(554, "The message cannot be read")
        : reply(550, "No such mailbox here");
    } finally {
      message.release();
    }
  }

  async function close(): Promise<void> {
    closing = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const connection of server.connections)
      if (clients.get(connection.id)?.receiving !== true) connection.send(421, "Shutting down");
    await closed;
    for (const id of [...clients.keys()]) forget(id);
  }

  server.on("error", (error) => options.logger?.info({ error: errorText(error) }, "smtp connection failed"));
  const listening = once(server.server, "listening");
  server.listen(options.port, options.host);
  await listening;
  const { port } = server.server.address() as AddressInfo;
  return { host: options.host, port, close };
}

/**
 * Sends the replies to commands that came in one packet (RFC 2920) in one: those that are there by the next turn of the event
 * loop.
 */
function replyTogether(connection: OpenConnection | undefined): void {
  const socket = connection?._socket;
  if (socket === undefined) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

function ipOf(session: SMTPServerSession): string {
  return clientAddress(session.remoteAddress);
}

/** By itself the library would add 5.2.2 to 552: a mailbox that is full. */
const tooLarge = () => reply("552 5.3.4", `The message is too large. ${MESSAGE_SIZE}`);

function reply(responseCode: number | string, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/** Whether the message itself, not its recipient, is the reason for a refusal. */
function isMessageFault({ reason }: ReceiveOutcome["results"][number]): boolean {
  return reason === "mail_unreadable" || reason === "mail_too_complex";
}

function errorText(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 200);
}
