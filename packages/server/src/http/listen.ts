import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import { LIMITS } from "@letterslot/core";
import { type Log, silentLog } from "@letterslot/core/ports";
import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";
import { STANDALONE } from "../request/request-header.ts";
import { boundConnections } from "./connections.ts";

/** A listening HTTP server. */
export interface HttpListener {
  port: number;
  /** Starts to pass requests to the app; until then they are answered 503. */
  serve(app: Hono<ServerEnv>): void;
  /** Refuses new connections, finishes requests in progress, and cuts off the rest after `patience_ms`. */
  close(patience_ms: number): Promise<void>;
}

/**
 * The interval at which connections are checked for late headers. Short, because thousands that were opened together
 * are then closed in small groups.
 */
const CHECK_INTERVAL_MS = 100;
/** Node's own bound for a whole request, which no body outlives: `body.ts` is stricter. */
const REQUEST_TIMEOUT_MS =
  LIMITS.headers_ms + LIMITS.body_ms + (LIMITS.request_body_bytes / LIMITS.body_bytes_per_second) * 1000;

/**
 * Binds the port at once, before anything else starts. Rejects when it cannot. Connections are bounded for each
 * IPv4 address and IPv6 /64, except this machine's own and those of trusted proxies.
 */
export async function listenHttp(
  hostname: string,
  port: number,
  { log = silentLog, trusted_proxies = [] }: { log?: Log; trusted_proxies?: readonly string[] } = {},
): Promise<HttpListener> {
  let app: Hono<ServerEnv> | undefined;
  const starting = () => new Response(null, { status: 503, headers: { "Retry-After": "1" } });
  const readyToSend = createResponseCoalescer();
  const server = createAdaptorServer({
    async fetch(request, env) {
      const answer = await (app?.fetch(request, Object.assign(env, STANDALONE)) ?? starting());
      await readyToSend();
      return answer;
    },
    // Repeated headers are joined, as in the web's Headers: two Authorization headers authenticate nobody.
    serverOptions: {
      joinDuplicateHeaders: true,
      headersTimeout: LIMITS.headers_ms,
      keepAliveTimeout: LIMITS.keep_alive_ms,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
  });
  server.on("connection", boundConnections(trusted_proxies, log));
  server.on("clientError", refuseClient);
  server.listen(port, hostname);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    serve(served) {
      app = served;
    },
    async close(patience_ms) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      if (!("closeAllConnections" in server)) return closed;
      server.closeIdleConnections();
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), patience_ms);
      await closed;
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

/** Closes a connection on which no request can be read, with an answer if that isn't too late. */
function refuseClient(error: Error & { code?: string }, socket: Duplex): void {
  const late = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  // Those who send slowly read slowly: to thousands of them an answer costs more than it helps.
  if (late || !socket.writable) return void socket.destroy();
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
}

/**
 * Decides when a response may be sent: the first of an event loop turn at once (undefined), later ones together at the
 * end of the turn. Each socket write wakes a waiting reader, which costs more than a small response itself; sent
 * together, they wake it once. A lone response is never delayed.
 */
export function createResponseCoalescer(): () => Promise<void> | undefined {
  let endOfTurn: Promise<void> | undefined;
  return () => {
    if (endOfTurn !== undefined) return endOfTurn;
    endOfTurn = new Promise((resolve) => {
      setImmediate(() => {
        endOfTurn = undefined;
        resolve();
      });
    });
    return undefined;
  };
}
