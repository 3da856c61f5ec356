import { LetterslotError, type RecoveredKey, type RecoveryReview } from "@letterslot/core";
import type { Hono } from "hono";
import { formFields, isForm, jsonFields, PUBLIC_BODY_BYTES, readBytes } from "../../request/body.ts";
import type { ServerContext, ServerEnv, ServerState } from "../../request/context.ts";
import { refuseOtherMethods } from "../../request/errors.ts";
import { userAgentOf } from "../../request/request-header.ts";
import { CODE_FIELD, inSession } from "../ask-code.ts";
import type { Markup } from "../layout.ts";
import { onwardMarkup } from "../onward.ts";
import { answerPage, callPublic, linkFailurePage, pick, wantsHtml } from "../page-request.ts";
import { askAgain, askedPage, askPage, recoveredPage, recoverPage } from "./recovery-markup.ts";

const ASK = "/api/v1/recover";
const CONFIRM = "/api/v1/recover/confirm";

/**
 * Mounts the pages by which a person recovers a key. A GET changes nothing, because mail scanners open links;
 * the page's button posts, and without a sign-in of the last 10 minutes it first asks for a code that is mailed
 * to the letter's mailbox. Clients that do not accept HTML get JSON.
 */
export function mountRecoveryPages(app: Hono<ServerEnv>, state: ServerState): void {
  app.get(ASK, (c) => answerPage(c, state, async () => askPage()));

  app.post(ASK, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    if (!isForm(c) || !wantsHtml(c))
      return c.json(
        await callPublic(c, state, "recovery.start", { ...userAgentOf(c), ...fieldsOf(c, bytes, ["email"]) }),
      );
    return answerPage(c, state, async () => {
      const email = (formFields(bytes)["email"] ?? "").trim();
      await callPublic(c, state, "recovery.start", { email, ...userAgentOf(c) });
      return askedPage(email);
    });
  });

  app.get(CONFIRM, async (c) => {
    const token = c.req.query("token") ?? "";
    const review = () => callPublic<RecoveryReview>(c, state, "recovery.review", { token });
    if (!wantsHtml(c)) return c.json(await review());
    return answerPage(
      c,
      state,
      async () => recoverPage(await review(), token),
      (error) => linkFailurePage(state, token, error, askAgain),
    );
  });

  app.post(CONFIRM, async (c) => {
    const bytes = await readBytes(c, PUBLIC_BODY_BYTES);
    if (!isForm(c) || !wantsHtml(c))
      return c.json(await callPublic(c, state, "recovery.confirm", fieldsOf(c, bytes, CONFIRM_FIELDS)));
    const form = formFields(bytes);
    return answerPage(
      c,
      state,
      () => confirmPage(c, state, form),
      (error) => linkFailurePage(state, form["token"], error, askAgain),
    );
  });

  refuseOtherMethods(app, ASK);
  refuseOtherMethods(app, CONFIRM);
}

const CONFIRM_FIELDS = ["token", "authority_id", "revoke_others"];

/** Reads the posted fields: a form's fields by these names, or all of a JSON object. */
const fieldsOf = (c: ServerContext, bytes: Uint8Array, names: string[]): Record<string, unknown> =>
  isForm(c) ? inputOf(pick(formFields(bytes), names)) : jsonFields(c, bytes);

/** A form's fields as the operation takes them. */
const inputOf = ({ revoke_others, ...fields }: Record<string, unknown>): Record<string, unknown> =>
  revoke_others === undefined ? fields : { ...fields, revoke_others: revoke_others === "true" };

/** The page after the button: the new key, or the form for a code that was mailed to the link's reader. */
async function confirmPage(
  c: ServerContext,
  state: ServerState,
  form: Record<string, string>,
): Promise<Markup> {
  const { token = "" } = form;
  const { email } = await callPublic<RecoveryReview>(c, state, "recovery.review", { token });
  const shown = pick(form, [...CONFIRM_FIELDS, CODE_FIELD]) as Record<string, string>;
  const act = { operation: "recovery.confirm", opens: "key" as const, email, letter: token, form: shown };
  const fields = inputOf(pick(form, CONFIRM_FIELDS));
  const attempt = async (fresh: boolean): Promise<Markup> => {
    const caller = await inSession(c, state, { ...act, fresh });
    if ("page" in caller) return caller.page;
    const made = (await state.letterslot.call(caller, "recovery.confirm", fields)) as RecoveredKey;
    return recoveredPage(made, onwardMarkup(state));
  };
  try {
    return await attempt(form[CODE_FIELD] !== undefined);
  } catch (error) {
    if (error instanceof LetterslotError && error.code === "recent_sign_in_required") return attempt(true);
    throw error;
  }
}
