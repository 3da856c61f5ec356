import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A round-robin TCP load balancer that skips backends which refuse a connection. */
export interface LoadBalancer {
  port: number;
  close(): Promise<void>;
}

/** Listens on 127.0.0.1; port 0 picks a free port. A connection that no backend accepts is closed. */
export async function startLoadBalancer(port: number, backends: readonly number[]): Promise<LoadBalancer> {
  const open = new Set<Socket>();
  let next = 0;
  const serve = async (client: Socket): Promise<void> => {
    const first = next++;
    const backend = await connectToFirst(
      backends.map((_, index) => backends[(first + index) % backends.length] as number),
    );
    if (backend === undefined || client.destroyed) {
      backend?.destroy();
      client.destroy();
      return;
    }
    open.add(backend);
    client.on("close", () => backend.destroy());
    backend.on("close", () => {
      open.delete(backend);
      client.destroy();
    });
    client.pipe(backend).pipe(client);
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.on("error", () => client.destroy());
    client.on("close", () => open.delete(client));
    void serve(client);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function connectToFirst(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const connected = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    if (connected) return socket.on("error", () => socket.destroy());
  }
  return undefined;
}
