import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";

/** Something of which the server has one half. */
export interface HalfSent<T> {
  /** Sends the other half and answers what the server answered. */
  finish(): Promise<T>;
}

/** A PATCH of which the server has read the head and half of the body; answers the status. */
export async function halfSentPatch(url: string, api_key: string, fields: Record<string, unknown>): Promise<HalfSent<number>> {
  const body = Buffer.from(JSON.stringify(fields));
  const half = body.length >> 1;
  const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json", "content-length": body.length };
  // The server says 100 as soon as it reads the request, so it is under way then.
  const sending = request(url, { method: "PATCH", headers: { ...headers, expect: "100-continue" } });
  const answered = once(sending, "response") as Promise<[{ statusCode: number; resume(): void }]>;
  answered.catch(() => {});
  sending.flushHeaders();
  await once(sending, "continue");
  sending.write(body.subarray(0, half));
  return {
    async finish() {
      sending.end(body.subarray(half));
      const [response] = await answered;
      response.resume();
      return response.statusCode;
    },
  };
}

/** A mail of which the server has half of the DATA; answers the reply line. */
export async function halfSentMail(port: number, mail: { raw: Buffer; from: string; to: string }): Promise<HalfSent<string>> {
  const socket = connect(port, "127.0.0.1");
  await reply(socket);
  const commands = ["EHLO mx.example.com", `MAIL FROM:<${mail.from}>`, `RCPT TO:<${mail.to}>`, "DATA"];
  for (const command of commands) {
    socket.write(`${command}\r\n`);
    await reply(socket);
  }
  const half = mail.raw.length >> 1;
  socket.write(mail.raw.subarray(0, half));
  return {
    async finish() {
      socket.write(mail.raw.subarray(half));
      socket.write("\r\n.\r\n");
      const line = await reply(socket);
      socket.destroy();
      return line;
    },
  };
}

/** The last line of the next reply (RFC 5321, section 4.2.1). */
async function reply(socket: Socket): Promise<string> {
  let text = "";
  for (;;) {
    const [chunk] = (await once(socket, "data")) as [Buffer];
    text += chunk.toString();
    const last = /^\d{3} .*\r\n/m.exec(text)?.[0];
    if (last !== undefined) return last;
  }
}
