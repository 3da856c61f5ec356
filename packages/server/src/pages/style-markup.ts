import type { OwnerPreferences } from "@letterslot/core";
import { html } from "hono/html";
import { agentName, type Markup, page, radioGroup, whoMarkup } from "./layout.ts";

const STYLES = [
  ["inherit", "Let my agent decide"],
  ["concise", "Concise: headlines only"],
  ["detailed", "Detailed: everything"],
  ["casual", "Casual: as a colleague would write"],
] as const;

const FREQUENCIES = [
  ["immediate", "As they come"],
  ["daily", "Once a day, in one email"],
  ["off", "Not at all"],
] as const;

/**
 * The page where an owner chooses the style and frequency of updates. Two forms, so that saving one choice
 * never changes the other.
 */
export function stylePage(preferences: OwnerPreferences, token: string, saved = false): Markup {
  const { email, email_style, email_style_note, updates } = preferences;
  return page(
    "How your agent writes to you",
    html`<div class="sheet">
${whoMarkup(preferences)}
<h1>How your agent writes to you</h1>
${saved ? html`<p role="status"><strong>Saved.</strong> Your agent is held to it from its next email on.</p>` : ""}
<p>Your software agent ${agentName(preferences)} writes to you at <strong>${email}</strong>.</p>
<form method="post" action="style">
<input type="hidden" name="token" value="${token}">
${radioGroup("Updates", "updates", FREQUENCIES, updates)}
<button type="submit">Save frequency</button>
</form>
<hr>
<form method="post" action="style">
<input type="hidden" name="token" value="${token}">
${radioGroup("Style", "email_style", STYLES, email_style ?? "inherit")}
<label for="note">Note for your agent (optional)</label>
<textarea id="note" name="email_style_note" rows="3" maxlength="280">${email_style_note ?? ""}</textarea>
<button type="submit">Save style</button>
</form>
<p class="soft">What you choose here always applies: your agent cannot change it.</p>
</div>`,
  );
}

/** The operation's fields from the form that was submitted; the other form's fields stay unset. */
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
