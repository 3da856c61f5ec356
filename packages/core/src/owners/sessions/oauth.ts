import type { Permission } from "../../catalogue/permissions.ts";
import type { GrantRequest } from "../oauth-grants/grant.ts";
import type { Person } from "./caller.ts";

/** An app's request for access, for a person to decide. */
export interface AuthorizationRequest {
  id: string;
  client_id: string;
  /** The app's name for itself; empty if it has none. Any app can use any name. */
  client_name: string;
  redirect_uri: string;
  /** The destination of the answer, as one word: a host, or the URL scheme of a program on the person's machine. */
  redirect_host: string;
  /** The resource that the app's tokens will be valid for. */
  resource: string;
  /** The requested permissions, without those that no app is given. */
  permissions: Permission[];
}

/** The part of a request that a person grants. */
export type Consent = Pick<GrantRequest, "account_id" | "inbox_id"> & { permissions: readonly Permission[] };

/**
 * The authorization server (OAuth 2.1), which `@letterslot/oauth` creates. Requests that involve a person's decision
 * must come from the browser that began them.
 */
export interface OAuth {
  /**
   * Handles `/oauth/authorize`, `/oauth/token`, `/oauth/revoke` and `/oauth/register`. Requests by a person's browser
   * fail with `authorization_invalid`, `authorization_expired` and `rate_limited` here: nothing redirects to the app
   * before somebody has answered.
   */
  handle(request: Request, ip: string | null): Promise<Response>;
  /** Returns the request at `/oauth/consent/:id`. Fails with `authorization_expired`. */
  describe(request: Request): Promise<AuthorizationRequest>;
  /**
   * Lets the app in, once, and redirects the browser back to it. Fails with `authorization_expired`, and as
   * `letterslot.grantAccess` does; with `permission_escalation` for more than the app requested.
   */
  allow(request: Request, person: Person, consent: Consent): Promise<Response>;
  /** Redirects the browser back to the app with `access_denied`. Fails with `authorization_expired`. */
  deny(request: Request): Promise<Response>;
}
