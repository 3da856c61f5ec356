import type { RecoveredKey, RecoveryReview } from "@letterslot/core";
import { browserName, shownTime, shownTimeWithYear } from "@letterslot/core/internal";
import { html } from "hono/html";
import { type Markup, page, radioGroup } from "../layout.ts";

type Choice = RecoveryReview["choices"][number];

/** Leads from the page of a letter's link to that on which a new one is asked for. */
export const askAgain = html`<p><a href="../recover">Ask for a new letter</a></p>`;

/** The page on which a person asks for a link. */
export const askPage = (): Markup =>
  page(
    "Recover a key",
    html`<div class="sheet">
<h1>Recover a key</h1>
<p>Has your agent lost its API key? If you have charge of its account or inbox, we email you a link to create a new one.</p>
<form method="post" action="recover">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button type="submit">Email me a link</button>
</form>
</div>`,
  );

/** The same for every address: it doesn't tell whether anybody is known there. */
export const askedPage = (email: string): Markup =>
  page(
    "Check your email",
    html`<div class="sheet">
<h1>Check your email</h1>
<p>If <strong>${email}</strong> has charge of an account or an inbox here, a link is on its way. It works for 30 minutes, and leads to a page on which you say what the key is for.</p>
</div>`,
  );

/** The page of the letter's link: the reach of the new key, and the keys and apps that can be revoked with it. */
export function recoverPage({ email, expires_at, choices, sessions }: RecoveryReview, token: string): Markup {
  const [only, ...others] = choices;
  const options = choices.map((choice) => [choice.authority_id, capitalised(nameOf(choice))] as const);
  const what =
    only !== undefined && others.length === 0
      ? html`<p>It will be a key for <strong>${nameOf(only)}</strong>.</p>
<input type="hidden" name="authority_id" value="${only.authority_id}">`
      : radioGroup("What is the key for?", "authority_id", options, undefined);
  return page(
    "Recover a key",
    html`<div class="sheet">
<h1>Create a new key?</h1>
<p>For <strong>${email}</strong>. To be sure that it is you, we email you a code first, unless you have just signed in.</p>
<form method="post" action="confirm">
<input type="hidden" name="token" value="${token}">
${what}
<label class="pick"><input type="checkbox" name="revoke_others" value="true"> Also revoke all other keys, apps and sessions</label>
<button type="submit">Create a new key</button>
</form>
<h2>What would be revoked</h2>
${choices.map((choice) => accessList(choice, others.length > 0))}
<h3>Your sessions</h3>
<p>The one in which you create the key stays.</p>
${list(
  sessions.map(
    (session) =>
      html`<li>${capitalised(browserName(session.user_agent))}, last used ${shownTimeWithYear(session.last_seen_at)}</li>`,
  ),
)}
<p class="soft">This link works once, until ${shownTime(expires_at)}.</p>
</div>`,
    "wide",
  );
}

/** The page with the new key, which no other page shows again. */
export function recoveredPage(
  { api_key, keys_revoked, apps_revoked, sessions_ended }: RecoveredKey,
  onward: Markup,
): Markup {
  const revoked = keys_revoked + apps_revoked + sessions_ended;
  return page(
    "Your new key",
    html`<div class="sheet">
<h1>Your new key</h1>
<p>Copy it now and give it to your agent: it is shown only here.</p>
<pre>${api_key}</pre>
<p>It works from now on. Everybody in charge there is told by email that you created it.</p>
${revoked === 0 ? "" : html`<p>Revoked: ${keys_revoked} other keys, ${apps_revoked} apps and ${sessions_ended} of your sessions.</p>`}
${onward}
</div>`,
  );
}

const nameOf = ({ account_name, inbox_id, inbox_email }: Choice): string =>
  inbox_id === null
    ? `the whole account of ${account_name}`
    : `the inbox ${inbox_email ?? "that is gone by now"}`;

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function accessList(choice: Choice, named: boolean): Markup {
  const { keys, more_keys, apps, more_apps, workspaces } = choice;
  const of = named ? ` of ${nameOf(choice)}` : "";
  return html`<h3>Keys${of}</h3>
${list(keys.map(({ name, prefix, last_used_at }) => html`<li>${name} (${prefix}…), ${last_used_at === null ? "never used" : `last used ${shownTimeWithYear(last_used_at)}`}</li>`))}
${more_keys ? html`<p>And more.</p>` : ""}
<h3>Apps${of}</h3>
${list(apps.map(({ client_name, connected_at }) => html`<li>${client_name || "An app without a name"}, since ${shownTimeWithYear(connected_at)}</li>`))}
${more_apps ? html`<p>And more.</p>` : ""}
${workspaces === 0 ? "" : html`<p>And all keys and apps of its workspaces, of which there are ${workspaces}.</p>`}`;
}

const list = (items: Markup[]): Markup => (items.length === 0 ? html`<p>None.</p>` : html`<ul>${items}</ul>`);
