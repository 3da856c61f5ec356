import { connect, type Socket } from "node:net";

/** A connection to an SMTP server that hands in one mail after the other. */
export interface SmtpSession {
  /** Hands a mail in and answers the reply's status; `begun` hears when the first byte is written. */
  send(mail: { from: string; to: string; raw: Buffer }): Promise<number>;
  close(): void;
}

const end = Buffer.from("\r\n.\r\n");

/** Opens a session. Mails must hold no line that begins with a dot. */
export async function openSession(port: number): Promise<SmtpSession> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const replies = replyReader(socket);
  await replies.next();
  socket.write("EHLO mx.sender.example.com\r\n");
  await replies.next();
  return {
    async send({ from, to, raw }) {
      // Pipelined, as every relay does (RFC 2920).
      socket.write(`MAIL FROM:<${from}>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
      const refused = [await replies.next(), await replies.next(), await replies.next()].find(
        (status) => status >= 400,
      );
      if (refused !== undefined) return refused;
      socket.write(raw);
      socket.write(end);
      return replies.next();
    },
    close: () => void socket.end("QUIT\r\n"),
  };
}

/** Reads replies (RFC 5321, section 4.2): their statuses, in order. A broken connection is 421. */
function replyReader(socket: Socket): { next(): Promise<number> } {
  const statuses: number[] = [];
  let waiting: ((status: number) => void) | undefined;
  let rest = "";
  let broken = false;
  const give = (status: number) => {
    const asker = waiting;
    waiting = undefined;
    if (asker === undefined) statuses.push(status);
    else asker(status);
  };
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line[3] !== "-") give(Number(line.slice(0, 3)));
  });
  const breakOff = () => {
    broken = true;
    waiting?.(421);
  };
  socket.on("close", breakOff);
  socket.on("error", breakOff);
  return {
    next() {
      const status = statuses.shift();
      if (status !== undefined) return Promise.resolve(status);
      if (broken) return Promise.resolve(421);
      return new Promise((resolve) => void (waiting = resolve));
    },
  };
}
