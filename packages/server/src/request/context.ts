import type { Letterslot, Log } from "@letterslot/core";
import type { Context } from "hono";
import type { ClientAddress } from "./client-address.ts";

/** What Hono stores with each request. */
export interface ServerEnv {
  Variables: {
    /** Identifies the request in its response (`x-request-id`), in errors and in the log. */
    request_id: string;
    /** The response was created with all standard headers. */
    has_headers?: boolean;
  };
}

/** Hono's context of one request to this server. */
export type ServerContext = Context<ServerEnv>;

/** What all request handlers share. */
export interface ServerState {
  letterslot: Letterslot;
  log: Log;
  clientAddress: ClientAddress;
  /** Long polls and streams in progress: aborted when their client disconnects or the server stops. */
  waiting: Set<AbortController>;
  /** Aborts when the server stops. */
  stopping: AbortSignal | undefined;
}
