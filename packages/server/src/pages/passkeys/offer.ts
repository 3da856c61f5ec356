import type { Hono } from "hono";
import { html } from "hono/html";
import type { ServerContext, ServerEnv, ServerState } from "../../request/context.ts";
import { refuseOtherMethods } from "../../request/errors.ts";
import { type Markup, PAGE_HEADERS } from "../layout.ts";
import { LIBRARY } from "./library.data.ts";
import { SCRIPT } from "./script.ts";

const PATH = "/api/v1/owners/passkeys.js";

const SCRIPT_HEADERS = {
  "Content-Type": "text/javascript; charset=utf-8",
  "Cache-Control": "public, max-age=3600",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** Mounts the script of pages that take passkeys. */
export function mountPasskeyScript(app: Hono<ServerEnv>): void {
  app.get(PATH, (c) => c.body(LIBRARY + SCRIPT, 200, SCRIPT_HEADERS));
  refuseOtherMethods(app, PATH);
}

/** The part of a page that takes passkeys. */
export interface PasskeyOffer {
  /** The element that loads the script; the page has it once, at its end. */
  script: Markup;
}

/**
 * Lets the page that answers a request run the script of passkeys, and nothing else; undefined where the server takes
 * no passkeys. `policy` is the page's own where it isn't that of all pages.
 */
export function offerPasskeys(
  c: ServerContext,
  { letterslot }: ServerState,
  policy = PAGE_HEADERS["Content-Security-Policy"],
): PasskeyOffer | undefined {
  if (letterslot.services.passkeys === undefined) return undefined;
  c.header("Content-Security-Policy", `${policy}; script-src 'self'; connect-src 'self'`);
  // Relative, as all links of pages: the service may be mounted below a path.
  const up = "../".repeat(c.req.path.split("/").filter(Boolean).length - 1);
  return { script: html`<script src="${up}${PATH.slice(1)}" defer></script>` };
}

/** Where the script says what the person's device does. */
export const deviceStatus = html`<p class="soft" role="status" data-status></p>`;

/** A part of a page that is shown only where the script runs. */
export const withPasskeys = (content: Markup): Markup =>
  html`<div data-with-passkeys hidden>${content}</div>`;

/** A form that signs a person in by passkey, and posts what else it is given; `action` is the page's own by default. */
export const passkeySignInForm = (
  offer: PasskeyOffer | undefined,
  fields: Record<string, string>,
  label: string,
): Markup =>
  offer === undefined
    ? html``
    : html`${withPasskeys(html`<form method="post">
${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit" class="quiet lone" data-passkey="sign_in">${label}</button>
${deviceStatus}
</form>`)}${offer.script}`;
