import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A receiver that misbehaves in one way, and the requests it got. */
export interface BadReceiver {
  url: string;
  requests: { delivery: string; at: number }[];
  close(): Promise<void>;
}

const drip = (response: ServerResponse) => {
  response.writeHead(200).flushHeaders();
  const timer = setInterval(() => response.write("."), 20);
  response.on("close", () => clearInterval(timer));
};

const flood = (response: ServerResponse) => {
  response.writeHead(500);
  const chunk = Buffer.alloc(65_536, 46);
  const writeMore = () => {
    while (response.writable && !response.destroyed && response.write(chunk));
  };
  response.on("drain", writeMore);
  writeMore();
};

/** The ways in which receivers misbehave. `elsewhere` is the redirect's target, which must get no request. */
export const misbehaviours = (elsewhere: string): Record<string, RequestListener> => ({
  hangs: () => {},
  drips: (_, response) => drip(response),
  redirects: (_, response) => void response.writeHead(307, { location: elsewhere }).end(),
  resets: (request) => request.socket.resetAndDestroy(),
  "answers 500": (_, response) => void response.writeHead(500).end("no"),
  "answers 503 with Retry-After": (_, response) => void response.writeHead(503, { "retry-after": "1" }).end(),
  "floods with a 500": (_, response) => flood(response),
  "breaks off its headers": (request) => void request.socket.end("HTTP/1.1 200"),
  "speaks another language": (request) => void request.socket.end("220 smtp.example ESMTP\r\n"),
  "answers 400": (_, response) => void response.writeHead(400).end(),
});

/** Starts a receiver on this machine that responds with `answer`. */
export async function startBadReceiver(answer: RequestListener): Promise<BadReceiver> {
  const requests: BadReceiver["requests"] = [];
  const server = createServer((request: IncomingMessage, response) => {
    requests.push({ delivery: String(request.headers["x-svc-delivery"]), at: Date.now() });
    request.resume();
    request.on("end", () => answer(request, response));
    response.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
