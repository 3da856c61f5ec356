import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";

/** The app that answers requests of the web: `createApp`'s. */
interface WebApp {
  fetch(request: Request, env: object): Response | Promise<Response>;
}

const BODY_READ = {
  error: {
    code: "internal_error",
    message: "The request's body was read before Letterslot got the request.",
    fix: "Mount Letterslot before what reads bodies, such as express.json().",
    retryable: false,
  },
};

/**
 * The app as a listener for Node's requests, which Express, Nest and a plain server take as it is, and Fastify with
 * `request.raw` and `reply.raw`. A request whose body was read already is answered with 500 and what to do.
 */
export function toNodeHandler(app: WebApp): (request: IncomingMessage, response: ServerResponse) => void {
  const listen = getRequestListener(app.fetch.bind(app));
  return (request, response) => {
    if (wasRead(request)) {
      response.writeHead(500, { "content-type": "application/json" }).end(JSON.stringify(BODY_READ));
      return;
    }
    void listen(request, response);
  };
}

/** Frameworks that keep the body's bytes beside what they made of it do no harm. */
const wasRead = (request: IncomingMessage & { rawBody?: unknown }): boolean =>
  request.readableDidRead && !(request.rawBody instanceof Buffer);
