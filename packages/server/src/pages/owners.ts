import { type Caller, fail } from "@letterslot/core";
import type { Hono } from "hono";
import { formFields, jsonObject, publicBodyBytes, readBytes } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { Edge, ServerContext, ServerEnv } from "../request/context.ts";
import { respondError } from "../request/errors.ts";
import type { Markup } from "./layout.ts";
import {
  codePage,
  confirmedPage,
  confirmPage,
  failurePage,
  unsubscribedPage,
  unsubscribePage,
} from "./owner-markup.ts";
import { answerPage, isForm, only, wantsHtml, wantsJson } from "./page-request.ts";

type Fields = Record<string, unknown>;

/**
 * The two addresses in owners' letters. A GET never acts, because mail scanners open links: the page's button
 * posts. Programs that ask for JSON get JSON at the same place. Unknown query parameters are ignored: mail
 * clients add some.
 */
export function mountOwnerPages(app: Hono<ServerEnv>, edge: Edge): void {
  const { base_url } = edge.letterslot.parts.options;
  const call = async (c: ServerContext, name: string, input: Fields) =>
    edge.letterslot.call(await publicCaller(c, edge), name, input);

  app.get("/api/v1/owners/confirm", async (c) => {
    const token = c.req.query("token");
    if (wantsJson(c))
      return c.json((await call(c, "owners.confirmation", token === undefined ? {} : { token })) as object);
    return shown(c, edge, async () => {
      if (token === undefined || token === "") return codePage();
      return confirmPage(
        (await call(c, "owners.confirmation", { token })) as Parameters<typeof confirmPage>[0],
        token,
      );
    });
  });

  app.post("/api/v1/owners/confirm", async (c) => {
    if (!isForm(c))
      return c.json(
        (await call(c, "owners.confirmPublic", jsonObject(await readBytes(c, publicBodyBytes)))) as object,
      );
    const fields = only(formFields(await readBytes(c, publicBodyBytes)), ["token", "email", "code"]);
    if (!wantsHtml(c)) return c.json((await call(c, "owners.confirmPublic", fields)) as object);
    return shown(c, edge, async () => {
      await call(c, "owners.confirmPublic", fields);
      return confirmedPage();
    });
  });

  app.get("/api/v1/owners/unsubscribe", (c) =>
    shown(c, edge, async () => unsubscribePage(c.req.query("token") ?? "")),
  );

  // One-click unsubscribing (RFC 8058) posts a form to the link of the header, so the token is in the query
  // there.
  app.post("/api/v1/owners/unsubscribe", async (c) => {
    const bytes = await readBytes(c, publicBodyBytes);
    const inQuery = only({ token: c.req.query("token") ?? "" }, ["token"]);
    const fields = isForm(c)
      ? { ...inQuery, ...only(formFields(bytes), ["token"]) }
      : { ...inQuery, ...jsonObject(bytes) };
    if (!wantsHtml(c)) return c.json((await call(c, "owners.unsubscribe", fields)) as object);
    return shown(c, edge, async () => {
      await call(c, "owners.unsubscribe", fields);
      return unsubscribedPage(typeof fields.token === "string" ? fields.token : "");
    });
  });

  for (const path of ["/api/v1/owners/confirm", "/api/v1/owners/unsubscribe"]) {
    app.all(path, (c) => {
      c.header("Allow", "GET, POST");
      return respondError(c, fail("method_not_allowed"), base_url);
    });
  }
}

function publicCaller(c: ServerContext, edge: Edge): Promise<Caller> {
  return callerOf(c, edge, true);
}

/** Answers a page, or a page that says what went wrong and how to go on. */
const shown = (c: ServerContext, edge: Edge, render: () => Promise<Markup>) =>
  answerPage(c, edge, render, failurePage);
