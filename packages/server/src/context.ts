import type { Letterslot, Log } from "@letterslot/core";
import type { Context } from "hono";
import type { ClientAddress } from "./client-address.ts";

/** What Hono carries along with each request. */
export interface ServerEnv {
  Variables: {
    /** Names the request in its answer (`x-request-id`), in its error and in the log. */
    request_id: string;
  };
}

/** A request on its way through the server. */
export type ServerContext = Context<ServerEnv>;

/** What the parts of the server stand on. */
export interface Edge {
  letterslot: Letterslot;
  log: Log;
  clientAddress: ClientAddress;
  /** Aborts when the server stops: what waits then answers. */
  stopping: AbortSignal | undefined;
}

/** Aborts when the caller hangs up or the server stops. */
export function signalOf(c: ServerContext, { stopping }: Edge): AbortSignal {
  return stopping === undefined ? c.req.raw.signal : AbortSignal.any([c.req.raw.signal, stopping]);
}
