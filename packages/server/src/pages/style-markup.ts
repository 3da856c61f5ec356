import type { OwnerPreferences } from "@letterslot/core";
import { html } from "hono/html";
import { type Markup, page } from "./layout.ts";
import { picks } from "./picks.ts";

const styles = [
  ["inherit", "As my agent sees fit"],
  ["concise", "Concise: the headline alone"],
  ["detailed", "Detailed: everything there is"],
  ["casual", "Casual: as a colleague would write"],
] as const;

const rhythms = [
  ["immediate", "As they come"],
  ["daily", "Once a day, in one letter"],
  ["off", "Not at all"],
] as const;

/**
 * The owner's own page: how they are written to, and how often. Two forms, so that one choice never makes the
 * other.
 */
export function stylePage(shown: OwnerPreferences, token: string, saved = false): Markup {
  const { inbox_email, inbox_display_name, email, email_style, email_style_note, updates } = shown;
  const who = inbox_display_name === null ? inbox_email : `${inbox_display_name} (${inbox_email})`;
  return page(
    "How your agent writes to you",
    html`<div class="sheet">
<h1>How your agent writes to you</h1>
${saved ? html`<p role="status"><strong>Saved.</strong></p>` : ""}
<p>Your software agent ${who} writes to you, <strong>${email}</strong>.</p>
<form method="post" action="style">
<input type="hidden" name="token" value="${token}">
${picks("Updates", "updates", rhythms, updates)}
<button type="submit">Save how often</button>
</form>
<hr>
<form method="post" action="style">
<input type="hidden" name="token" value="${token}">
${picks("Style", "email_style", styles, email_style ?? "inherit")}
<label for="note">A wish for your agent, if you like</label>
<textarea id="note" name="email_style_note" rows="3" maxlength="280">${email_style_note ?? ""}</textarea>
<button type="submit">Save the style</button>
</form>
<p class="soft">What you choose here wins: your agent can't change your style then.</p>
</div>`,
  );
}

/** What the two forms say; only the fields of the one that was sent. */
export function styleFields({
  updates,
  email_style,
  email_style_note,
}: Record<string, string>): Record<string, unknown> {
  return {
    ...(updates === undefined ? {} : { updates }),
    ...(email_style === undefined ? {} : { email_style: email_style === "inherit" ? null : email_style }),
    ...(email_style_note === undefined ? {} : { email_style_note: email_style_note.trim() || null }),
  };
}
