import { LetterslotError } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { formFields, isForm, jsonFields, PUBLIC_BODY_BYTES, readBytes } from "../request/body.ts";
import type { ServerContext, ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { jsonLines, sendJson } from "../request/send-json.ts";
import { editFieldsOf, postedChanges } from "./approval-edit.ts";
import { decidedPage, reviewPage } from "./approval-markup.ts";
import { CODE_FIELD, inSession, readSigned } from "./ask-code.ts";
import { MAIL_FRAME_POLICY } from "./mail-frame.ts";
import { onwardMarkup } from "./onward.ts";
import { answerPage, callPublic, linkFailurePage, pick, wantsHtml } from "./page-request.ts";
import { type Asked, decisionOptions, REFUSED, refusedSignature } from "./passkeys/decide.ts";
import { offerPasskeys, type PasskeyOffer } from "./passkeys/offer.ts";

type Review = Parameters<typeof reviewPage>[0];
type Approval = Review["approval"];

const STATUS_OF_DECISION = new Map([
  ["approve", "approved"],
  ["reject", "rejected"],
]);

const PATH = "/api/v1/owners/approve";
/** The path at which the page's script gets what a passkey is to sign. */
const OPTIONS = `${PATH}/passkey`;
const RECEIPT = `${PATH}/receipt`;

/** The button that approves a mail as it was changed in the form. */
const WITH_CHANGES = "approve_changes";

/** The button that shows what only a signed-in person may see. */
const SHOW = "show";

const CHANGED = "You changed the email, so nothing was decided.";
const PRESS_OTHER = "Press “Approve with changes” to send it as you changed it.";
const READ_AGAIN = "Read it as it is now, and press again.";
const PRESS_AGAIN = "Read this, and press “Approve with changes” again if it is to be sent all the same.";

/** Returns a form's fields besides the mail, to be posted again. */
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

/** The decision of a form about the mail that it shows; of one that was changed once more, also about what was read first. */
function askedIn(review: Review, form: Record<string, string>): Asked[] {
  const { digest, edited_digest } = form;
  const decision = form["decision"] === WITH_CHANGES ? "approve" : (form["decision"] ?? "");
  const changes = decision === "approve" ? postedChanges(review.mail, form) : undefined;
  if (changes === undefined) return [{ decision, digest }];
  const digests = edited_digest === undefined ? [digest] : [edited_digest, digest];
  return digests.map((each) => ({ decision, changes, digest: each }));
}

/** Calls with the first, and with the next where that fails only because the mail was changed once more. */
async function firstOf<T>([first, ...others]: Asked[], call: (asked: Asked) => Promise<T>): Promise<T> {
  if (first === undefined) throw fail("approval_changed");
  return call(first).catch((error: unknown) => {
    const again = error instanceof LetterslotError && error.code === "approval_changed";
    if (others.length === 0 || !again || error.reasons !== undefined) throw error;
    return firstOf(others, call);
  });
}

/** The policy of a page that shows a mail, and the script of passkeys for those who have one. */
function mailPage(c: ServerContext, state: ServerState, { has_passkey }: Review): PasskeyOffer | undefined {
  c.header("Content-Security-Policy", MAIL_FRAME_POLICY);
  return has_passkey ? offerPasskeys(c, state, MAIL_FRAME_POLICY) : undefined;
}

/**
 * Mounts the page of approval letters. GET shows the request and never acts, because mail scanners open
 * links; the page's buttons post, and without a session of the letter's mailbox they first ask for a code that
 * is mailed there. Clients that do not accept HTML get JSON. An Authorization header is rejected: no API key
 * decides for an owner.
 */
export function mountApprovalPages(app: Hono<ServerEnv>, state: ServerState): void {
  const onward = onwardMarkup(state);
  app.get(PATH, async (c) => {
    const token = c.req.query("token") ?? "";
    const review = () =>
      callPublic<Parameters<typeof reviewPage>[0]>(c, state, "approvals.review", { token });
    if (!wantsHtml(c)) return c.json(await review());
    return answerPage(
      c,
      state,
      async () => {
        const shown = await review();
        return reviewPage(shown, token, { offer: mailPage(c, state, shown), onward });
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
      const { approval, decides } = review;
      const seen = review;
      const decided = (found: Approval) =>
        decidedPage({ approval: found, review: seen, decides: true, now: true }, token, onward);
      if (status !== "pending") return decidedPage({ approval, review, decides, now: false }, token, onward);
      if (decision === SHOW) {
        const act = { operation: "approvals.review", email: review.owner_email, letter: token };
        const caller = await inSession(c, state, { ...act, form: said(form) });
        if ("page" in caller) return caller.page;
        const shown = (await state.letterslot.call(caller, "approvals.review", { token })) as Review;
        return reviewPage(shown, token, { offer: mailPage(c, state, shown), onward });
      }
      const asked = askedIn(review, form);
      const fields = { ...pick(form, ["token", "comment"]), decision: verdict };
      if (!STATUS_OF_DECISION.has(verdict))
        return decided(await callPublic<Approval>(c, state, "approvals.decide", fields));
      if (asked[0]?.changes !== undefined && decision !== WITH_CHANGES)
        throw fail("approval_changed", { message: CHANGED, fix: PRESS_OTHER });
      const { passkey } = form;
      if (passkey === REFUSED) await firstOf(asked, (each) => refusedSignature(c, state, seen, each));
      const act = { operation: "approvals.decide", email: review.owner_email, letter: token };
      const caller = await inSession(c, state, { ...act, form: { ...said(form), ...editFieldsOf(form) } });
      if ("page" in caller) return caller.page;
      const remember = {
        remember_recipients: form["remember_recipients"] !== undefined,
        remember_values: form["remember_values"] !== undefined,
      };
      const call = ({ changes, digest }: Asked) =>
        state.letterslot.call(caller, "approvals.decide", {
          ...{ ...fields, ...remember },
          ...(changes === undefined ? {} : { changes }),
          ...(verdict === "approve" ? { digest } : {}),
          ...(passkey === undefined ? {} : { passkey: readSigned(passkey) }),
        }) as Promise<Approval>;
      return decided(await firstOf(asked, call));
    };
    const explain = (error: LetterslotError) => {
      const open = review?.approval.status === "pending" && error.code !== "approval_closed";
      if (review === undefined || !open || Object.keys(editFieldsOf(form)).length === 0)
        return linkFailurePage(state, token, error);
      const reasons = (error.reasons ?? []).map(({ sentence }) => sentence);
      // What was posted with it is the mail as it was, unless the person changed that.
      const outdated = error.code === "approval_changed" && error.param === "digest" && reasons.length === 0;
      const kept = outdated && decision !== WITH_CHANGES ? {} : editFieldsOf(form);
      const values = { ...said(form), ...kept };
      const fix = outdated ? READ_AGAIN : PRESS_AGAIN;
      const problem = outdated || reasons.length > 0 ? { message: error.message, fix } : error;
      const given = { problem, reasons, digest: error.digest, values };
      return reviewPage(review, token, { given, offer: mailPage(c, state, review), onward });
    };
    return answerPage(c, state, decide, explain);
  });

  app.post(OPTIONS, async (c) => {
    const form = formFields(await readBytes(c, PUBLIC_BODY_BYTES));
    const review = await callPublic<Review>(c, state, "approvals.review", pick(form, ["token"]));
    const asked = askedIn(review, form);
    return sendJson(c, await firstOf(asked, (each) => decisionOptions(c, state, review, each)));
  });

  app.post(RECEIPT, async (c) => {
    const form = formFields(await readBytes(c, PUBLIC_BODY_BYTES));
    const { token = "" } = form;
    return answerPage(
      c,
      state,
      async () => {
        const { approval, owner_email, account_id } = await callPublic<Review>(c, state, "approvals.review", {
          token,
        });
        const act = { operation: "approvals.review", email: owner_email, letter: token, form: said(form) };
        const reader = await inSession(c, state, act);
        if ("page" in reader) return reader.page;
        const caller = await state.letterslot.callerFor(reader, "approvals.receipt", { account_id });
        const receipt = await state.letterslot.as(caller).approvals.receipt({ approval_id: approval.id });
        return c.body(jsonLines(receipt), 200, {
          "Content-Type": "application/json",
          "Content-Disposition": `attachment; filename="receipt-${approval.id}.json"`,
        });
      },
      (error) => linkFailurePage(state, token, error),
    );
  });

  for (const path of [PATH, OPTIONS, RECEIPT]) refuseOtherMethods(app, path);
}
