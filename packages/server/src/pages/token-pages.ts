import { fail, type LetterslotError } from "@letterslot/core";
import type { Hono } from "hono";
import { formFields, jsonObject, publicBodyBytes, readBytes } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { Edge, ServerContext, ServerEnv } from "../request/context.ts";
import { respondError } from "../request/errors.ts";
import type { Markup } from "./layout.ts";
import { answerPage, isForm, wantsHtml } from "./page-request.ts";

/** A page that a token in a letter opens: what it shows, and what its button does. */
export interface TokenPage<S> {
  path: `/api/v1/${string}`;
  /** The operation that shows; it changes nothing. */
  show: string;
  /** The operation that the page's button calls. */
  act: string;
  /** What a form's fields are to the operation; forms have other fields too. */
  fieldsOf(form: Record<string, string>): Record<string, unknown>;
  /** The page itself; `query` is what the link said beside the token. */
  render(shown: S, token: string, query: Record<string, string>): Markup;
  /** What the button's page says. */
  done(shown: S, token: string): Markup;
  failed(failure: LetterslotError): Markup;
}

/**
 * Mounts a page at one address for people and programs. A GET never acts, because mail scanners open links:
 * the page's button posts. Programs that don't ask for HTML get JSON. An Authorization header is refused by
 * the operations: the token alone opens it.
 */
export function mountTokenPage<S extends object>(app: Hono<ServerEnv>, edge: Edge, page: TokenPage<S>): void {
  const { path, show, act } = page;
  const call = async (c: ServerContext, name: string, input: Record<string, unknown>) =>
    (await edge.letterslot.call(await callerOf(c, edge, true), name, input)) as S;

  app.get(path, async (c) => {
    const { token = "", ...query } = c.req.query();
    if (!wantsHtml(c)) return c.json(await call(c, show, { token }));
    return answerPage(
      c,
      edge,
      async () => page.render(await call(c, show, { token }), token, query),
      page.failed,
    );
  });

  app.post(path, async (c) => {
    const bytes = await readBytes(c, publicBodyBytes);
    const linked = c.req.query("token");
    const inLink = linked === undefined ? {} : { token: linked };
    const form = isForm(c) ? formFields(bytes) : undefined;
    const fields =
      form === undefined
        ? { ...inLink, ...jsonObject(bytes) }
        : { ...inLink, ...tokenOf(form), ...page.fieldsOf(form) };
    if (!wantsHtml(c)) return c.json(await call(c, act, fields));
    return answerPage(
      c,
      edge,
      async () => page.done(await call(c, act, fields), fields.token ?? ""),
      page.failed,
    );
  });

  app.all(path, (c) => {
    c.header("Allow", "GET, POST");
    return respondError(c, fail("method_not_allowed"), edge.letterslot.parts.options.base_url);
  });
}

const tokenOf = ({ token }: Record<string, string>): Record<string, string> =>
  token === undefined ? {} : { token };
