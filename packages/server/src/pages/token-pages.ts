import type { ErrorCode, LetterslotError } from "@letterslot/core";
import type { Hono } from "hono";
import { formFields, isForm, jsonFields, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { actOnLink } from "./act-on-link.ts";
import type { Markup } from "./layout.ts";
import { answerPage, callPublic, linkFailurePage, wantsHtml } from "./page-request.ts";

/** A page that is opened by a token in a letter. */
export interface TokenPage<S> {
  path: `/api/v1/${string}`;
  /** The operation that the page shows; it changes nothing. */
  show: string;
  /** The operation that the page's button calls. */
  act: string;
  /** Converts form fields to the input of `act`; forms may contain other fields. */
  fieldsOf(form: Record<string, string>): Record<string, unknown>;
  /** The page itself; `query` is the link's query without the token. */
  render(shown: S, token: string, query: Record<string, string>): Markup;
  /** The mailbox that the letter went to; undefined for links that always act alone. */
  readerOf?(shown: S): string;
  /** The page after the button was clicked. */
  done(shown: S, token: string): Markup;
  /** The error that the person mends on the page itself, which is shown again with what was posted. */
  mends?: {
    code: ErrorCode;
    render(shown: S, token: string, form: Record<string, string>, error: LetterslotError): Markup;
  };
}

/**
 * Mounts a page for browsers and programs at one address. GET never acts, because mail scanners open links;
 * the page's button posts. Clients that do not accept HTML get JSON. The operations reject an Authorization
 * header: only the token authorizes.
 */
export function mountTokenPage<S extends object>(
  app: Hono<ServerEnv>,
  state: ServerState,
  page: TokenPage<S>,
): void {
  const { path, show, act } = page;

  app.get(path, async (c) => {
    const { token = "", ...query } = c.req.query();
    const shown = () => callPublic<S>(c, state, show, { token });
    if (!wantsHtml(c)) return c.json(await shown());
    return answerPage(
      c,
      state,
      async () => page.render(await shown(), token, query),
      (error) => linkFailurePage(state, token, error),
    );
  });

  app.post(path, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    const linked = c.req.query("token");
    const inLink = linked === undefined ? {} : { token: linked };
    const form = isForm(c) ? formFields(bytes) : undefined;
    const fields =
      form === undefined
        ? { ...inLink, ...jsonFields(c, bytes) }
        : { ...inLink, ...tokenOf(form), ...page.fieldsOf(form) };
    const { readerOf, mends } = page;
    if (!wantsHtml(c) || readerOf === undefined) {
      const acted = () => callPublic<S>(c, state, act, fields);
      if (!wantsHtml(c)) return c.json(await acted());
      return answerPage(c, state, async () => page.done(await acted(), fields.token ?? ""));
    }
    const link = { token: fields.token ?? "" };
    const shown = () => callPublic<S>(c, state, show, link);
    const failed = async (error: LetterslotError) =>
      error.code === mends?.code
        ? mends.render(await shown(), link.token, form ?? {}, error)
        : linkFailurePage(state, link.token, error);
    return answerPage(
      c,
      state,
      async () => {
        const email = async () => readerOf(await shown());
        const acted = await actOnLink(c, state, { operation: act, fields, form: form ?? {}, email });
        return "page" in acted ? acted.page : page.done(acted.done as S, link.token);
      },
      failed,
    );
  });

  refuseOtherMethods(app, path);
}

const tokenOf = ({ token }: Record<string, string>): Record<string, string> =>
  token === undefined ? {} : { token };
