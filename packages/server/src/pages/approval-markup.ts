import type { ApprovalReview } from "@letterslot/core";
import { shownTime, shownTimeWithYear } from "@letterslot/core/internal";
import { showHidden } from "@letterslot/core/mail";
import { html } from "hono/html";
import { editMarkup } from "./approval-edit.ts";
import { nextOf } from "./approval-next.ts";
import { agentName, type Markup, page, whoMarkup } from "./layout.ts";
import { mailFrame } from "./mail-frame.ts";
import { approveButtons, changesButton, passkeyEnd, passkeyNote } from "./passkeys/decide-buttons.ts";
import type { PasskeyOffer } from "./passkeys/offer.ts";

type Mail = NonNullable<ApprovalReview["mail"]>;

/** The person's earlier input, and why it was not accepted. */
export interface Given {
  /** Why nothing was decided. */
  problem: { message: string; fix: string };
  /** What was found in the mail as they changed it, in plain words. */
  reasons: readonly string[];
  /** The digest that approves it all the same. */
  digest: string | undefined;
  values: Record<string, string>;
}

/** The page on which an owner decides: everything that would be sent, as text, and the buttons. */
export function reviewPage(
  review: ApprovalReview,
  token: string,
  { given, offer, onward }: { given?: Given; offer: PasskeyOffer | undefined; onward: Markup },
): Markup {
  const { approval, owner_email, mail, decides } = review;
  if (approval.status !== "pending")
    return decidedPage({ approval, review, decides, now: false }, token, onward);
  const request =
    mail === null
      ? html`<p><strong>${approval.summary}</strong></p>${webhookMarkup(review.webhook)}${review.held === null ? "" : suspectMarkup(review.held)}`
      : heldMarkup(mail, approval, token);
  return page(
    "Approve or reject",
    html`<div class="sheet">
${whoMarkup(review)}
<h1>${isRelease(review) ? "Release this email?" : questionOf(mail)}</h1>
<p>Your software agent ${agentName(review)} is asking you, <strong>${owner_email}</strong>.</p>
${given === undefined ? "" : problemMarkup(given)}
${reasonsMarkup(review.reasons)}
${request}
${versionsMarkup(review)}
${review.decides ? decideForm(review, token, { given, offer }) : authorityForm(review)}
<p class="soft">${nothingYet(mail)} until you approve. This request expires on ${shownTime(approval.expires_at)}.</p>
</div>`,
    "wide",
  );
}

/** Why the owner is asked, before everything that the agent wrote. */
const reasonsMarkup = (reasons: readonly string[]): Markup =>
  reasons.length === 0
    ? html``
    : html`<h2>Why you are asked</h2><ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`;

/** Why nothing was decided, and what else there is to know before it is. */
const problemMarkup = ({ problem, reasons }: Given): Markup => html`<div role="alert">
<p class="bad">${problem.message} ${problem.fix}</p>
${reasons.length === 0 ? "" : html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
</div>`;

function decideForm(
  review: ApprovalReview,
  token: string,
  { given, offer }: { given: Given | undefined; offer: PasskeyOffer | undefined },
): Markup {
  const { approval, mail } = review;
  const { values, digest } = given ?? {};
  const unseen = isRelease(review) && review.held === null;
  return html`<form method="post" action="approve">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="digest" value="${approval.digest}">
${digest === undefined ? "" : html`<input type="hidden" name="edited_digest" value="${digest}">`}
<label for="comment">Comment for your agent (optional)</label>
<textarea id="comment" name="comment" rows="3" maxlength="2000">
${values?.["comment"] ?? ""}</textarea>
${mail === null ? "" : html`<label class="pick"><input type="checkbox" name="remember_recipients" value="1"${values?.["remember_recipients"] === undefined ? "" : " checked"}> Remember whom it goes to: they are known to us</label>`}
${hasNumbers(approval) ? html`<label class="pick"><input type="checkbox" name="remember_values" value="1"${values?.["remember_values"] === undefined ? "" : " checked"}> Remember the bank account numbers in it: don't ask me about them again</label>` : ""}
${unseen ? "" : passkeyNote(review, offer)}
<div class="line">${unseen ? html`<button type="submit" name="decision" value="show">Show the email</button>` : approveButtons(review, isRelease(review) ? "Release" : "Approve")}
<button type="submit" name="decision" value="reject" class="quiet lone">Reject</button></div>
${passkeyEnd(review, offer)}
${editMarkup(mail, values, changesButton(review))}
</form>`;
}

/** Where a webhook would post, with which headers, and what. */
const webhookMarkup = (webhook: ApprovalReview["webhook"]): Markup =>
  webhook === null
    ? html``
    : html`<p>${webhook.is_new ? "This is a new address." : "This replaces an earlier address, or what is sent along."} Whoever runs this server gets to read the email of these inboxes, and need not ask you again.</p>
<dl><dt>Server</dt><dd><strong>${showHidden(webhook.host)}</strong></dd><dt>Full address</dt><dd><pre tabindex="0">${showHidden(webhook.url)}</pre></dd><dt>Headers</dt><dd>${webhook.headers.length === 0 ? "none" : showHidden(webhook.headers.join(", "))}</dd><dt>Inboxes</dt><dd>${webhook.inboxes.length === 0 ? "all inboxes of the account" : showHidden(webhook.inboxes.join(", "))}</dd></dl>`;

/** Whether they are asked because of a bank account number. */
const hasNumbers = ({ reasons }: ApprovalReview["approval"]): boolean =>
  reasons.some(({ code, detail }) => code === "personal_data" && detail?.startsWith("iban ") === true);

const isRelease = ({ approval }: ApprovalReview): boolean => approval.subject_type === "message_release";

/** A held mail: all of it as text, links as hosts, and why it was held. */
const suspectMarkup = (held: NonNullable<ApprovalReview["held"]>): Markup => html`
${held.reason === null ? "" : html`<h2>What your agent says</h2><pre tabindex="0">${showHidden(held.reason)}</pre>`}
<h2>Why it was held</h2>
${held.signals.length === 0 ? html`<p>Nothing is recorded.</p>` : html`<ul class="reasons">${held.signals.map((signal) => html`<li>${showHidden(signal)}</li>`)}</ul>`}
<h2>The email</h2>
<dl><dt>From</dt><dd>${showHidden(held.from_name === null ? held.from : `${held.from_name} <${held.from}>`)}</dd><dt>To</dt><dd>${showHidden(held.to.join(", "))}</dd><dt>Subject</dt><dd>${showHidden(held.subject || "(no subject)")}</dd><dt>Came</dt><dd>${shownTime(held.created_at)}</dd></dl>
${held.truncated ? html`<p class="bad">This email is too long for this page: its end is cut off.</p>` : ""}
${held.attachments.length === 0 ? "" : html`<h3>Attachments</h3><ul>${held.attachments.map(({ filename, content_type, size_bytes }) => html`<li>${showHidden(filename)} (${content_type}, ${size_bytes} bytes)</li>`)}</ul>`}
${held.html_text === null ? "" : html`<h3>As most people would see it</h3><pre tabindex="0">${showHidden(held.html_text)}</pre>`}
${held.text === null || held.text === held.html_text ? "" : html`<h3>Text</h3><pre tabindex="0">${showHidden(held.text)}</pre>`}`;

const PART_NAMES: Record<ApprovalReview["versions"][number]["changes"][number]["field"], string> = {
  to: "To",
  cc: "Cc",
  bcc: "Bcc",
  subject: "Subject",
  text: "Text",
  html: "HTML",
  attachments: "Attachments",
};

/** Shows the differences from the version that the person was asked about before. */
function versionsMarkup({ versions }: ApprovalReview): Markup {
  const later = versions.slice(1).filter(({ changes }) => changes.length > 0);
  if (later.length === 0) return html``;
  const rows = later.map(
    ({ at, changes }) =>
      html`<h3>Changed ${shownTime(at)}</h3><dl>${changes.map(
        ({ field, before, after }) =>
          html`<dt>${PART_NAMES[field]}</dt><dd>was</dd><dd><pre tabindex="0">${showHidden(before ?? "(nothing)")}</pre></dd><dd>is</dd><dd><pre tabindex="0">${showHidden(after ?? "(nothing)")}</pre></dd>`,
      )}</dl>`,
  );
  return html`<details><summary>Earlier versions, and what changed</summary>${rows}</details>`;
}

/** For an owner without authority, who reads the request and may ask to decide in future. */
const authorityForm = ({
  account_id,
  approval,
  owner_email,
}: ApprovalReview): Markup => html`<p>Somebody else has charge of this inbox and decides. You can ask them for authority, to decide in future.</p>
<form method="post" action="charge">
<input type="hidden" name="account_id" value="${account_id}">
<input type="hidden" name="inbox_id" value="${approval.inbox_id}">
<input type="hidden" name="email" value="${owner_email}">
<button type="submit" class="quiet">Ask for authority</button>
</form>`;

function questionOf(mail: Mail | null): string {
  if (mail === null) return "Allow this?";
  if (mail.kind === "sms") return `Send this text message to ${mail.to.join(", ")}?`;
  return mail.kind === "call" ? `Place this call to ${mail.to.join(", ")}?` : "Send this email?";
}

function nothingYet(mail: Mail | null): string {
  if (mail === null) return "Nothing will be done";
  return mail.kind === "call" ? "Nobody will be called" : "Nothing will be sent";
}

/** Shows the held item: a mail, or the words of a text or call. */
const heldMarkup = (mail: Mail, approval: ApprovalReview["approval"], token: string): Markup =>
  mail.kind === "sms" || mail.kind === "call" ? wordsMarkup(mail) : mailMarkup(mail, approval, token);

const wordsMarkup = ({ kind, call_mode, from, to, text }: Mail): Markup => html`<dl>
${from === "" ? "" : html`<dt>From</dt><dd>${from}</dd>`}<dt>To</dt><dd>${to.join(", ")}</dd></dl>
<h2>${kind === "sms" ? "Text message" : "What a voice says"}</h2><pre tabindex="0">${showHidden(text ?? "")}</pre>
${call_mode === "say_and_record" ? html`<p>The call begins by saying that it is recorded. What is said at the other end after the words is recorded.</p>` : ""}`;

function mailMarkup(mail: Mail, approval: ApprovalReview["approval"], token: string): Markup {
  const fields = [
    ["From", mail.from],
    ["To", mail.to.join(", ")],
    ["Cc", mail.cc.join(", ")],
    ["Bcc", mail.bcc.join(", ")],
    ["Reply-To", mail.reply_to ?? ""],
    [
      mail.owner_copy === "bcc" ? "Hidden copies to people in charge" : "Copies to people in charge",
      mail.owner_copies.join(", "),
    ],
    ["Subject", mail.subject || "(no subject)"],
    ...Object.entries(mail.headers),
    ["Scheduled for", mail.send_at === null ? "" : shownTimeWithYear(mail.send_at)],
  ].filter(([, value]) => value !== "");
  return html`<dl>${fields.map(([name, value]) => html`<dt>${name}</dt><dd>${showHidden(value ?? "")}</dd>`)}</dl>
${mail.truncated ? html`<p class="bad">This email is too long for this page: its end is cut off.</p>` : ""}
${attachmentsMarkup(mail, token)}
${bodiesMarkup(mail)}
${changesMarkup(approval)}`;
}

/** A mail's bodies: HTML rendered, as text and as source; text as it is. */
function bodiesMarkup({ text, html: source, html_text, html_renders }: Mail): Markup {
  if (source === null) return html`<h2>Text</h2><pre tabindex="0">${showHidden(text ?? "")}</pre>`;
  return html`${html_renders ? html`<h2>What most people will see</h2>${mailFrame(source)}` : ""}
<h2>As text</h2><pre tabindex="0">${showHidden(html_text ?? "")}</pre>
${text === null || text === html_text ? "" : html`<h2>Text for readers without HTML</h2><pre tabindex="0">${showHidden(text)}</pre>`}
<details><summary>HTML source</summary><pre tabindex="0">${showHidden(source)}</pre></details>`;
}

const CHANGE_NAMES: Record<ApprovalReview["approval"]["html_changes"][number], string> = {
  attributes: "tooltips and other attributes",
  characters: "control and direction characters",
  comments: "comments",
  elements: "elements that could change the meaning",
  forms: "forms",
  hidden_elements: "hidden elements",
  images: "images that are not attached",
  links: "links that lead elsewhere than to the web or a mailbox",
  media: "frames, drawings and media",
  scripts: "scripts",
  style_sheets: "style sheets",
  styles: "styles that could hide or move words",
  text: "the agent's own text version",
};

/** Lists the parts that were removed before the owner was asked. */
const changesMarkup = ({ html_changes }: ApprovalReview["approval"]): Markup =>
  html_changes.length === 0
    ? html``
    : html`<p class="soft">Taken out of the agent's email before it was shown here, so it will not be sent: ${html_changes.map((change) => CHANGE_NAMES[change]).join(", ")}.</p>`;

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

/** A request that was decided or has ended. */
export interface Decided {
  approval: ApprovalReview["approval"];
  /** Who asked, and about which mail, as far as it is still there. */
  review: Pick<ApprovalReview, "inbox_email" | "inbox_display_name" | "mail">;
  /** The person decides, so that the receipt is theirs too. */
  decides: boolean;
  /** It was decided just now, and not when the page was opened before. */
  now: boolean;
}

/** The page of a request that has been decided or has ended: what was decided, and what happens next. */
export function decidedPage(decided: Decided, token: string, onward: Markup): Markup {
  const { approval, review, decides } = decided;
  const { status, edited, summary, comment, imported, subject_type, decided_by } = approval;
  const title = edited ? "This was approved with changes" : STATUS_TITLES[status];
  const ended = status === "approved" || status === "rejected";
  // With an inbox or account that is deleted, the letter's link has ended.
  const gone =
    status === "approved" && (subject_type === "inbox_delete" || subject_type === "account_delete");
  const has_receipt = decides && !imported && ended && !gone;
  const leaves = status === "approved" && subject_type === "draft";
  const signed = decided_by?.method === "passkey";
  return page(
    title,
    html`<div class="sheet">
${whoMarkup(review)}
<h1>${title}</h1>
<p>${summary}</p>
${comment === null ? "" : html`<p>“${comment}”</p>`}
<p role="status">${nextOf(decided)}</p>
${has_receipt ? receiptMarkup(token, { leaves, signed }) : ""}
${onward}
</div>`,
  );
}

/** The receipt of a decision, with what it proves: no more than the pages on receipts say. */
const receiptMarkup = (
  token: string,
  { leaves, signed }: { leaves: boolean; signed: boolean },
): Markup => html`<form method="post" action="approve/receipt">
<input type="hidden" name="token" value="${token}">
<p>${signed ? "The receipt proves to anybody what was decided, about exactly what, and that your own device signed it." : "The receipt is this service's signed word on what was decided, when, and about exactly what; nobody can change it later."}${leaves ? " Once the email has left, it says that too." : ""}</p>
<button type="submit" class="quiet lone">Download the receipt</button>
</form>`;
