import type { ForwardingConfirmation, LetterslotError } from "@letterslot/core";
import { html } from "hono/html";
import { agentName, type Markup, page, whoMarkup } from "./layout.ts";

/** The page of a forwarding's letter: what would come, and the field for the code, or where it stands. */
export function forwardingPage(
  shown: ForwardingConfirmation,
  token: string,
  problem?: Pick<LetterslotError, "message" | "fix">,
): Markup {
  const { email, everything, status, confirmed } = shown;
  if (status === "verified")
    return standsPage(
      shown,
      "You get this mail",
      `Mail is forwarded to ${email} from now on. To end that, write to your agent or to a person in charge of its inbox.`,
    );
  if (confirmed)
    return standsPage(
      shown,
      "Thank you",
      "A person in charge of the inbox was asked. Once they agree, mail is forwarded to you; until then nothing is.",
    );
  const what = everything ? "all mail that comes to its inbox" : "some of the mail that comes to its inbox";
  return page(
    "Do you want this mail?",
    html`<div class="sheet">
${whoMarkup(shown)}
<h1>Do you want this mail?</h1>
<p>The software agent ${agentName(shown)} wants to forward ${what} to <strong>${email}</strong>.</p>
<p>If you enter the code from the email, a person in charge of the inbox is asked. Only if they agree is anything forwarded.</p>
${problem === undefined ? "" : html`<p class="bad" role="alert">${problem.message} ${problem.fix}</p>`}
<form method="post" action="confirm">
<input type="hidden" name="token" value="${token}">
<label for="code">Code from the newest email</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 ]{6,9}" title="Six digits" required>
<button type="submit">Yes, forward it to me</button>
</form>
<p class="soft">If you did not expect this, close this page: nothing is forwarded.</p>
</div>`,
  );
}

const standsPage = (shown: ForwardingConfirmation, title: string, text: string): Markup =>
  page(
    title,
    html`<div class="sheet">
${whoMarkup(shown)}
<h1>${title}</h1>
<p role="status">${text}</p>
</div>`,
  );
