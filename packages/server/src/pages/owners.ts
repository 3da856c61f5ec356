import type { OwnerConfirmation, OwnerPreferences } from "@letterslot/core";
import type { Hono } from "hono";
import { formFields, isForm, jsonFields, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { actOnLink } from "./act-on-link.ts";
import type { Markup } from "./layout.ts";
import { onwardMarkup } from "./onward.ts";
import {
  codeForm,
  codePage,
  confirmedPage,
  confirmPage,
  incompleteLinkPage,
  tryCodePage,
  unsubscribedPage,
  unsubscribePage,
} from "./owner-markup.ts";
import { answerPage, callPublic, linkFailurePage, pick, wantsHtml } from "./page-request.ts";

const CONFIRM = "/api/v1/owners/confirm";
const UNSUBSCRIBE = "/api/v1/owners/unsubscribe";

/**
 * Mounts the confirmation and unsubscribe pages of owners' letters. GET never acts, because mail scanners
 * open links; the page's button posts. Clients that ask for JSON get JSON at the same address. Unknown query
 * parameters are ignored: mail clients add some.
 */
export function mountOwnerPages(app: Hono<ServerEnv>, state: ServerState): void {
  const call = <T extends object>(c: ServerContext, name: string, input: Record<string, unknown>) =>
    callPublic<T>(c, state, name, input);
  const preferences = (c: ServerContext, token: string) =>
    call<OwnerPreferences>(c, "owners.preferences", { token });
  const onward = () => onwardMarkup(state);
  const respond = (
    c: ServerContext,
    token: string | undefined,
    render: () => Promise<Markup>,
    next: Markup | "" = "",
  ) => answerPage(c, state, render, (error) => linkFailurePage(state, token, error, next));
  const confirming = (c: ServerContext, token: string | undefined, render: () => Promise<Markup>) =>
    token === undefined || token === ""
      ? answerPage(c, state, render, tryCodePage)
      : respond(c, token, render, codeForm);

  app.get(CONFIRM, async (c) => {
    const token = c.req.query("token");
    if (!wantsHtml(c))
      return c.json(await call(c, "owners.confirmation", token === undefined ? {} : { token }));
    return confirming(c, token, async () => {
      if (token === undefined || token === "") return codePage();
      return confirmPage(await call(c, "owners.confirmation", { token }), token, onward());
    });
  });

  app.post(CONFIRM, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    if (!isForm(c)) return c.json(await call(c, "owners.confirm", jsonFields(c, bytes)));
    const form = formFields(bytes);
    const fields = pick(form, ["token", "email", "code"]);
    if (!wantsHtml(c)) return c.json(await call(c, "owners.confirm", fields));
    const { token } = fields;
    return confirming(c, form["token"], async () => {
      if (token === undefined)
        return confirmedPage(await call<OwnerConfirmation>(c, "owners.confirm", fields), onward());
      const email = async () => (await call<OwnerConfirmation>(c, "owners.confirmation", { token })).email;
      const acted = await actOnLink(c, state, { operation: "owners.confirm", fields, form, email });
      return "page" in acted ? acted.page : confirmedPage(acted.done as OwnerConfirmation, onward());
    });
  });

  app.get(UNSUBSCRIBE, (c) => {
    const token = c.req.query("token") ?? "";
    return respond(c, token, async () =>
      token === "" ? incompleteLinkPage() : unsubscribePage(await preferences(c, token), token),
    );
  });

  // One-click unsubscribe (RFC 8058) posts a form to the link in the mail header, so the token is in the
  // query.
  app.post(UNSUBSCRIBE, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    const inQuery = pick({ token: c.req.query("token") ?? "" }, ["token"]);
    const fields = isForm(c)
      ? { ...inQuery, ...pick(formFields(bytes), ["token"]) }
      : { ...inQuery, ...jsonFields(c, bytes) };
    if (!wantsHtml(c)) return c.json(await call(c, "owners.unsubscribe", fields));
    const token = typeof fields.token === "string" ? fields.token : "";
    return respond(c, token, async () => {
      const email = async () => (await preferences(c, token)).email;
      const form = isForm(c) ? formFields(bytes) : {};
      const acted = await actOnLink(c, state, { operation: "owners.unsubscribe", fields, form, email });
      return "page" in acted ? acted.page : unsubscribedPage(await preferences(c, token), token, onward());
    });
  });

  for (const path of [CONFIRM, UNSUBSCRIBE]) refuseOtherMethods(app, path);
}
