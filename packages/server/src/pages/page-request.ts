import type { LetterslotError } from "@letterslot/core";
import { callerOf } from "../request/caller.ts";
import type { ServerContext, ServerState } from "../request/context.ts";
import { publicError, setErrorHeaders, wireOf } from "../request/errors.ts";
import { failurePage, type Markup, PAGE_HEADERS } from "./layout.ts";

/** Whether a body is a submitted HTML form. */
export const isForm = (c: ServerContext): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(c.req.header("content-type") ?? "");

/** Whether the client is a browser: its Accept header includes HTML. */
export const wantsHtml = (c: ServerContext): boolean => (c.req.header("accept") ?? "").includes("text/html");

/** Whether the client accepts JSON and not HTML. */
export const wantsJson = (c: ServerContext): boolean =>
  !wantsHtml(c) && (c.req.header("accept") ?? "").includes("application/json");

/** The named fields that are present and not empty: mail clients and forms add others. */
export function pick(fields: Record<string, string>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

/** Calls an operation that needs no key; an Authorization header must still be valid. */
export async function callPublic<T extends object>(
  c: ServerContext,
  state: ServerState,
  name: string,
  input: Record<string, unknown>,
): Promise<T> {
  return (await state.letterslot.call(await callerOf(c, state, true, name), name, input)) as T;
}

/** Responds with a page, or with the page of the error that `render` throws, and its status. */
export async function answerPage(
  c: ServerContext,
  { log }: ServerState,
  render: () => Promise<Markup>,
  onFailure: (error: LetterslotError) => Markup = failurePage,
): Promise<Response> {
  for (const [name, value] of Object.entries(PAGE_HEADERS)) c.header(name, value);
  try {
    const markup = await render();
    return c.html(markup);
  } catch (error) {
    const failure = publicError(error, log, c.get("request_id"));
    setErrorHeaders(c, failure);
    return c.html(await onFailure(failure), wireOf(failure.code).status);
  }
}
