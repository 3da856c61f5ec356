import type { AccountChoice, Choices, LetterslotError, Permission } from "@letterslot/core";
import { accountName } from "@letterslot/core/internal";
import { showHidden } from "@letterslot/core/mail";
import { html } from "hono/html";
import { type Markup, PAGE_HEADERS, page } from "../layout.ts";
import { PERMISSION_WORDS } from "./permission-words.ts";

/** An app's request to a person. */
export interface AppRequest {
  client_name: string;
  redirect_uri: string;
  permissions: readonly Permission[];
}

/** The error, and its remedy. */
export type Problem = Pick<LetterslotError, "message" | "fix">;

/** Begins the name of each permission's checkbox. */
export const PERMISSION_FIELD = "permission.";

const MAX_NAME_CHARS = 80;
/** A host of a parsed URL, in which an IPv4 address always has four numbers. */
const LOOPBACK = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/;
const WEB_PROTOCOLS = new Set(["https:", "http:"]);

/** Shows an app's name for itself, which nobody checked. */
export const appName = (client_name: string): string =>
  `“${showHidden(client_name.slice(0, MAX_NAME_CHARS)).trim() || "an app without a name"}”`;

/**
 * Describes the receiver of the answer. `code_page` is the page of this service that shows a code to type into a
 * program.
 */
export function receiverInWords(redirect_uri: string, code_page: string): string {
  if (redirect_uri === code_page) return "a program into which you type a code that we show you";
  const { protocol, hostname, host } = new URL(redirect_uri);
  if (!WEB_PROTOCOLS.has(protocol)) return `the app on this device that opens ${protocol.slice(0, -1)} links`;
  return LOOPBACK.test(hostname) ? "a program on this computer" : host;
}

/**
 * The policy of a page whose form leads, over redirects, to an app: browsers hold those to `form-action` too.
 * Sources can't name an IPv6 address, nor a path of an app's own scheme.
 */
export function policyTowards(redirect_uri: string): string {
  const { protocol, origin, hostname } = new URL(redirect_uri);
  const named = WEB_PROTOCOLS.has(protocol) && !hostname.startsWith("[");
  const target = named ? origin : protocol;
  return (PAGE_HEADERS["Content-Security-Policy"] ?? "").replace(
    "form-action 'self'",
    `form-action 'self' ${target}`,
  );
}

const problemMarkup = (problem: Problem | undefined): Markup =>
  problem === undefined ? html`` : html`<p class="bad" role="alert">${problem.message} ${problem.fix}</p>`;

const denyForm = html`<form method="post">
<button type="submit" name="act" value="deny" class="quiet lone">Don't allow</button>
</form>`;

/** Introduces the app, and the meaning of the consent. */
const introduction = (app: AppRequest, code_page: string): Markup =>
  html`<p>An app that calls itself <strong>${appName(app.client_name)}</strong> asks for access. Your answer goes to <strong>${receiverInWords(app.redirect_uri, code_page)}</strong>.</p>
<p class="soft">Anybody can choose a name. Go on only if you started this yourself, in an app that you trust.</p>`;

/** Asks a person who is not signed in for their address. */
export const connectSignInPage = (app: AppRequest, code_page: string, problem?: Problem): Markup =>
  page(
    "Connect an app",
    html`<div class="sheet">
<h1>Connect an app</h1>
${introduction(app, code_page)}
${problemMarkup(problem)}
<form method="post">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<p class="soft">We email you a code. If you are new here, you can open an account next.</p>
<button type="submit" name="act" value="sign_in">Email me a code</button>
</form>
${denyForm}
</div>`,
  );

/** A signed-in person, and the session that their forms are bound to. */
export interface SignedInPerson {
  email: string;
  session_id: string;
}

const signedInAs = ({ email }: SignedInPerson): Markup =>
  html`<form method="post" class="line">
<p>You are signed in as <strong>${email}</strong>.</p>
<button type="submit" name="act" value="switch" class="link">Not you?</button>
</form>`;

const sessionField = ({ session_id }: SignedInPerson): Markup =>
  html`<input type="hidden" name="session" value="${session_id}">`;

/** The content of the pages for a signed-in person. */
export interface ConnectView {
  app: AppRequest;
  code_page: string;
  person: SignedInPerson;
  problem?: Problem | undefined;
}

/** Asks for the inbox that an app may use, and for its permissions. */
export function consentPage({ app, code_page, person, problem }: ConnectView, choices: Choices): Markup {
  return page(
    "Connect an app",
    html`<div class="sheet">
<h1>Connect ${appName(app.client_name)}?</h1>
${introduction(app, code_page)}
${signedInAs(person)}
${problemMarkup(problem)}
<form method="post">
${sessionField(person)}
<label for="place">It may use</label>
<select id="place" name="place" required>${choices.accounts.map(placesOf)}</select>
<fieldset><legend>It may</legend>
${givable(app.permissions, choices.accounts).map(
  (permission) =>
    html`<label class="pick"><input type="checkbox" name="${PERMISSION_FIELD}${permission}" value="yes" checked> ${PERMISSION_WORDS[permission]}</label>`,
)}
</fieldset>
<p class="soft">Untick what it should not do. Once you allow it, it begins at once. It keeps this access until you disconnect it, <a href="../../api/v1/owners/sign-in">where you are signed in</a>.</p>
<button type="submit" name="act" value="allow">Allow</button>
<button type="submit" name="act" value="deny" class="quiet">Don't allow</button>
</form>
</div>`,
  );
}

/** Returns the requested permissions that a person may grant in at least one of these places. */
export const givable = (asked: readonly Permission[], accounts: readonly AccountChoice[]): Permission[] =>
  asked.filter((name) =>
    accounts.some(({ permissions }) => permissions === null || permissions.includes(name)),
  );

/** The inboxes of an account, and for its account owner all of it. */
function placesOf({ account_id, account_owner, inboxes }: AccountChoice): Markup {
  const whole = accountName(inboxes.map(({ email }) => email));
  return html`${inboxes.map(
    ({ id, email, display_name }) =>
      html`<option value="${id}">${display_name === null ? email : `${email} (${showHidden(display_name)})`}</option>`,
  )}${account_owner ? html`<option value="${account_id}">The whole account: ${whole}, and what is created later</option>` : ""}`;
}

/** Offers a person who owns nothing yet to open an account. */
export const openAccountPage = (
  { app, code_page, person, problem }: ConnectView,
  mail_domain: string,
): Markup =>
  page(
    "Open an account",
    html`<div class="sheet">
<h1>Open an account</h1>
<p>You have no inbox here yet. Choose an address for your agent, and you have charge of it.</p>
${introduction(app, code_page)}
${signedInAs(person)}
${problemMarkup(problem)}
<form method="post">
${sessionField(person)}
<label for="username">Address</label>
<input id="username" name="username" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" aria-describedby="domain" required>
<p class="soft" id="domain">@${mail_domain}</p>
<button type="submit" name="act" value="open">Open the account</button>
</form>
${denyForm}
</div>`,
  );

/** Lets the first person who was verified in an account take charge of it, before an app gets access. */
export const takeChargePage = (
  { app, code_page, person, problem }: ConnectView,
  { to_take_charge_of }: Choices,
): Markup =>
  page(
    "Take charge first",
    html`<div class="sheet">
<h1>Take charge of your account first</h1>
<p>Nobody has charge of this account yet, and you were the first to confirm. Who has charge decides which apps get access.</p>
${introduction(app, code_page)}
${signedInAs(person)}
${problemMarkup(problem)}
${to_take_charge_of.map(
  ({ account_id, inbox_email }) => html`<form method="post">
${sessionField(person)}
<input type="hidden" name="account_id" value="${account_id}">
<button type="submit" name="act" value="take_charge">Take charge of ${inbox_email ?? "your account"}</button>
</form>`,
)}
${denyForm}
</div>`,
  );

/** For a person who owns nothing, where no accounts can be opened. */
export const nothingToConnectPage = ({ app, code_page, person }: ConnectView): Markup =>
  page(
    "Nothing to connect",
    html`<div class="sheet">
<h1>You have no inbox here</h1>
<p>This service does not accept new sign-ups. Ask its operator for an account, or sign in with the address that has one.</p>
${introduction(app, code_page)}
${signedInAs(person)}
${denyForm}
</div>`,
  );

/** Shows the code that a program without a browser asks its user for. */
export const codeToTypePage = (code: string): Markup =>
  page(
    "Your code",
    html`<div class="sheet">
<h1>Your code</h1>
<p>Copy it into the program that you started. It works once, within a minute; then the program has the access that you allowed.</p>
<pre tabindex="0">${code}</pre>
<p class="soft">Give it to nobody else: whoever has it gets the access that you just allowed. If you did not start this yourself, close this page.</p>
</div>`,
  );

/** Explains that a program gets no code, because the person or the service refused. */
export const noCodePage = (denied: boolean): Markup =>
  page(
    "No access given",
    html`<div class="sheet"><h1>${denied ? "You did not allow it" : "This link is incomplete"}</h1>
<p>${denied ? "The program is told, and gets no access. You can start again there." : "Start again in the program that sent you here."}</p></div>`,
  );
