import { connect, type Socket } from "node:net";

/** A connection to an SMTP server that sends one mail at a time. */
export interface SmtpSession {
  /** Sends a mail and returns the status of the reply. */
  send(mail: { from: string; to: string; raw: Buffer }): Promise<number>;
  close(): void;
}

const end = Buffer.from("\r\n.\r\n");

/** Opens a session. No line of a mail may begin with a dot. */
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

/** Reads the statuses of replies (RFC 5321, section 4.2) in order. A broken connection counts as 421. */
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
