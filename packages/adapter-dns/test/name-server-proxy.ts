import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The proxy's effect on an answer: other bytes, a closed connection (null), no answer, or bytes without end. */
type Changed = Buffer | null | "silence" | "endless";

/** Somebody between us and a name server. */
export interface NameServerProxy {
  port: number;
  /** Connections that were made to it. */
  connections(): number;
  /** Bytes that it sent. */
  sent(): number;
  close(): Promise<void>;
}

const ENDLESS_BYTES = 64 * 1024 * 1024;

/** Passes messages on to a name server on 127.0.0.1, and its answers back as `change` wants them. */
export async function startNameServerProxy(
  port: number,
  change: (answer: Buffer) => Changed,
): Promise<NameServerProxy> {
  const sockets: Socket[] = [];
  let [connections, sent] = [0, 0];
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(port, "127.0.0.1");
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.on("data", (chunk) => upstream.write(chunk));
    client.on("close", () => upstream.destroy());
    let received = Buffer.alloc(0);
    upstream.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= received.readUInt16BE(0) + 2) {
        const end = received.readUInt16BE(0) + 2;
        send(client, change(received.subarray(2, end)));
        received = received.subarray(end);
      }
    });
  });
  const write = (client: Socket, bytes: Uint8Array) => {
    sent += bytes.length;
    return client.write(bytes);
  };
  const send = (client: Socket, changed: Changed) => {
    if (changed === "silence") return;
    if (changed === null) {
      client.destroy();
      return;
    }
    if (changed !== "endless") {
      write(client, Buffer.concat([Buffer.from([changed.length >> 8, changed.length & 0xff]), changed]));
      return;
    }
    const more = () => {
      while (!client.destroyed && sent < ENDLESS_BYTES && write(client, Buffer.alloc(64 * 1024, 0xff)));
    };
    client.on("drain", more);
    more();
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    sent: () => sent,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
