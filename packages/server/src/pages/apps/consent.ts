import { type AccountChoice, type Choices, LetterslotError, type Person } from "@letterslot/core";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { formFields, PUBLIC_BODY_BYTES, readBytes } from "../../request/body.ts";
import type { OAuthState, ServerContext, ServerEnv } from "../../request/context.ts";
import { refuseOtherMethods, setErrorHeaders, wireOf } from "../../request/errors.ts";
import { checkOwnPage } from "../../request/same-origin.ts";
import { ownerCallerOf, personOf, writeCookie } from "../../request/session.ts";
import { CODE_FIELD, inSession } from "../ask-code.ts";
import { type Markup, PAGE_HEADERS } from "../layout.ts";
import { answerPage, pick } from "../page-request.ts";
import {
  type ConnectView,
  codeToTypePage,
  connectSignInPage,
  consentPage,
  givable,
  noCodePage,
  nothingToConnectPage,
  openAccountPage,
  PERMISSION_FIELD,
  type Problem,
  policyTowards,
  takeChargePage,
} from "./consent-markup.ts";

const CONSENT = "/oauth/consent/:id";
const CODE = "/oauth/code";
/** Codes are shorter; nothing else is shown. */
const CODE_FORM = /^[\w~-]{1,200}$/;

type Form = Record<string, string>;
type Answer = Promise<Markup | Response>;

/**
 * Mounts the pages on which a person admits an app: they sign in, open an account if they own nothing yet, and choose
 * what the app may use; and the page that shows a code for a program without a browser. They need no script. The app
 * and its request come only from the authorization request that this browser began; an answer counts only from this
 * site's own form, in the session for which the form was made.
 */
export function mountConsentPages(app: Hono<ServerEnv>, state: OAuthState): void {
  app.get(CONSENT, (c) => answerPage(c, state, () => showConsent(c, state)));

  app.post(CONSENT, async (c) => {
    const form = formFields(await readBytes(c, PUBLIC_BODY_BYTES));
    return answerPage(c, state, () => {
      checkOwnPage(c, state);
      return act(c, state, form);
    });
  });

  app.get(CODE, (c) =>
    answerPage(c, state, async () => {
      const { code = "", error } = c.req.query();
      return CODE_FORM.test(code) ? codeToTypePage(code) : noCodePage(error === "access_denied");
    }),
  );

  refuseOtherMethods(app, CONSENT);
  refuseOtherMethods(app, CODE);
}

/** Runs the action of a page's button; every answer but the last leads back to the page that is due now. */
async function act(c: ServerContext, state: OAuthState, form: Form): Answer {
  const { act: button } = form;
  if (button === "deny") return leave(await state.oauth.deny(browserOf(c)));
  const { app, code_page } = await whatIsAsked(c, state);
  if (button === "sign_in" || form[CODE_FIELD] !== undefined)
    return retrying(
      c,
      () => signIn(c, state, form),
      (problem) => connectSignInPage(app, code_page, problem),
    );
  const person = await personOf(c, state);
  if (person === undefined) return connectSignInPage(app, code_page);
  if (button === "switch") {
    await state.letterslot.call(await ownerCallerOf(c, state, person, "sessions.end"), "sessions.end", {});
    writeCookie(c, state, "session", "");
    return again(c);
  }
  if (form["session"] !== person.session_id) return showConsent(c, state, ANOTHER_SESSION);
  return retrying(
    c,
    () => decide(c, state, person, form),
    (problem) => showConsent(c, state, problem),
  );
}

/** Opens an account, takes charge of one, or lets the app in. */
async function decide(c: ServerContext, state: OAuthState, person: Person, form: Form): Answer {
  const { letterslot } = state;
  if (form["act"] === "open") {
    await letterslot.openAccountFor(person, { username: (form["username"] ?? "").trim() });
    return again(c);
  }
  if (form["act"] === "take_charge") {
    const caller = await ownerCallerOf(c, state, person, "authority.create");
    await letterslot.call(caller, "authority.create", pick(form, ["account_id"]));
    return again(c);
  }
  const { permissions: asked } = await state.oauth.describe(browserOf(c));
  const { choice, inbox_id } = placeOf(await letterslot.choicesOf(person), form["place"]);
  const permissions = givable(asked, [choice]).filter((name) => form[PERMISSION_FIELD + name] !== undefined);
  if (permissions.length === 0) return showConsent(c, state, NOTHING_TICKED);
  const { account_id } = choice;
  return leave(await state.oauth.allow(browserOf(c), person, { account_id, inbox_id, permissions }));
}

/** Resolves the choice in the form's list of inboxes and accounts. Fails with `inbox_not_found` for another's. */
function placeOf(
  { accounts }: Choices,
  named: string | undefined,
): { choice: AccountChoice; inbox_id: string | null } {
  for (const choice of accounts) {
    if (choice.account_owner && choice.account_id === named) return { choice, inbox_id: null };
    const inbox = choice.inboxes.find(({ id }) => id === named);
    if (inbox !== undefined) return { choice, inbox_id: inbox.id };
  }
  throw fail("inbox_not_found", { param: "place" });
}

/** Mails a code, also to an address that nobody verified yet, or signs in with it. */
async function signIn(c: ServerContext, state: OAuthState, form: Form): Answer {
  const fields = pick(form, ["email", "act", CODE_FIELD]) as Form;
  const caller = await inSession(c, state, {
    operation: "sessions.get",
    email: (form["email"] ?? "").trim(),
    newcomers: true,
    opens: "app",
    form: fields,
  });
  return "page" in caller ? caller.page : again(c);
}

/** The page that is due now: sign in, open an account, take charge of one, or consent. */
async function showConsent(c: ServerContext, state: OAuthState, problem?: Problem): Promise<Markup> {
  const asked = await whatIsAsked(c, state);
  const person = await personOf(c, state);
  if (person === undefined || person.session_id === null)
    return connectSignInPage(asked.app, asked.code_page, problem);
  const { email, session_id } = person;
  const view: ConnectView = { ...asked, person: { email, session_id }, problem };
  const choices = await state.letterslot.choicesOf(person);
  if (choices.accounts.length > 0) return consentPage(view, choices);
  if (choices.to_take_charge_of.length > 0) return takeChargePage(view, choices);
  const { onboarding, mailDomain: mail_domain } = state.letterslot.services.options;
  return onboarding === "closed" ? nothingToConnectPage(view) : openAccountPage(view, mail_domain);
}

/** The authorization request of this browser. Its pages may lead, over redirects, to the app that asked. */
async function whatIsAsked(c: ServerContext, state: OAuthState): Promise<Omit<ConnectView, "person">> {
  const app = await state.oauth.describe(browserOf(c));
  c.header("Content-Security-Policy", policyTowards(app.redirect_uri));
  return { app, code_page: state.letterslot.services.options.baseUrl + CODE };
}

/** Answers with `tryAgain`'s page where a person can mend what failed. */
async function retrying(
  c: ServerContext,
  run: () => Answer,
  tryAgain: (problem: Problem) => Answer | Markup,
): Answer {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof LetterslotError) || error.code === "authorization_expired") throw error;
    setErrorHeaders(c, error);
    c.status(wireOf(error.code).status);
    return tryAgain(error);
  }
}

const NOTHING_TICKED: Problem = {
  message: "Nothing is ticked.",
  fix: "Tick what the app may do, or choose “Don't allow”.",
};

/** A form that was made for one person never answers for another. */
const ANOTHER_SESSION: Problem = {
  message: "You signed in again since this page was opened.",
  fix: "Read it once more, and decide.",
};

/** Back to this page, so that reloading it posts nothing again. */
const again = (c: ServerContext): Response => c.redirect(encodeURIComponent(c.req.param("id") ?? ""), 303);

/** The answer that leads back to the app, with the headers of a page. */
function leave(to: Response): Response {
  const headers = new Headers(to.headers);
  for (const [name, value] of Object.entries(PAGE_HEADERS)) headers.set(name, value);
  return new Response(to.body, { status: to.status, headers });
}

/**
 * Returns the request without its body, which was read already: its headers identify the browser and its authorization
 * request.
 */
const browserOf = (c: ServerContext): Request => new Request(c.req.url, { headers: c.req.raw.headers });
