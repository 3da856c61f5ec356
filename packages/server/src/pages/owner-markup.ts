import type { LetterslotError, OwnerConfirmation } from "@letterslot/core";
import { html } from "hono/html";
import { type Markup, minuteUtc, page } from "./layout.ts";

/** The page of a confirmation link: what confirming means, and the button that confirms. */
export function confirmPage(shown: OwnerConfirmation, token: string): Markup {
  const { inbox_email, email, status } = shown;
  if (status === "verified") return confirmedPage(shown);
  return page(
    "Confirm that this is your agent",
    html`<div class="sheet">
<h1>Is this your agent?</h1>
<p>The software agent with the inbox <strong>${inbox_email}</strong> named <strong>${email}</strong> as its owner.</p>
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
<ul>${in_charge.map(({ email, since }) => html`<li>${email}, since ${minuteUtc(since)}</li>`)}</ul>`;
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
export function confirmedPage(shown: OwnerConfirmation): Markup {
  return page(
    "Confirmed",
    html`<div class="sheet">
<h1>You are confirmed as owner</h1>
<p>Your agent can now report to you, and you can give it work by email. You can close this page.</p>
${shown.may_take_charge ? chargeForm(shown) : inCharge(shown)}
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
export function unsubscribePage(token: string): Markup {
  if (token === "") return INCOMPLETE_LINK;
  return page(
    "Stop updates",
    html`<div class="sheet">
<h1>Stop the updates from this agent?</h1>
<p>You will get no more updates from this inbox. You stay its owner and will still be asked for your approval.</p>
<form method="post" action="unsubscribe">
<input type="hidden" name="token" value="${token}">
<button type="submit">Stop the updates</button>
</form>
</div>`,
  );
}

/** Confirms that update emails have stopped. */
export function unsubscribedPage(token: string): Markup {
  return page(
    "Updates stopped",
    html`<div class="sheet">
<h1>The updates have stopped</h1>
<p>You can close this page, or <a href="style?token=${encodeURIComponent(token)}">choose how often your agent writes to you</a>.</p>
</div>`,
  );
}

const INCOMPLETE_LINK = page(
  "This link is incomplete",
  html`<div class="sheet"><h1>This link is incomplete</h1><p>Open it again from the email: some mail programs cut long links.</p></div>`,
);
