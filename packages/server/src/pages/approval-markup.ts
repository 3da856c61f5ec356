import type { ApprovalReview } from "@letterslot/core";
import { html } from "hono/html";
import { agentName, type Markup, minuteUtc, page } from "./layout.ts";

type Mail = NonNullable<ApprovalReview["mail"]>;

/** The page on which an owner decides: everything that would be sent, as text, and two buttons. */
export function reviewPage(review: ApprovalReview, token: string): Markup {
  const { approval, owner_email, mail } = review;
  if (approval.status !== "pending") return decidedPage(approval);
  const request = mail === null ? html`<p><strong>${approval.summary}</strong></p>` : mailMarkup(mail, token);
  return page(
    "Approve or reject",
    html`<div class="sheet">
<h1>${mail === null ? "Allow this?" : "Send this email?"}</h1>
<p>Your software agent ${agentName(review)} is asking you, <strong>${owner_email}</strong>.</p>
${request}
<form method="post" action="approve">
<input type="hidden" name="token" value="${token}">
<label for="comment">Comment for your agent (optional)</label>
<textarea id="comment" name="comment" rows="3" maxlength="2000"></textarea>
<button type="submit" name="decision" value="approve">Approve</button>
<button type="submit" name="decision" value="reject" class="quiet">Reject</button>
</form>
<p class="soft">${mail === null ? "Nothing will be done" : "Nothing will be sent"} until you approve. This request expires on ${minuteUtc(approval.expires_at)}.</p>
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
    ["Scheduled for", mail.send_at ?? ""],
  ].filter(([, value]) => value !== "");
  return html`<dl>${fields.map(([name, value]) => html`<dt>${name}</dt><dd>${showHidden(value ?? "")}</dd>`)}</dl>
${mail.truncated ? html`<p class="bad">This email is too long for this page: its end is cut off.</p>` : ""}
${attachmentsMarkup(mail, token)}
${mail.html_text === null ? "" : html`<h2>What most people will read</h2><pre tabindex="0">${showHidden(mail.html_text)}</pre>`}
${mail.text === null ? "" : html`<h2>${mail.html === null ? "Text" : "Text for readers without HTML"}</h2><pre tabindex="0">${showHidden(mail.text)}</pre>`}
${mail.html === null ? "" : html`<details><summary>HTML source</summary><pre tabindex="0">${showHidden(mail.html)}</pre></details>`}`;
}

/** Shows invisible and direction-changing characters by code point, so that an owner reads what is sent. */
const showHidden = (text: string): string =>
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
      html`<li><a href="approve/attachments/${id}${query}">${showHidden(filename)}</a> (${content_type}, ${size_bytes} bytes)</li>`,
  );
  return html`<h2>Attachments</h2><ul>${lines}</ul>`;
}

const STATUS_TITLES: Record<ApprovalReview["approval"]["status"], string> = {
  pending: "Not decided yet",
  approved: "This was approved",
  rejected: "This was rejected",
  expired: "This request has expired",
  cancelled: "This request was withdrawn",
};

/** The page of a request that has been decided or has ended. */
export function decidedPage({ status, summary, comment }: ApprovalReview["approval"]): Markup {
  const title = STATUS_TITLES[status];
  return page(
    title,
    html`<div class="sheet"><h1>${title}</h1><p>${summary}</p>${comment === null ? "" : html`<p>“${comment}”</p>`}<p>You can close this page.</p></div>`,
  );
}
