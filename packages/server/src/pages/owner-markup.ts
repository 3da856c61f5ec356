import type { LetterslotError } from "@letterslot/core";
import { html } from "hono/html";
import { type Markup, page } from "./layout.ts";

/** The page of a confirmation link: what confirming means, and the button that does it. */
export function confirmPage(
  { inbox_email, email, status }: { inbox_email: string; email: string; status: string },
  token: string,
): Markup {
  if (status === "verified") return confirmedPage();
  return page(
    "Confirm that you own this agent inbox",
    html`<div class="sheet">
<h1>Is this agent yours?</h1>
<p>The software agent with the inbox <strong>${inbox_email}</strong> names <strong>${email}</strong> as its owner.</p>
<p>If you confirm, it sends you reports and questions, and mail from your address can give it work.</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${token}">
<button type="submit">Yes, I am its owner</button>
</form>
<p class="soft">If you know nothing of it, close this page: without your word nothing happens.</p>
</div>`,
  );
}

/** The form for the e-mail address and the 6-digit code of the letter. */
export function codePage(problem?: Markup): Markup {
  return page(
    "Confirm with a code",
    html`<div class="sheet">
<h1>Confirm with your code</h1>
${problem ?? html`<p>Type the 6-digit code from the letter that your agent's inbox sent you.</p>`}
<form method="post" action="confirm">
<label for="email">Your e-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" title="Six digits" required>
<button type="submit">Confirm</button>
</form>
</div>`,
  );
}

/** Said when an owner is confirmed. */
export function confirmedPage(): Markup {
  return page(
    "Confirmed",
    html`<div class="sheet">
<h1>You are confirmed as owner</h1>
<p>Your agent can now report to you, and you can give it work by mail. You can close this page.</p>
</div>`,
  );
}

/** Asks whether update mail should stop. */
export function unsubscribePage(token: string): Markup {
  if (token === "") return linkMissing;
  return page(
    "Stop update mail",
    html`<div class="sheet">
<h1>Stop the updates from this agent?</h1>
<p>You get no more update mail from this inbox. You stay its owner, and questions about your rights still reach you.</p>
<form method="post" action="unsubscribe">
<input type="hidden" name="token" value="${token}">
<button type="submit">Stop the updates</button>
</form>
</div>`,
  );
}

/** Said when update mail has stopped. */
export function unsubscribedPage(token: string): Markup {
  return page(
    "Updates stopped",
    html`<div class="sheet">
<h1>The updates have stopped</h1>
<p>You can close this page, or <a href="style?token=${encodeURIComponent(token)}">choose how often your agent writes to you</a>.</p>
</div>`,
  );
}

/** Says what went wrong, and lets the owner try with the code instead. */
export function failurePage({ message, fix }: LetterslotError): Markup {
  return codePage(html`<p class="bad" role="alert">${message} ${fix}</p>
<p>You can also type the code from the newest letter here.</p>`);
}

const linkMissing = page(
  "The link is not whole",
  html`<div class="sheet"><h1>The link is not whole</h1><p>Open it again from the letter; some mail programs cut long links.</p></div>`,
);
