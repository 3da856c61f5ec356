import { connect, type Socket } from "node:net";

/** A request over a plain socket, of which the sender decides every byte. */
export interface RawRequest {
  socket: Socket;
  /** Returns the server's answer so far. */
  answer(): string;
  /** Writes bytes; resolves when there is room for more, and also when the connection is gone. */
  write(bytes: string | Uint8Array): Promise<void>;
  closed: Promise<void>;
}

/** Opens a connection from the given address of this machine; resolves when it is open or has failed. */
export async function openRaw(port: number, from = "127.0.0.1"): Promise<RawRequest> {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from, noDelay: true });
  let received = "";
  socket.on("data", (chunk) => {
    received = (received + chunk.toString("latin1")).slice(0, 4_000);
  });
  socket.on("error", () => undefined);
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await Promise.race([new Promise<void>((resolve) => socket.once("connect", () => resolve())), closed]);
  return {
    socket,
    answer: () => received,
    closed,
    async write(bytes) {
      if (socket.destroyed || socket.write(bytes)) return;
      await Promise.race([new Promise<void>((resolve) => socket.once("drain", () => resolve())), closed]);
    },
  };
}

/** The head of a POST with JSON. */
export const postHead = (path: string, api_key: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api_key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const STEP_BYTES = 256 * 1024;

/** Sends `bytes` as fast as the server takes them, and stops once it has answered or hung up. */
export async function sendBody(request: RawRequest, bytes: Uint8Array): Promise<void> {
  for (
    let at = 0;
    at < bytes.length && request.answer() === "" && !request.socket.destroyed;
    at += STEP_BYTES
  ) {
    await request.write(bytes.subarray(at, at + STEP_BYTES));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Resolves to the status of the answer; undefined if the connection ended, or time ran out, without one. */
export async function statusOf(request: RawRequest, patience_ms: number): Promise<number | undefined> {
  const deadline = performance.now() + patience_ms;
  while (request.answer() === "" && !request.socket.destroyed && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const status = /^HTTP\/1\.1 (\d{3})/.exec(request.answer())?.[1];
  return status === undefined ? undefined : Number(status);
}
