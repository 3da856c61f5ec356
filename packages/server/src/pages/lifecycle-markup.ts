import { html } from "hono/html";
import { type Markup, page } from "./layout.ts";

/** Asks whether the weekly product note should stop. */
export function noteEndPage({ lifecycle_emails }: { lifecycle_emails: "on" | "off" }, token: string): Markup {
  if (lifecycle_emails === "off") return noteEndedPage();
  return page(
    "Stop the weekly note",
    html`<div class="sheet">
<h1>Stop the weekly product note?</h1>
<p>It is stored in the agent's inbox once a week. Other mail is not touched.</p>
<form method="post" action="unsubscribe">
<input type="hidden" name="token" value="${token}">
<button type="submit">Stop the note</button>
</form>
</div>`,
  );
}

/** Said when the note has stopped. */
export const noteEndedPage = (): Markup =>
  page(
    "The note has stopped",
    html`<div class="sheet"><h1>The weekly note has stopped</h1><p>You can close this page.</p></div>`,
  );
