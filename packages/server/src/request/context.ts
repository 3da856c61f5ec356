import type { ServerResponse } from "node:http";
import type { Letterslot, Log } from "@letterslot/core";
import type { Context } from "hono";
import type { ClientAddress } from "./client-address.ts";

/** What Hono carries along with each request. */
export interface ServerEnv {
  Variables: {
    /** Names the request in its answer (`x-request-id`), in its error and in the log. */
    request_id: string;
    /** The answer was made with all the headers that it needs. */
    has_headers?: boolean;
  };
}

/** A request on its way through the server. */
export type ServerContext = Context<ServerEnv>;

/** What the parts of the server stand on. */
export interface Edge {
  letterslot: Letterslot;
  log: Log;
  clientAddress: ClientAddress;
  /**
   * Requests that wait for something to happen: aborted when their caller hangs up, or when the server stops.
   */
  waiting: Set<AbortController>;
  /** Aborts when the server stops. */
  stopping: AbortSignal | undefined;
}

/**
 * Notes a request that will wait; take it out of `waiting` when it is answered. On Node the socket tells of a
 * caller who hangs up: a Request's own signal costs more than all the rest.
 */
export function beginWaiting(c: ServerContext, { waiting, stopping }: Edge): AbortController {
  const controller = new AbortController();
  const hangUp = () => {
    waiting.delete(controller);
    controller.abort();
  };
  waiting.add(controller);
  const { outgoing } = (c.env ?? {}) as { outgoing?: ServerResponse };
  if (outgoing === undefined) c.req.raw.signal.addEventListener("abort", hangUp, { once: true });
  else outgoing.once("close", hangUp);
  if (stopping?.aborted) hangUp();
  return controller;
}
