import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A received delivery. */
export interface Delivered {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A web server that answers every delivery with 204. */
export interface WebhookReceiver {
  url: string;
  delivered: Delivered[];
  /** While set, it keeps deliveries but doesn't respond. */
  silent: boolean;
  close(): Promise<void>;
}

/** Starts a receiver on a free port of this machine. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const delivered: Delivered[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      delivered.push({ headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      if (!receiver.silent) response.writeHead(204).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hook`,
    delivered,
    silent: false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
