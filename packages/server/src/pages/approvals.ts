import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { formFields, isForm, jsonFields, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { decidedPage, reviewPage } from "./approval-markup.ts";
import { CODE_FIELD, inSession } from "./ask-code.ts";
import { MAIL_FRAME_POLICY } from "./mail-frame.ts";
import { answerPage, callPublic, linkFailurePage, pick, wantsHtml } from "./page-request.ts";

type Review = Parameters<typeof reviewPage>[0];
type Decided = Parameters<typeof decidedPage>[0];

const STATUS_OF_DECISION = new Map([
  ["approve", "approved"],
  ["reject", "rejected"],
]);

const PATH = "/api/v1/owners/approve";

/**
 * Mounts the page of approval letters. GET shows the request and never acts, because mail scanners open
 * links; the page's buttons post, and without a session of the letter's mailbox they first ask for a code that
 * is mailed there. Clients that do not accept HTML get JSON. An Authorization header is rejected: no API key
 * decides for an owner.
 */
export function mountApprovalPages(app: Hono<ServerEnv>, state: ServerState): void {
  app.get(PATH, async (c) => {
    const token = c.req.query("token") ?? "";
    const review = () =>
      callPublic<Parameters<typeof reviewPage>[0]>(c, state, "approvals.review", { token });
    if (!wantsHtml(c)) return c.json(await review());
    return answerPage(
      c,
      state,
      async () => {
        c.header("Content-Security-Policy", MAIL_FRAME_POLICY);
        return reviewPage(await review(), token);
      },
      (error) => linkFailurePage(state, token, error),
    );
  });

  app.post(PATH, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    const form = isForm(c) ? formFields(bytes) : undefined;
    if (form === undefined || !wantsHtml(c)) {
      const fields = form === undefined ? jsonFields(c, bytes) : pick(form, ["token", "decision", "comment"]);
      return c.json(await callPublic(c, state, "approvals.decide", fields));
    }
    const { token = "", decision = "" } = form;
    const decide = async () => {
      const fields = pick(form, ["token", "decision", "comment"]);
      const asked = { token };
      const review = await callPublic<Review>(c, state, "approvals.review", asked);
      const { status } = review.approval;
      if (status !== "pending" && status !== STATUS_OF_DECISION.get(decision)) throw fail("approval_closed");
      if (status !== "pending") return decidedPage(review.approval);
      if (!STATUS_OF_DECISION.has(decision))
        return decidedPage(await callPublic<Decided>(c, state, "approvals.decide", fields));
      const act = { operation: "approvals.decide", email: review.owner_email, letter: token };
      const shown = pick(form, ["token", "decision", "comment", CODE_FIELD]) as Record<string, string>;
      const caller = await inSession(c, state, { ...act, form: shown });
      if ("page" in caller) return caller.page;
      return decidedPage((await state.letterslot.call(caller, "approvals.decide", fields)) as Decided);
    };
    return answerPage(c, state, decide, (error) => linkFailurePage(state, token, error));
  });

  refuseOtherMethods(app, PATH);
}
