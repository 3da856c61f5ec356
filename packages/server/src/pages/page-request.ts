import type { LetterslotError } from "@letterslot/core";
import type { Edge, ServerContext } from "../request/context.ts";
import { setErrorHeaders, shownFailure, wireOf } from "../request/errors.ts";
import { type Markup, pageHeaders } from "./layout.ts";

/** Whether a body is a form that a page's button posted. */
export const isForm = (c: ServerContext): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(c.req.header("content-type") ?? "");

/** Whether a person's browser asks. */
export const wantsHtml = (c: ServerContext): boolean => (c.req.header("accept") ?? "").includes("text/html");

/** Whether a program asks that says so. */
export const wantsJson = (c: ServerContext): boolean =>
  !wantsHtml(c) && (c.req.header("accept") ?? "").includes("application/json");

/** The named fields that are there and not empty: mail clients and forms add others. */
export function only(fields: Record<string, string>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}

/** Answers a page, or the page that `failurePage` makes of what went wrong, with its status. */
export async function answerPage(
  c: ServerContext,
  { log }: Edge,
  render: () => Promise<Markup>,
  failurePage: (failure: LetterslotError) => Markup,
): Promise<Response> {
  for (const [name, value] of Object.entries(pageHeaders)) c.header(name, value);
  try {
    const markup = await render();
    return c.html(markup);
  } catch (error) {
    const failure = shownFailure(error, log, c.get("request_id"));
    setErrorHeaders(c, failure);
    return c.html(await failurePage(failure), wireOf(failure.code).status);
  }
}
