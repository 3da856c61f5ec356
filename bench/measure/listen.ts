import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Starts a server on a free port of this machine and returns its URL. */
export async function listen(
  server: Pick<Server, "listen" | "address"> & NodeJS.EventEmitter,
): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
