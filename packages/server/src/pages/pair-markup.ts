import { type Choices, LIMITS, type NewPairing, type Pairing } from "@letterslot/core";
import { shownTime } from "@letterslot/core/internal";
import { showHidden } from "@letterslot/core/mail";
import { html } from "hono/html";
import { PERMISSION_WORDS } from "./apps/permission-words.ts";
import { type Markup, page, radioGroup } from "./layout.ts";

const MAX_SHOWN = 20;
const CONTROLS = /[\u0000-\u001f\u007f\u2028\u2029]/g;

/** A program's name for itself, from its User-Agent header, as one line. */
export const clientNameIn = (user_agent = ""): string =>
  user_agent.replace(CONTROLS, " ").trim().slice(0, LIMITS.client_name_chars);

/** Asks a person who is not signed in for their address; it may be one that is new here. */
export const newHerePage = (): Markup =>
  page(
    "Let an agent in",
    html`<div class="sheet">
<h1>Let an agent in</h1>
<p>You get a code, and your agent gets an email address with it. You have charge of the agent from the start.</p>
<form method="post" action="pair">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<p class="soft">We email you a code to sign in. You may be new here.</p>
<button type="submit">Email me a code</button>
</form>
</div>`,
  );

const SEND_MODES = [
  ["guarded", "Leaves at once, unless something speaks against it: then you are asked"],
  ["approval", "Leaves only with your yes"],
  ["direct", "Leaves at once"],
] as const;

/** The page on which a person makes a code, with those that they made. */
export function makePage(email: string, { accounts }: Choices, pairings: readonly Pairing[]): Markup {
  const inboxes = accounts.flatMap((account) => account.inboxes);
  return page(
    "Let an agent in",
    html`<div class="sheet">
<h1>Let an agent in</h1>
<p>You are signed in as <strong>${email}</strong>.</p>
<form method="post" action="pair">
<input type="hidden" name="email" value="${email}">
<label for="place">The agent gets</label>
<select id="place" name="place">
<option value="">A new email address</option>
${inboxes.map((inbox) => html`<option value="${inbox.id}">${inbox.email}</option>`)}
</select>
${radioGroup("What it sends from a new address", "send_mode", SEND_MODES, "guarded")}
<button type="submit" name="make" value="yes">Make a code</button>
</form>
${pairings.length === 0 ? "" : html`<h2>Who was let in</h2>${pairings.slice(0, MAX_SHOWN).map((each) => rowOf(each, "pair"))}`}
</div>`,
  );
}

/** The page with a new code, which no other page shows again, and the sentence to give to the agent. */
export function codePage({ id, code, expires_at, permissions, sentence }: NewPairing): Markup {
  return page(
    "Your code",
    html`<div class="sheet">
<h1>Your code</h1>
<p class="code"><strong>${code}</strong></p>
<p>Paste this to your agent:</p>
<pre tabindex="0">${sentence}</pre>
<p class="soft">The code works once, until ${shownTime(expires_at)}. Give it to nobody but your agent.</p>
<p>Once your agent has used it, it has its address and begins; you see it below, and get an email about it.</p>
<h2>Who used it</h2>
<iframe class="status" title="Who used the code" src="pair/status?id=${id}"></iframe>
<details><summary>What the agent may do</summary>
<ul>${permissions.map((name) => html`<li>${PERMISSION_WORDS[name]}</li>`)}</ul></details>
<p><a href="pair">Make another code</a></p>
</div>`,
  );
}

/** The content of the frame on a code's page. */
export const statusFrame = (pairing: Pairing | undefined): Markup =>
  page(
    "Who used the code",
    pairing === undefined ? html`<p>There is no such code.</p>` : rowOf(pairing, "../pair"),
  );

export const signedOutFrame = (): Markup => page("Who used the code", html`<p>You are signed out.</p>`);

/** A code, and what became of it; `action` is the page's address from there. */
function rowOf(pairing: Pairing, action: string): Markup {
  const { id, status, expires_at, paired_at, client_name, network } = pairing;
  if (status === "expired")
    return html`<p class="soft">A code that ended unused, ${shownTime(expires_at)}.</p>`;
  if (status === "open")
    return html`<p role="status">Waiting for your agent, until ${shownTime(expires_at)}.</p>
${button(action, id, "Take the code back")}`;
  const named = showHidden(client_name ?? "").trim();
  const who = named === "" ? "A program without a name" : html`A program that calls itself “${named}”`;
  const from = network === null ? "from this machine" : html`from the network ${network}`;
  const said = html`<p role="status">${who} was let in, ${from}, ${shownTime(paired_at ?? "")}.</p>`;
  return status === "undone"
    ? html`${said}<p class="soft">You undid it: its key no longer works.</p>`
    : html`${said}${button(action, id, "Undo")}`;
}

const button = (action: string, id: string, label: string): Markup =>
  html`<form method="post" action="${action}" target="_top">
<button type="submit" name="undo" value="${id}" class="quiet lone">${label}</button>
</form>`;
