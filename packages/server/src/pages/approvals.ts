import type { Hono } from "hono";
import { formFields, jsonObject, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { decidedPage, reviewPage } from "./approval-markup.ts";
import { answerPage, callPublic, isForm, pick, wantsHtml } from "./page-request.ts";

const PATH = "/api/v1/owners/approve";

/**
 * Mounts the page of approval letters. GET shows the request and never acts, because mail scanners open
 * links; the page's buttons post. Clients that do not accept HTML get JSON. An Authorization header is
 * rejected: no API key decides for an owner.
 */
export function mountApprovalPages(app: Hono<ServerEnv>, state: ServerState): void {
  app.get(PATH, async (c) => {
    const token = c.req.query("token") ?? "";
    const review = () =>
      callPublic<Parameters<typeof reviewPage>[0]>(c, state, "approvals.review", { token });
    if (!wantsHtml(c)) return c.json(await review());
    return answerPage(c, state, async () => reviewPage(await review(), token));
  });

  app.post(PATH, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    const fields = isForm(c) ? pick(formFields(bytes), ["token", "decision", "comment"]) : jsonObject(bytes);
    const decide = () => callPublic<Parameters<typeof decidedPage>[0]>(c, state, "approvals.decide", fields);
    if (!wantsHtml(c)) return c.json(await decide());
    return answerPage(c, state, async () => decidedPage(await decide()));
  });

  refuseOtherMethods(app, PATH, "GET, POST");
}
