import {
  addressKey,
  LetterslotError as Failure,
  type LetterslotError,
  type OwnerCaller,
} from "@letterslot/core";
import { html } from "hono/html";
import type { ServerContext, ServerState } from "../request/context.ts";
import { ownerCallerOf, personOf, readCookie, writeCookie } from "../request/session.ts";
import { createSession } from "../request/sign-in.ts";
import { type Markup, page } from "./layout.ts";

/** The form field with the code of a sign-in letter. */
export const CODE_FIELD = "sign_in_code";

/** What a button does that needs the session of one mailbox. */
export interface Act {
  /** The operation that it calls. */
  operation: string;
  /** The mailbox. */
  email: string;
  /** The secret of the letter to that mailbox whose page asks. */
  letter?: string | undefined;
  /** The mailbox may be one that nobody verified yet. */
  newcomers?: boolean;
  /** Only a sign-in by the code that is entered now counts, not a session that is there already. */
  fresh?: boolean;
  /** What was posted; it is posted again together with the code. */
  form: Record<string, string>;
}

/**
 * The caller for a page's button that needs the session of a mailbox; or the page to answer with, when the
 * browser has none: a code is mailed there, and its form repeats what was posted. Fails with
 * `cross_site_request` or `rate_limited`.
 */
export async function inSession(
  c: ServerContext,
  state: ServerState,
  act: Act,
): Promise<OwnerCaller | { page: Markup }> {
  const { operation, letter, newcomers, fresh = false, form } = act;
  const email = addressKey(act.email);
  const person = await personOf(c, state);
  if (person?.email === email && !fresh) return ownerCallerOf(c, state, person, operation);
  const code = form[CODE_FIELD];
  if (code === undefined) {
    const remember_token = readCookie(c, state, "browser");
    const ip = state.clientAddress(c);
    const { challenge } = await state.letterslot.startSession({
      email,
      ip,
      remember_token,
      letter,
      newcomers,
    });
    writeCookie(c, state, "challenge", challenge);
    return { page: codeForm(act) };
  }
  try {
    const { id } = await createSession(c, state, { email, code });
    const signedIn = { email, session_id: id, ip: state.clientAddress(c) };
    return await ownerCallerOf(c, state, signedIn, operation);
  } catch (error) {
    if (error instanceof Failure && error.code === "session_invalid") return { page: codeForm(act, error) };
    throw error;
  }
}

/** The form for the code that was just mailed; it posts to the same address, with the same fields. */
function codeForm({ email, form }: Act, problem?: LetterslotError): Markup {
  const fields = Object.entries(form).filter(([name]) => name !== CODE_FIELD);
  return page(
    "Check your email",
    html`<div class="sheet">
<h1>Check your email</h1>
${
  problem === undefined
    ? html`<p>To be sure that it is you, we have emailed a 6-digit code to <strong>${email}</strong>.</p>`
    : html`<p class="bad" role="alert">${problem.message} ${problem.fix}</p>`
}
<form method="post">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${codeInput}
<button type="submit">Continue</button>
</form>
<p class="soft">Never pass this code on; your agent doesn't need it.</p>
</div>`,
  );
}

/** The field for a code. */
export const codeInput = html`<label for="${CODE_FIELD}">Code</label>
<input id="${CODE_FIELD}" name="${CODE_FIELD}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,9}" title="Six digits" required autofocus>`;
