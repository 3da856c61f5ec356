import { LIMITS, type Passkey } from "@letterslot/core";
import { shownTime, shownTimeWithYear } from "@letterslot/core/internal";
import { html } from "hono/html";
import { type Markup, page } from "../layout.ts";
import { deviceStatus, type PasskeyOffer, passkeySignInForm, withPasskeys } from "./offer.ts";

/** The page of a server that takes no passkeys. */
export const noPasskeysPage = (): Markup =>
  page(
    "Your passkeys",
    html`<div class="sheet"><h1>Your passkeys</h1>
<p>This server doesn't take passkeys. You sign in with a code that is emailed to you.</p>
<p><a href="sign-in">Sign in</a></p></div>`,
  );

/** Asks who it is. */
export const whosePage = (offer: PasskeyOffer): Markup =>
  page(
    "Your passkeys",
    html`<div class="sheet"><h1>Your passkeys</h1>
<p>Sign in to see and change them.</p>
<form method="post" action="your-passkeys">
<label for="email">Your email address</label>
<input id="email" name="email" type="email" autocomplete="email" required>
<button type="submit">Email me a code</button>
</form>
${passkeySignInForm(offer, {}, "Sign in with a passkey")}
</div>`,
  );

/** The person as the page shows them. */
export interface Shown {
  email: string;
  passkeys: readonly Passkey[];
  now: Date;
  /** Whether the session is young enough for changes. */
  recent: boolean;
  offer: PasskeyOffer;
  /** What was just done, and what happens next. */
  notice?: Markup | undefined;
  problem?: { message: string; fix: string } | undefined;
}

/** The page of a person's passkeys. */
export function passkeysPage({ email, passkeys, now, recent, offer, notice, problem }: Shown): Markup {
  const counting = passkeys.filter((each) => countsAt(each, now));
  return page(
    "Your passkeys",
    html`<div class="sheet">
<h1>Your passkeys</h1>
<p>You are signed in as <strong>${email}</strong>.</p>
${notice === undefined ? "" : html`<div role="status">${notice}</div>`}
${problem === undefined ? "" : html`<p class="bad" role="alert">${problem.message} ${problem.fix}</p>`}
${passkeys.length === 0 ? html`<p>You have none yet. With a passkey you sign in without a code, and sign what you decide with your own phone, laptop or security key.</p>` : passkeys.map((each) => rowOf(each, { now, recent }))}
<h2>Add a passkey</h2>
${recent ? addForm(passkeys.length, counting.length) : signInAgain(email)}
<h2>Lost a device?</h2>
<p>${counting.length > 1 ? "Remove its passkey here; another one of yours confirms it." : "If its passkey is your only one, somebody else who has charge of the account can end its counting there, and the operator of this server can remove it."}</p>
<p><a href="sign-in">What waits for you</a></p>
${offer.script}
</div>`,
  );
}

const countsAt = ({ counts_from }: Passkey, now: Date): boolean => new Date(counts_from) <= now;

/** A passkey: what it is called, since when, and what it is good for. */
function rowOf(passkey: Passkey, { now, recent }: Pick<Shown, "now" | "recent">): Markup {
  const { id, name, created_at, counts_from, last_used_at, synced } = passkey;
  const counts = countsAt(passkey, now);
  const button = html`<button type="submit" name="remove" value="${id}" class="quiet lone" data-passkey="${counts ? "remove" : ""}" aria-label="Remove ${name}">Remove</button>`;
  const form = html`<form method="post" action="your-passkeys">${button}${counts ? deviceStatus : ""}</form>`;
  return html`<h2>${name}</h2>
<p>${counts ? "Counts for decisions." : `Counts for decisions from ${shownTime(counts_from)}.`}</p>
<p class="soft">Added ${shownTimeWithYear(created_at)}. ${last_used_at === null ? "Not used yet." : `Last used ${shownTimeWithYear(last_used_at)}.`} Kept in ${synced ? "several devices of yours" : "one device"}.</p>
${recent ? (counts ? withPasskeys(form) : form) : ""}`;
}

const addForm = (count: number, counting: number): Markup =>
  count >= LIMITS.passkeys_per_person
    ? html`<p>You have ${count}, and can't have more. Remove one first.</p>`
    : html`${withPasskeys(html`<form method="post" action="your-passkeys">
<label for="name">What to call it</label>
<input id="name" name="name" maxlength="${LIMITS.passkey_name_chars}" autocomplete="off" value="My device">
${counting === 0 ? html`<p class="soft">It signs you in at once. Decisions with it count 24 hours later.</p>` : html`<label class="pick"><input type="checkbox" name="confirmed" value="1" checked> Confirm it with one that I have: then it counts for decisions at once</label>`}
<button type="submit" data-passkey="add">Add a passkey</button>
${deviceStatus}
</form>`)}<p data-without-passkeys>Passkeys need a browser that knows them, with scripts allowed for this page. Without one you sign in with a code, as before.</p>`;

/** For changes, a person signs in anew. */
const signInAgain = (email: string): Markup => html`<p>To add or remove one, sign in once more.</p>
${withPasskeys(html`<form method="post" action="your-passkeys">
<input type="hidden" name="email" value="${email}">
<button type="submit" class="lone" data-passkey="sign_in">Sign in with a passkey</button>
${deviceStatus}
</form>`)}
<form method="post" action="your-passkeys">
<input type="hidden" name="email" value="${email}">
<button type="submit" name="again" value="yes" class="quiet lone">Email me a code</button>
</form>`;

/** The notice after a passkey was added. */
export const addedNotice = (passkey: Passkey, now: Date): Markup =>
  html`<p><strong>“${passkey.name}” was added.</strong> It signs you in from now on. ${countsAt(passkey, now) ? "It counts for decisions too." : `It counts for decisions from ${shownTime(passkey.counts_from)}.`}</p>
<p class="soft">We have emailed you about it. If it wasn't you, remove it.</p>`;

/** The notice after one was removed. */
export const removedNotice = (removed: Passkey, left: readonly Passkey[], now: Date): Markup =>
  html`<p><strong>“${removed.name}” was removed.</strong> It no longer signs you in, and decides nothing any more.${left.some((each) => countsAt(each, now)) ? "" : " No passkey of yours counts for decisions now: where an inbox asks for one, you approve again once another counts."}</p>
<p class="soft">We have emailed you about it.</p>`;
