import type { ErrorCode, LetterslotError } from "@letterslot/core";
import { explainLink } from "@letterslot/core/internal";
import { formFields, isForm, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { ServerContext, ServerState } from "../request/context.ts";
import { publicError, setErrorHeaders, wireOf } from "../request/errors.ts";
import { callOptionsOf } from "../request/request-header.ts";
import { checkSameOrigin } from "../request/same-origin.ts";
import { preferredType } from "./accepts.ts";
import { deadLinkPage } from "./dead-link-markup.ts";
import { failurePage, type Markup, PAGE_HEADERS } from "./layout.ts";

/**
 * Whether the answer is a page: the client's preference; if it has none (as with `*\/*`), a page, unless it posted
 * JSON.
 */
export function wantsHtml(c: ServerContext): boolean {
  const preferred = preferredType(c.req.header("accept"));
  if (preferred !== "either") return preferred === "html";
  return c.req.method !== "POST" || isForm(c);
}

/** The named fields that are present and not empty: mail clients and forms add others. */
export function pick(fields: Record<string, string>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

/** The errors of links that don't work, whatever the reason. */
const LINK_ERRORS: ReadonlySet<ErrorCode> = new Set([
  "confirm_invalid",
  "confirm_expired",
  "session_invalid",
  "recovery_invalid",
  "approval_link_invalid",
  "question_link_invalid",
  "owner_link_invalid",
  "lifecycle_link_invalid",
]);

/**
 * The page for a failure of a letter's page: for a link that doesn't work, why, who wrote the letter and how to go on,
 * with `next` below it; for all else the error.
 */
export async function linkFailurePage(
  { letterslot: { services } }: ServerState,
  token: string | undefined,
  error: LetterslotError,
  next: Markup | "" = "",
): Promise<Markup> {
  if (token === undefined || token === "" || !LINK_ERRORS.has(error.code)) return failurePage(error);
  return deadLinkPage(await explainLink(services.storage, token, services.clock.now()), next);
}

/** Calls an operation that needs no key; an Authorization header must still be valid. */
export async function callPublic<T extends object>(
  c: ServerContext,
  state: ServerState,
  name: string,
  input: Record<string, unknown>,
): Promise<T> {
  const caller = await callerOf(c, state, true, name);
  return (await state.letterslot.call(caller, name, input, callOptionsOf(c))) as T;
}

/**
 * Responds with a page, or with the page of the error that `render` throws, and its status; a response, such as
 * a redirect, is passed on.
 */
export async function answerPage(
  c: ServerContext,
  { log }: ServerState,
  render: () => Promise<Markup | Response>,
  onFailure: (error: LetterslotError) => Markup | Promise<Markup> = failurePage,
): Promise<Response> {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  try {
    const markup = await render();
    return markup instanceof Response ? markup : c.html(markup);
  } catch (error) {
    const failure = publicError(error, log, c.get("request_id"));
    setErrorHeaders(c, failure);
    return c.html(await onFailure(failure), wireOf(failure.code).status);
  }
}

/** A submitted form: its fields, by name. */
export type Form = Record<string, string>;

/** Responds to a form of this server's own pages as `answerPage` does; what another site's page sends is refused. */
export async function answerForm(
  c: ServerContext,
  state: ServerState,
  render: (form: Form) => Promise<Markup | Response>,
  onFailure: (error: LetterslotError, form: Form) => Markup | Promise<Markup> = failurePage,
): Promise<Response> {
  const form = formFields(await readBytes(c, PUBLIC_BODY_BYTES));
  const checked = async () => {
    checkSameOrigin(c, state);
    return render(form);
  };
  return answerPage(c, state, checked, (error) => onFailure(error, form));
}
