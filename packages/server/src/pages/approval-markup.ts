import type { ApprovalReview, LetterslotError } from "@letterslot/core";
import { html } from "hono/html";
import { type Markup, page } from "./layout.ts";

type Mail = NonNullable<ApprovalReview["mail"]>;

/** The page on which an owner decides: all that would leave, as text, and two buttons. */
export function reviewPage(
  { approval, inbox_email, inbox_display_name, owner_email, mail }: ApprovalReview,
  token: string,
): Markup {
  if (approval.status !== "pending") return decidedPage(approval);
  const who = inbox_display_name === null ? inbox_email : `${inbox_display_name} (${inbox_email})`;
  const asked = mail === null ? html`<p><strong>${approval.summary}</strong></p>` : mailMarkup(mail, token);
  return page(
    "Approve or reject",
    html`<div class="sheet">
<h1>${mail === null ? "May this be done?" : "May this mail be sent?"}</h1>
<p>Your software agent ${who} asks you, <strong>${owner_email}</strong>.</p>
${asked}
<form method="post" action="approve">
<input type="hidden" name="token" value="${token}">
<label for="comment">A word to your agent, if you like</label>
<textarea id="comment" name="comment" rows="3" maxlength="2000"></textarea>
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="reject" class="quiet">Reject</button>
</form>
<p class="soft">Without your word nothing is done. The question ends on ${approval.expires_at.slice(0, 16).replace("T", " ")} UTC.</p>
</div>`,
    "wide",
  );
}

function mailMarkup(mail: Mail, token: string): Markup {
  const fields = [
    ["From", mail.from],
    ["To", mail.to.join(", ")],
    ["Cc", mail.cc.join(", ")],
    ["Bcc", mail.bcc.join(", ")],
    ["Reply-To", mail.reply_to ?? ""],
    ["Subject", mail.subject || "(no subject)"],
    ...Object.entries(mail.headers),
    ["To be sent at", mail.send_at ?? ""],
  ].filter(([, value]) => value !== "");
  return html`<dl>${fields.map(([name, value]) => html`<dt>${name}</dt><dd>${visible(value ?? "")}</dd>`)}</dl>
${mail.truncated ? html`<p class="bad">It is longer than this page can show: its end is cut off.</p>` : ""}
${attachmentsMarkup(mail, token)}
${mail.html_text === null ? "" : html`<h2>What most people will read</h2><pre tabindex="0">${visible(mail.html_text)}</pre>`}
${mail.text === null ? "" : html`<h2>${mail.html === null ? "Text" : "Text for those without HTML"}</h2><pre tabindex="0">${visible(mail.text)}</pre>`}
${mail.html === null ? "" : html`<details><summary>HTML source</summary><pre tabindex="0">${visible(mail.html)}</pre></details>`}`;
}

/**
 * Characters that hide words or turn them round are shown by their number, so that what is read is what is
 * sent.
 */
const visible = (text: string): string =>
  text.replace(
    /[\u00ad\u061c\u115f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
    (hidden) => {
      return `[U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;
    },
  );

function attachmentsMarkup({ attachments }: Mail, token: string): Markup {
  if (attachments.length === 0) return html``;
  const query = `?token=${encodeURIComponent(token)}`;
  const lines = attachments.map(
    ({ id, filename, content_type, size_bytes }) =>
      html`<li><a href="approve/attachments/${id}${query}">${visible(filename)}</a> (${content_type}, ${size_bytes} bytes)</li>`,
  );
  return html`<h2>Attachments</h2><ul>${lines}</ul>`;
}

const said: Record<ApprovalReview["approval"]["status"], string> = {
  pending: "This is not decided yet",
  approved: "It was approved",
  rejected: "It was rejected",
  expired: "The question has expired",
  cancelled: "The question was taken back",
};

/** Said when there is nothing left to decide. */
export function decidedPage({ status, summary, comment }: ApprovalReview["approval"]): Markup {
  const title = said[status];
  return page(
    title,
    html`<div class="sheet"><h1>${title}</h1><p>${summary}</p>${comment === null ? "" : html`<p>“${comment}”</p>`}<p>You can close this page.</p></div>`,
  );
}

/** Says what went wrong. */
export function approvalFailurePage({ message, fix }: LetterslotError): Markup {
  return page(
    "This did not work",
    html`<div class="sheet"><h1>This did not work</h1><p class="bad" role="alert">${message} ${fix}</p></div>`,
  );
}
