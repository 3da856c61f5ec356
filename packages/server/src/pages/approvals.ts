import { LetterslotError } from "@letterslot/core";
import { sentencesOf } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { formFields, isForm, jsonFields, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { editFieldsOf, postedChanges } from "./approval-edit.ts";
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

/** The button that approves a mail as it was changed in the form. */
const WITH_CHANGES = "approve_changes";

/** The button that shows what only a signed-in person may see. */
const SHOW = "show";

const CHANGED = "You changed the email, so nothing was decided.";
const PRESS_OTHER = "Press “Approve with changes” to send it as you changed it.";
const PRESS_AGAIN = "Read this, and press “Approve with changes” again if it is to be sent all the same.";

/** What a form says besides the mail, to be posted again. */
const said = (form: Record<string, string>): Record<string, string> =>
  pick(form, [
    ...[
      "token",
      "decision",
      "comment",
      "digest",
      "edited_digest",
      "remember_recipients",
      "remember_values",
      CODE_FIELD,
    ],
  ]) as Record<string, string>;

/** Tries again what failed only because it was changed. */
function again<T>(error: unknown, call: () => Promise<T>): Promise<T> {
  if (error instanceof LetterslotError && error.code === "approval_changed" && error.reasons === undefined)
    return call();
  throw error;
}

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
    let review: Review | undefined;
    const decide = async () => {
      review = await callPublic<Review>(c, state, "approvals.review", { token });
      const { status } = review.approval;
      const verdict = decision === WITH_CHANGES ? "approve" : decision;
      if (status !== "pending" && decision !== SHOW && status !== STATUS_OF_DECISION.get(verdict))
        throw fail("approval_closed");
      if (status !== "pending") return decidedPage(review.approval);
      if (decision === SHOW) {
        const act = { operation: "approvals.review", email: review.owner_email, letter: token };
        const caller = await inSession(c, state, { ...act, form: said(form) });
        if ("page" in caller) return caller.page;
        return reviewPage(
          (await state.letterslot.call(caller, "approvals.review", { token })) as Review,
          token,
        );
      }
      const changes = verdict === "approve" ? postedChanges(review.mail, form) : undefined;
      const fields = { ...pick(form, ["token", "comment"]), decision: verdict };
      if (!STATUS_OF_DECISION.has(verdict))
        return decidedPage(await callPublic<Decided>(c, state, "approvals.decide", fields));
      if (changes !== undefined && decision !== WITH_CHANGES)
        throw fail("approval_changed", { message: CHANGED, fix: PRESS_OTHER });
      const act = { operation: "approvals.decide", email: review.owner_email, letter: token };
      const caller = await inSession(c, state, { ...act, form: { ...said(form), ...editFieldsOf(form) } });
      if ("page" in caller) return caller.page;
      const remember = {
        remember_recipients: form["remember_recipients"] !== undefined,
        remember_values: form["remember_values"] !== undefined,
      };
      const call = (digest: string | undefined) =>
        state.letterslot.call(caller, "approvals.decide", {
          ...{ ...fields, ...remember },
          ...(changes === undefined ? {} : { changes, digest }),
        }) as Promise<Decided>;
      const { digest, edited_digest } = form;
      if (changes === undefined || edited_digest === undefined) return decidedPage(await call(digest));
      // Changed once more, it is judged as what was read first.
      return decidedPage(
        await call(edited_digest).catch((error: unknown) => again(error, () => call(digest))),
      );
    };
    const explain = (error: LetterslotError) => {
      const open = review?.approval.status === "pending" && error.code !== "approval_closed";
      if (review === undefined || !open || Object.keys(editFieldsOf(form)).length === 0)
        return linkFailurePage(state, token, error);
      c.header("Content-Security-Policy", MAIL_FRAME_POLICY);
      const reasons = sentencesOf(error.reasons ?? []);
      const values = { ...said(form), ...editFieldsOf(form) };
      const problem = reasons.length === 0 ? error : { message: error.message, fix: PRESS_AGAIN };
      return reviewPage(review, token, { problem, reasons, digest: error.digest, values });
    };
    return answerPage(c, state, decide, explain);
  });

  refuseOtherMethods(app, PATH);
}
