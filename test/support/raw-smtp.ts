import { once } from "node:events";
import { connect } from "node:net";

/** The data of a mail as it goes over the wire (RFC 5321, section 4.5.2). */
export function toData(raw: string): Buffer {
  return Buffer.from(`${raw.replace(/^\./gm, "..")}\r\n.\r\n`);
}

/** A mail to send as it is, and from where. */
export interface RawMail {
  port: number;
  /** An address of this machine. */
  from_ip: string;
  to: string;
  data: Buffer;
}

/**
 * Sends a mail with as little work as possible, so that the sender's own cost doesn't count. Resolves with the
 * last reply's status, 0 if the connection broke, and the milliseconds from the connection to it.
 */
export async function sendRaw({ port, from_ip, to, data }: RawMail): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const socket = connect({ port, host: "127.0.0.1", localAddress: from_ip });
  socket.on("error", () => undefined);
  let status = 0;
  const commands = [
    "EHLO mx.evil.example\r\n",
    "MAIL FROM:<eve@evil.example>\r\n",
    `RCPT TO:<${to}>\r\n`,
    "DATA\r\n",
    data,
    "QUIT\r\n",
  ];
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
    for (const line of received.split("\r\n").slice(0, -1)) {
      if (!/^\d{3} /.test(line)) continue;
      const code = Number(line.slice(0, 3));
      if (code !== 221) status = code;
      const next = commands.shift();
      if (code >= 400 || next === undefined) socket.destroy();
      else socket.write(next);
    }
    received = received.slice(received.lastIndexOf("\n") + 1);
  });
  await once(socket, "close");
  return { status, ms: performance.now() - began };
}
