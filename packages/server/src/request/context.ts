import type { Letterslot, Permission } from "@letterslot/core";
import type { OAuth } from "@letterslot/core/internal";
import type { Log } from "@letterslot/core/ports";
import type { Context } from "hono";
import type { BodyBudget, BodyShare } from "./body-budget.ts";
import type { ClientAddress } from "./client-address.ts";

/** Counts the bytes of request bodies. */
export interface Bodies {
  budget: BodyBudget;
  /** The IPv4 address or the /64 that a request came from; null where it is unknown. */
  addressOf(c: ServerContext): string | null;
}

/** The variables that Hono stores with each request. */
export interface ServerEnv {
  Variables: {
    /** Identifies the request in its response (`x-request-id`), in errors and in the log. */
    request_id: string;
    /** The response was created with all standard headers. */
    has_headers?: boolean;
    /** The bytes of request bodies in flight, and the address that a request's count for. */
    bodies?: Bodies;
    /** The authenticated caller, whose bodies are counted together in bytes. */
    body_holder?: string;
    /** The permissions that a calling app already has, for errors that tell it to ask for more. */
    granted?: readonly Permission[];
    /** This request's share of the bytes in flight. */
    body_share?: BodyShare;
  };
}

/** Hono's context of one request to this server. */
export type ServerContext = Context<ServerEnv>;

/** The state that all request handlers share. */
export interface ServerState {
  letterslot: Letterslot;
  log: Log;
  clientAddress: ClientAddress;
  /** Outgoing mail is captured, and shown at `/outbox`. */
  capturesMail: boolean;
  /** The pages on which people see and decide are mounted at `/console`. */
  hasConsole: boolean;
  /** Long polls and streams in progress: aborted when their client disconnects or the server stops. */
  waiting: Set<AbortController>;
  /** Aborts when the server stops. */
  stopping: AbortSignal | undefined;
}

/** The state of the handlers through which people admit apps. */
export interface OAuthState extends ServerState {
  oauth: OAuth;
}
