import {
  LetterslotError as Failure,
  type LetterslotError,
  type OwnerCaller,
  type StartRequest,
} from "@letterslot/core";
import { addressKey, CODE_CAME_BACK } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import { html } from "hono/html";
import type { ServerContext, ServerState } from "../request/context.ts";
import { ownerCallerOf, personOf, readCookie } from "../request/session.ts";
import { createSession, startChallenge } from "../request/sign-in.ts";
import { type Markup, page } from "./layout.ts";
import { offerPasskeys, type PasskeyOffer, passkeySignInForm } from "./passkeys/offer.ts";

/** The form field with the code of a sign-in letter, or what a passkey signed in its place. */
export const CODE_FIELD = "sign_in_code";

/** The value of the code's field when its button reports that no email came. */
const NO_CODE = "none";

/** The error, and its remedy. */
type Problem = Pick<LetterslotError, "message" | "fix">;

/** The action of a button that needs the session of one mailbox. */
export interface Act {
  /** The operation that it calls. */
  operation: string;
  /** The mailbox. */
  email: string;
  /** The secret of the letter to that mailbox whose page asks. */
  letter?: string | undefined;
  /** The mailbox may be one that nobody verified yet. */
  newcomers?: boolean;
  /** The purpose of the sign-in, as the letter describes it. */
  opens?: StartRequest["opens"];
  /** Only a sign-in by the code that is entered now counts, not a session that is there already. */
  fresh?: boolean;
  /** The posted fields, which are posted again together with the code. */
  form: Record<string, string>;
}

/**
 * Returns the caller for a page's button that needs the session of a mailbox. When the browser has none, mails a code
 * there and returns the page to answer with, whose form repeats the posted fields. Fails with `cross_site_request` or
 * `rate_limited`.
 */
export async function inSession(
  c: ServerContext,
  state: ServerState,
  act: Act,
): Promise<OwnerCaller | { page: Markup }> {
  const { operation, letter, newcomers, opens, fresh = false, form } = act;
  const email = addressKey(act.email);
  const person = await personOf(c, state);
  if (person?.email === email && !fresh) return ownerCallerOf(c, state, person, operation);
  const code = form[CODE_FIELD];
  const formWith = (problem?: Problem) =>
    codeForm(act, { captured: state.capturesMail, problem, offer: offerPasskeys(c, state) });
  if (code === undefined) {
    await startChallenge(c, state, { email, letter, newcomers, opens });
    return { page: formWith() };
  }
  if (code === NO_CODE) return { page: formWith(await whyNoCode(c, state)) };
  try {
    // Of another person's passkey nothing may come: no session in this browser, and no end of its challenge.
    const { id } = await createSession(c, state, { ...proofIn(code, email), email });
    const signedIn = { email, session_id: id, ip: state.clientAddress(c) };
    return await ownerCallerOf(c, state, signedIn, operation);
  } catch (error) {
    if (error instanceof Failure && PROOF_ERRORS.has(error.code)) return { page: formWith(error) };
    throw error;
  }
}

const PROOF_ERRORS = new Set(["session_invalid", "passkey_invalid"]);

/** The proof in the code's field: a code, or what a passkey signed. Fails with `passkey_invalid`. */
export const proofIn = (code: string, email: string): Record<string, unknown> =>
  code.startsWith("{") ? { passkey: readSigned(code) } : { email, code };

/** Reads a passkey's signature as the script posts it. Fails with `passkey_invalid`. */
export function readSigned(field: string): unknown {
  try {
    return JSON.parse(field);
  } catch {
    throw fail("passkey_invalid", { param: "passkey" });
  }
}

/** Returns the reason why a waiting person has no code, as far as the browser that asked for it may know. */
async function whyNoCode(c: ServerContext, state: ServerState): Promise<Problem> {
  const challenge = readCookie(c, state, "challenge");
  const void_code = challenge !== undefined && (await state.letterslot.isCodeVoid(challenge));
  return void_code ? CODE_CAME_BACK : NOT_YET;
}

const NOT_YET = {
  message: "It can take a minute to arrive.",
  fix: "Look in the spam folder too, and check that the address is right.",
};

/** Where the code is on a server that captures its mail. */
const IN_OUTBOX = html`<p>This server keeps its mail instead of sending it, so <a href="/outbox" target="_blank" rel="noopener">the email is in its outbox</a>.</p>`;

/** The form for the code that was just mailed; it posts to the same address, with the same fields. */
function codeForm(
  { email, form }: Act,
  {
    captured,
    problem,
    offer,
  }: { captured: boolean; problem: Problem | undefined; offer: PasskeyOffer | undefined },
): Markup {
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
${captured ? IN_OUTBOX : ""}
<form method="post">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${codeInput}
<button type="submit">Continue</button>
<button type="submit" class="quiet" name="${CODE_FIELD}" value="${NO_CODE}" formnovalidate>No email came</button>
</form>
${passkeySignInForm(offer, Object.fromEntries(fields), "Use a passkey instead")}
<p class="soft">Never pass this code on; your agent doesn't need it.</p>
</div>`,
  );
}

/** The field for a code. */
export const codeInput = html`<label for="${CODE_FIELD}">Code</label>
<input id="${CODE_FIELD}" name="${CODE_FIELD}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,9}" title="Six digits" required autofocus>`;
