import type { LetterslotError } from "@letterslot/core";
import type { Hono } from "hono";
import { preferredType } from "../pages/accepts.ts";
import { failurePage, PAGE_HEADERS } from "../pages/layout.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { publicError, refuseOtherMethods, setErrorHeaders, wireOf } from "../request/errors.ts";
import { fileAnswer } from "./answer.ts";

const PATH = "/view/:word";
const WORD = /\/view\/[^/]+/;

/** Mounts `GET /view/:word`, the page that shows one mail: who has the word needs no key. */
export function mountViews(app: Hono<ServerEnv>, { letterslot, log }: ServerState): void {
  app.get(PATH, async (c) => {
    try {
      return fileAnswer(c, await letterslot.openView(c.req.param("word")));
    } catch (error) {
      if (preferredType(c.req.header("accept")) !== "html") throw error;
      return failedView(c, publicError(error, log, c.get("request_id")));
    }
  });
  refuseOtherMethods(app, PATH);
}

/** A path without the word of a view, which is a secret. */
export const withoutWord = (path: string): string => path.replace(WORD, PATH);

/** A person reads why in the frame that the mail was to be shown in. */
async function failedView(c: ServerContext, error: LetterslotError): Promise<Response> {
  const { "X-Frame-Options": _never, ...headers } = PAGE_HEADERS;
  const policy = headers["Content-Security-Policy"]?.replace(
    "frame-ancestors 'none'",
    "frame-ancestors 'self'",
  );
  setErrorHeaders(c, error);
  return c.html(await failurePage(error), wireOf(error.code).status, {
    ...headers,
    "Content-Security-Policy": policy ?? "",
    "Referrer-Policy": "no-referrer",
  });
}
