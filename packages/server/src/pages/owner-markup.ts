import type { LetterslotError, OwnerConfirmation, OwnerPreferences } from "@letterslot/core";
import { shownTimeWithYear } from "@letterslot/core/internal";
import { html } from "hono/html";
import { agentName, type Markup, page, whoMarkup } from "./layout.ts";

/** The page of a confirmation link: what confirming means, and the button that confirms. */
export function confirmPage(shown: OwnerConfirmation, token: string, onward: Markup): Markup {
  const { email, status } = shown;
  if (status === "verified") return confirmedPage(shown, onward);
  return page(
    "Confirm that this is your agent",
    html`<div class="sheet">
${whoMarkup(shown)}
<h1>Is this your agent?</h1>
<p>The software agent ${agentName(shown)} named <strong>${email}</strong> as its owner.</p>
<p>If you confirm, it will send you reports and questions, and you can give it work by email from your address.</p>
${inCharge(shown)}
<form method="post" action="confirm">
<input type="hidden" name="token" value="${token}">
<button type="submit">Yes, I am its owner</button>
</form>
<p class="soft">If you did not expect this, close this page: nothing happens unless you confirm.</p>
</div>`,
  );
}

function inCharge({ in_charge }: OwnerConfirmation): Markup {
  if (in_charge.length === 0) return html`<p>Nobody has charge of its account yet.</p>`;
  return html`<p>Charge of its account:</p>
<ul>${in_charge.map(({ email, since }) => html`<li>${email}, since ${shownTimeWithYear(since)}</li>`)}</ul>`;
}

/** The form for the email address and the 6-digit code from the letter. */
export function codePage(problem?: Markup): Markup {
  return page(
    "Confirm with a code",
    html`<div class="sheet">
<h1>Confirm with your code</h1>
${problem ?? html`<p>Enter the 6-digit code from the email that your agent sent you.</p>`}
${codeForm}
</div>`,
  );
}

/** The form for the email address and the code. */
export const codeForm = html`<form method="post" action="confirm">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<label for="code">Code from the newest letter</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" title="Six digits" required>
<button type="submit">Confirm</button>
</form>`;

/**
 * Explains why a code does not confirm, and how a new one comes. It names no agent: anybody may try an address and a
 * code.
 */
export const tryCodePage = ({ message, fix, code }: LetterslotError): Markup =>
  codePage(html`<p class="bad" role="alert">${message} ${NEW_CODE.has(code) ? "" : fix}</p>
<p>A code works for 30 minutes, and only the one of the newest letter. Ask the agent to invite you again, by answering its letter or by telling whoever set it up: a new letter comes at once.</p>`);

/** Errors after which only a new letter helps. */
const NEW_CODE: ReadonlySet<string> = new Set(["confirm_expired", "confirm_locked"]);

/** Confirms to an owner that they are confirmed; the first of an account may take charge of it. */
export function confirmedPage(shown: OwnerConfirmation, onward: Markup): Markup {
  return page(
    "Confirmed",
    html`<div class="sheet">
${whoMarkup(shown)}
<h1>You are confirmed as owner</h1>
<p>Your agent is told now. Its reports and questions come to <strong>${shown.email}</strong>, and what you write to <a href="mailto:${shown.inbox_email}">${shown.inbox_email}</a> becomes its work.</p>
${shown.may_take_charge ? chargeForm(shown) : inCharge(shown)}
${onward}
</div>`,
  );
}

const chargeForm = ({
  account_id,
  email,
}: OwnerConfirmation): Markup => html`<h2>Take charge of this account</h2>
<p>You are the first person who confirmed. Take charge, and nobody else can: what your agents may not do alone, you decide.</p>
<form method="post" action="charge">
<input type="hidden" name="account_id" value="${account_id}">
<input type="hidden" name="email" value="${email}">
<button type="submit">Take charge of this account</button>
</form>`;

/** Asks whether to stop update emails. */
export const unsubscribePage = (shown: OwnerPreferences, token: string): Markup =>
  page(
    "Stop updates",
    html`<div class="sheet">
${whoMarkup(shown)}
<h1>Stop the updates from this agent?</h1>
<p>You will get no more updates from ${agentName(shown)} at <strong>${shown.email}</strong>. You stay its owner and will still be asked for your approval.</p>
<form method="post" action="unsubscribe">
<input type="hidden" name="token" value="${token}">
<button type="submit">Stop the updates</button>
</form>
</div>`,
  );

/** Confirms that update emails have stopped. */
export const unsubscribedPage = (shown: OwnerPreferences, token: string, onward: Markup): Markup =>
  page(
    "Updates stopped",
    html`<div class="sheet">
${whoMarkup(shown)}
<h1>The updates have stopped</h1>
<p>No update from ${agentName(shown)} comes to you any more. It still asks for your approval when it needs it, and what you write to it stays its work.</p>
<p>You can start them again, or <a href="style?token=${encodeURIComponent(token)}">choose how often your agent writes to you</a>.</p>
${onward}
</div>`,
  );

/** The page of a link that was cut off. */
export const incompleteLinkPage = (): Markup =>
  page(
    "This link is incomplete",
    html`<div class="sheet"><h1>This link is incomplete</h1><p>Open it again from the email: some mail programs cut long links.</p></div>`,
  );
