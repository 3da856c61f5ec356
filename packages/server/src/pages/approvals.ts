import { fail } from "@letterslot/core";
import type { Hono } from "hono";
import { formFields, jsonObject, publicBodyBytes, readBytes } from "../request/body.ts";
import { callerOf } from "../request/caller.ts";
import type { Edge, ServerContext, ServerEnv } from "../request/context.ts";
import { respondError } from "../request/errors.ts";
import { approvalFailurePage, decidedPage, reviewPage } from "./approval-markup.ts";
import { answerPage, isForm, only, wantsHtml } from "./page-request.ts";

const path = "/api/v1/owners/approve";

/**
 * The page in approval letters. A GET shows what is asked and never acts, because mail scanners open links:
 * its buttons post. Programs that ask for JSON get JSON at the same place. An Authorization header is
 * refused: no API key decides for an owner.
 */
export function mountApprovalPages(app: Hono<ServerEnv>, edge: Edge): void {
  const call = async <T>(c: ServerContext, name: string, input: Record<string, unknown>) =>
    (await edge.letterslot.call(await callerOf(c, edge, true), name, input)) as T;

  app.get(path, async (c) => {
    const token = c.req.query("token") ?? "";
    const review = () => call<Parameters<typeof reviewPage>[0]>(c, "approvals.review", { token });
    if (!wantsHtml(c)) return c.json((await review()) as object);
    return answerPage(c, edge, async () => reviewPage(await review(), token), approvalFailurePage);
  });

  app.post(path, async (c) => {
    const bytes = await readBytes(c, publicBodyBytes);
    const fields = isForm(c) ? only(formFields(bytes), ["token", "decision", "comment"]) : jsonObject(bytes);
    const decide = () => call<Parameters<typeof decidedPage>[0]>(c, "approvals.decide", fields);
    if (!wantsHtml(c)) return c.json((await decide()) as object);
    return answerPage(c, edge, async () => decidedPage(await decide()), approvalFailurePage);
  });

  app.all(path, (c) => {
    c.header("Allow", "GET, POST");
    return respondError(c, fail("method_not_allowed"), edge.letterslot.parts.options.base_url);
  });
}
