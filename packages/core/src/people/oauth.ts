import type { GrantRequest } from "../apps/index.ts";
import type { Permission } from "../catalogue/permissions.ts";
import type { Person } from "./caller.ts";

/** What an app asks a person for. */
export interface AuthorizationRequest {
  id: string;
  client_id: string;
  /** What the app calls itself; empty if it has no name. Anybody can call themselves anything. */
  client_name: string;
  redirect_uri: string;
  /** Where the answer goes, in one word: a host, or the scheme of a program on the person's machine. */
  redirect_host: string;
  /** The address that the app's tokens will be good for. */
  resource: string;
  /** What it asks for, without what no app is given. */
  permissions: Permission[];
}

/** What a person lets an app do, of what it asked for. */
export type Consent = Pick<GrantRequest, "account_id" | "inbox_id"> & { permissions: readonly Permission[] };

/**
 * The authorization server (OAuth 2.1), which `@letterslot/oauth` creates. Requests that belong to a person's answer
 * come from the browser that began them.
 */
export interface OAuth {
  /** Answers `/oauth/authorize`, `/oauth/token`, `/oauth/revoke` and `/oauth/register`. */
  handle(request: Request, ip: string | null): Promise<Response>;
  /** What is asked for at `/oauth/consent/:id`. Fails with `authorization_expired`. */
  describe(request: Request): Promise<AuthorizationRequest>;
  /**
   * Lets the app in, once, and leads the browser back to it. Fails with `authorization_expired`, and as
   * `letterslot.grantAccess` does; `permission_escalation` for more than the app asked for.
   */
  allow(request: Request, person: Person, consent: Consent): Promise<Response>;
  /** Leads the browser back to the app with `access_denied`. Fails with `authorization_expired`. */
  deny(request: Request): Promise<Response>;
}
