import type { Approval, Person, Session } from "@letterslot/core";
import { type AuthorityRecord, explainLink } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { ownerCallerOf, personOf, writeCookie } from "../request/session.ts";
import { createSession } from "../request/sign-in.ts";
import { CODE_FIELD, inSession, proofIn } from "./ask-code.ts";
import { connectedApps, connectedAppsMarkup, disconnectApp } from "./connected-apps.ts";
import { type Markup, minuteUtc, page } from "./layout.ts";
import { answerForm, answerPage, type Form, linkFailurePage } from "./page-request.ts";
import { offerPasskeys, type PasskeyOffer, passkeySignInForm } from "./passkeys/offer.ts";

const SIGN_IN = "/api/v1/owners/sign-in";
const CHARGE = "/api/v1/owners/charge";

/**
 * Mounts the page on which a person signs in, and the button that takes charge of an account. A GET never
 * signs in: the link's page has a button that posts.
 */
export function mountSignInPages(app: Hono<ServerEnv>, state: ServerState): void {
  const { letterslot } = state;

  app.get(SIGN_IN, (c) => {
    const token = c.req.query("token");
    const show = async () => {
      if (token !== undefined) return linkPage(state, token);
      const person = await personOf(c, state);
      if (person === undefined) return emailPage(offerPasskeys(c, state));
      const caller = await ownerCallerOf(c, state, person, "sessions.get");
      return signedInPage(state, await letterslot.as(caller).sessions.get({}));
    };
    return answerPage(c, state, show, (error) => linkFailurePage(state, token, error, emailForm));
  });

  app.post(SIGN_IN, (c) => {
    const signIn = async (form: Form) => {
      if (form["sign_out"] !== undefined) {
        const person = await personOf(c, state);
        if (person !== undefined)
          await letterslot.call(await ownerCallerOf(c, state, person, "sessions.end"), "sessions.end", {});
        writeCookie(c, state, "session", "");
        return emailPage(offerPasskeys(c, state));
      }
      if (form["disconnect"] !== undefined) {
        const person = await personOf(c, state);
        if (person === undefined) return emailPage(offerPasskeys(c, state));
        const { disconnect: client_id, account_id = "" } = form;
        await disconnectApp(state, person, { account_id, client_id });
        return c.redirect("sign-in", 303);
      }
      if (form["token"] !== undefined)
        return signedInPage(state, await createSession(c, state, { token: form["token"] }));
      const email = (form["email"] ?? "").trim().toLowerCase();
      const code = form[CODE_FIELD];
      // A passkey says by itself whose it is.
      if (email === "" && code?.startsWith("{") === true)
        return signedInPage(state, await createSession(c, state, proofIn(code, email)));
      const caller = await inSession(c, state, {
        operation: "sessions.get",
        email,
        form: { email, ...codeIn(form) },
      });
      if ("page" in caller) return caller.page;
      return signedInPage(state, await letterslot.as(caller).sessions.get({}));
    };
    return answerForm(c, state, signIn, (error, { token }) =>
      linkFailurePage(state, token, error, emailForm),
    );
  });

  app.post(CHARGE, (c) =>
    answerForm(c, state, async (form) => {
      const { account_id = "", inbox_id, email = "" } = form;
      const caller = await inSession(c, state, {
        operation: "authority.create",
        email,
        form: { account_id, ...(inbox_id === undefined ? {} : { inbox_id }), email, ...codeIn(form) },
      });
      if ("page" in caller) return caller.page;
      const input = { account_id, ...(inbox_id === undefined ? {} : { inbox_id }) };
      const given = await letterslot.call(caller, "authority.create", input);
      return chargePage(given as AuthorityRecord | { object: "approval" });
    }),
  );

  refuseOtherMethods(app, SIGN_IN);
  refuseOtherMethods(app, CHARGE);
}

const codeIn = (form: Record<string, string>): Record<string, string> =>
  form[CODE_FIELD] === undefined ? {} : { [CODE_FIELD]: form[CODE_FIELD] };

const emailPage = (offer: PasskeyOffer | undefined): Markup =>
  page(
    "Sign in",
    html`<div class="sheet">
<h1>Sign in</h1>
<p>We email a code to the owner of an agent.</p>
${emailForm}
${passkeySignInForm(offer, {}, "Sign in with a passkey")}
<p><a href="pair">I'm new: let my first agent in</a></p>
</div>`,
  );

const emailForm = html`<form method="post" action="sign-in">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button type="submit">Email me a code</button>
</form>`;

/** The page of a letter's link: its button signs in, unless the link can't any more. */
async function linkPage({ letterslot: { services } }: ServerState, token: string): Promise<Markup> {
  const link = await explainLink(services.storage, token, services.clock.now());
  if (link?.why !== "elsewhere") throw fail("session_invalid", { param: "token" });
  return page(
    "Sign in",
    html`<div class="sheet">
<h1>Sign in</h1>
<form method="post" action="sign-in">
<input type="hidden" name="token" value="${token}">
<button type="submit">Sign in</button>
</form>
<p class="soft">This works in the browser in which you asked for the email.</p>
</div>`,
  );
}

async function signedInPage(state: ServerState, session: Session): Promise<Markup> {
  const { id: session_id, email, accounts, inboxes } = session;
  const person = { email, session_id, ip: null };
  const [apps, waiting] = await Promise.all([
    connectedApps(state, person, session),
    waitingRequests(state, person, session),
  ]);
  const lines = [
    ...accounts
      .filter(({ account_owner }) => account_owner)
      .map(({ id }) => html`<li>You have charge of the account ${id}.</li>`),
    ...inboxes.map((inbox) => html`<li>${inbox.email}</li>`),
  ];
  return page(
    "You are signed in",
    html`<div class="sheet">
<h1>You are signed in</h1>
<p>As <strong>${email}</strong>.</p>
${waitingMarkup(waiting)}
${lines.length === 0 ? "" : html`<ul>${lines}</ul>`}
<p><a href="write">Write to your agent</a></p>
<p><a href="pair">Let an agent in</a></p>
${state.letterslot.services.passkeys === undefined ? "" : html`<p><a href="your-passkeys">Your passkeys</a></p>`}
${connectedAppsMarkup(apps)}
<hr>
<form method="post" action="sign-in">
<button type="submit" name="sign_out" value="yes" class="quiet lone">Sign out</button>
</form>
</div>`,
  );
}

/** The open requests that each account shows here; the rest are in their letters. */
const MAX_WAITING = 20;

interface Waiting {
  shown: readonly Approval[];
  has_more: boolean;
}

/** The requests that wait for a decision, in all accounts in which the person has authority. */
async function waitingRequests(
  { letterslot }: ServerState,
  person: Person,
  { accounts }: Session,
): Promise<Waiting> {
  const lists = accounts.map(async ({ id: account_id }) => {
    const caller = await letterslot.callerFor(person, "approvals.list", { account_id });
    return letterslot.as(caller).approvals.list({ status: "pending", limit: MAX_WAITING });
  });
  const found = await Promise.all(lists);
  return { shown: found.flatMap(({ data }) => data), has_more: found.some(({ has_more }) => has_more) };
}

/** How many wait: a number, or that there are more than are shown. */
const countOf = ({ shown, has_more }: Waiting): string =>
  has_more
    ? `More than ${shown.length} requests wait`
    : shown.length === 1
      ? "One request waits"
      : `${shown.length} requests wait`;

const waitingMarkup = (waiting: Waiting): Markup =>
  waiting.shown.length === 0
    ? html`<p>Nothing waits for you. Open a link from one of your agent's emails to go on.</p>`
    : html`<h2>${countOf(waiting)} for you</h2>
<p class="soft">Open the link in its email to see all of it and to decide.</p>
<ul>${waiting.shown.map(({ summary, expires_at }) => html`<li>${summary} <span class="soft">Until ${minuteUtc(expires_at)}.</span></li>`)}</ul>`;

function chargePage(given: AuthorityRecord | { object: "approval" }): Markup {
  if ("since" in given)
    return page(
      "You have charge",
      html`<div class="sheet"><h1>You have charge of ${given.inbox_id === null ? "this account" : "this inbox"}</h1>
<p>What your agents may not do alone, you decide. You can close this page.</p></div>`,
    );
  return page(
    "You have asked",
    html`<div class="sheet"><h1>You have asked for authority</h1>
<p>Whoever has charge of the account now decides. You can close this page.</p></div>`,
  );
}
