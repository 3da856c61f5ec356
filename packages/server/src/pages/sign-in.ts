import type { Session } from "@letterslot/core";
import { type AuthorityRecord, accountName, explainLink } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ServerEnv, ServerState } from "../request/context.ts";
import { refuseOtherMethods } from "../request/errors.ts";
import { ownerCallerOf, personOf, writeCookie } from "../request/session.ts";
import { createSession } from "../request/sign-in.ts";
import { CODE_FIELD, inSession, proofIn } from "./ask-code.ts";
import { type Markup, page } from "./layout.ts";
import { onwardMarkup } from "./onward.ts";
import { answerForm, answerPage, type Form, linkFailurePage } from "./page-request.ts";
import { offerPasskeys, type PasskeyOffer, passkeySignInForm } from "./passkeys/offer.ts";
import { connectedApps, connectedAppsMarkup, disconnectApp } from "./signed-in/connected-apps.ts";
import { waitingFor, waitingMarkup } from "./signed-in/waiting.ts";

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
      return chargePage(given as AuthorityRecord | { object: "approval" }, onwardMarkup(state));
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
    waitingFor(state, person, session),
  ]);
  const owned = new Set(accounts.filter(({ account_owner }) => account_owner).map(({ id }) => id));
  const charges = [
    ...[...owned].map((id) =>
      accountName(inboxes.filter(({ account_id }) => account_id === id).map((inbox) => inbox.email)),
    ),
    ...inboxes.filter(({ account_id }) => !owned.has(account_id)).map((inbox) => inbox.email),
  ];
  return page(
    "You are signed in",
    html`<div class="sheet">
<h1>You are signed in</h1>
<p>As <strong>${email}</strong>.</p>
${waitingMarkup(state, waiting)}
${charges.length === 0 ? "" : html`<h2>You have charge of</h2><ul>${charges.map((name) => html`<li>${name}</li>`)}</ul>`}
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

function chargePage(given: AuthorityRecord | { object: "approval" }, onward: Markup): Markup {
  if ("since" in given)
    return page(
      "You have charge",
      html`<div class="sheet"><h1>You have charge of ${given.inbox_id === null ? "this account" : "this inbox"}</h1>
<p>What your agents may not do alone, you decide: from now on they ask you by email.</p>
${onward}</div>`,
    );
  return page(
    "You have asked",
    html`<div class="sheet"><h1>You have asked for authority</h1>
<p>Whoever has charge of the account decides, and was asked by email just now. Once they agree, you can decide too.</p>
${onward}</div>`,
  );
}
