import { html } from "hono/html";
import type { ServerState } from "../request/context.ts";
import type { Markup } from "./layout.ts";

/**
 * The path of a console's view, such as `/approvals/apr_…`, from the root of this server, whatever name it was called by;
 * undefined without a console. Of several accounts of a person it shows the one that is named.
 */
export function consolePath(
  { hasConsole, letterslot }: ServerState,
  view = "/",
  account_id?: string,
): string | undefined {
  if (!hasConsole) return undefined;
  const { pathname } = new URL(letterslot.services.options.baseUrl);
  const account = account_id === undefined ? "" : `?account=${account_id}`;
  return `${pathname.replace(/\/$/, "")}/console/${account}#${view}`;
}

/** Leads on to what else waits for the person; nothing without a console. */
export function onwardMarkup(state: ServerState): Markup {
  const path = consolePath(state);
  return path === undefined ? html`` : html`<p><a href="${path}">See what waits for you</a></p>`;
}
