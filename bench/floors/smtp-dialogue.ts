import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** Listens for mail on a free port, and replies 250 once `receive` has resolved. */
export async function listenSmtp(receive: (raw: Buffer) => Promise<void>): Promise<number> {
  const server = createServer({ noDelay: true }, (socket) => converse(socket, receive));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** The minimal SMTP dialogue (RFC 5321) that relays need. */
function converse(socket: Socket, receive: (raw: Buffer) => Promise<void>): void {
  let chunks: Buffer[] | undefined;
  let rest = "";
  socket.write("220 floor\r\n");
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => {
    if (chunks !== undefined) {
      chunks.push(chunk);
      const last = chunks.length === 1 ? chunk : Buffer.concat([...chunks.slice(-2)]);
      if (!last.subarray(-5).equals(Buffer.from("\r\n.\r\n"))) return;
      const raw = Buffer.concat(chunks);
      chunks = undefined;
      void receive(raw.subarray(0, -3)).then(() => socket.write("250 ok\r\n"));
      return;
    }
    const lines = (rest + chunk.toString("latin1")).split("\r\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "DATA") {
        chunks = [];
        socket.write("354 go\r\n");
      } else if (line === "QUIT") socket.end("221 bye\r\n");
      else socket.write("250 ok\r\n");
    }
  });
}
