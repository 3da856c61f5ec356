import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";

/** A request of which the server has received half. */
export interface HalfSent<T> {
  /** Sends the other half and returns the server's response. */
  finish(): Promise<T>;
}

/** Sends a PATCH's head and half of its body. `finish` returns the status. */
export async function sendHalfPatch(
  url: string,
  api_key: string,
  fields: Record<string, unknown>,
): Promise<HalfSent<number>> {
  const body = Buffer.from(JSON.stringify(fields));
  const half = body.length >> 1;
  const headers = {
    authorization: `Bearer ${api_key}`,
    "content-type": "application/json",
    "content-length": body.length,
  };
  // The server sends 100 as soon as it reads the request, so it is in progress then.
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

/** Sends half of a mail's DATA. `finish` returns the reply line, or throws if the connection breaks. */
export async function sendHalfMail(port: number, mail: RawMail): Promise<HalfSent<string>> {
  const { socket, rest } = await beginMail(port, mail);
  return {
    async finish() {
      socket.write(rest);
      const line = await reply(socket);
      socket.destroy();
      return line;
    },
  };
}

/** Sends a whole mail and disconnects before the reply, as if the connection broke. */
export async function sendAndHangUp(port: number, mail: RawMail): Promise<void> {
  const { socket, rest } = await beginMail(port, mail).catch(() => ({ socket: undefined, rest: "" }));
  if (socket === undefined) return;
  const closed = once(socket, "close");
  socket.on("error", () => {});
  socket.end(rest, () => socket.destroy());
  await closed;
}

interface RawMail {
  raw: Buffer;
  from: string;
  to: string;
}

async function beginMail(
  port: number,
  { raw, from, to }: RawMail,
): Promise<{ socket: Socket; rest: Buffer }> {
  const socket = connect(port, "127.0.0.1");
  await reply(socket);
  for (const command of ["EHLO mx.example.com", `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, "DATA"]) {
    socket.write(`${command}\r\n`);
    await reply(socket);
  }
  const half = raw.length >> 1;
  socket.write(raw.subarray(0, half));
  const end = raw.subarray(-2).toString() === "\r\n" ? ".\r\n" : "\r\n.\r\n";
  return { socket, rest: Buffer.concat([raw.subarray(half), Buffer.from(end)]) };
}

/** Reads the last line of the next reply (RFC 5321, section 4.2.1). Throws if the connection ends first. */
async function reply(socket: Socket): Promise<string> {
  const done = new AbortController();
  const { signal } = done;
  const broken = once(socket, "close", { signal }).then(() =>
    Promise.reject(new Error("the connection is gone")),
  );
  broken.catch(() => {});
  let text = "";
  try {
    for (;;) {
      const [chunk] = (await Promise.race([once(socket, "data", { signal }), broken])) as [Buffer];
      text += chunk.toString();
      const last = /^\d{3} .*\r\n/m.exec(text)?.[0];
      if (last !== undefined) return last;
    }
  } finally {
    done.abort();
  }
}
