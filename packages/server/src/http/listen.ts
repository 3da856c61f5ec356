import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import type { ServerEnv } from "../request/context.ts";
import { untouched } from "../request/request-header.ts";
import { createTurns } from "./turns.ts";

/** A listening HTTP server. */
export interface HttpListener {
  port: number;
  /** Hands requests to the app from now on; until then they are answered 503. */
  serve(app: Hono<ServerEnv>): void;
  /**
   * Takes no new connection, finishes the requests under way, and cuts off what is not done after
   * `patience_ms`.
   */
  close(patience_ms: number): Promise<void>;
}

/**
 * Listens at once, so that the port is known, and taken, before anything else starts. Rejects when it can't.
 */
export async function listenHttp(hostname: string, port: number): Promise<HttpListener> {
  let app: Hono<ServerEnv> | undefined;
  const starting = () => new Response(null, { status: 503, headers: { "Retry-After": "1" } });
  const mayLeave = createTurns();
  const server = createAdaptorServer({
    async fetch(request, env) {
      const answer = await (app?.fetch(request, Object.assign(env, untouched)) ?? starting());
      await mayLeave();
      return answer;
    },
    // A header that came twice is seen twice, as the web's Headers have it: two Authorizations are nobody's.
    serverOptions: { joinDuplicateHeaders: true },
  });
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
