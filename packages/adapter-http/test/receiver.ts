import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { testCertificate } from "./certificate.ts";

/** A request that a receiver got. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** A real HTTP receiver on loopback that records its requests. */
export interface Receiver {
  port: number;
  url: string;
  received: Received[];
  connections(): number;
  close(): Promise<void>;
}

/** Starts a receiver. `answer` responds once the body is read; by default with 200 and `ok`. */
export async function startReceiver(answer?: RequestListener, secure = false): Promise<Receiver> {
  const received: Received[] = [];
  let connections = 0;
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString("utf8") });
      if (answer === undefined) response.end("ok");
      else answer(request, response);
    });
  };
  const server = secure ? createSecureServer(testCertificate, listener) : createServer(listener);
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${secure ? "https" : "http"}://127.0.0.1:${port}/hook`,
    received,
    connections: () => connections,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
