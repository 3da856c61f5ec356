import { htmlToText } from "../mail/new-words/extract.ts";
import type { Letter } from "../messages/index.ts";
import type { ApprovalRecord, ApprovalSubject } from "../model/approvals.ts";
import type { DraftRecord } from "../model/drafts.ts";
import { agentName, type Block, ellipsize, layOut, oneLine, shownTime } from "./layout.ts";
import { stylePageLink } from "./owner-pages.ts";

const MAX_SUMMARY_CHARS = 200;
const MAX_HTML_CHARS = 200_000;
const MAX_TEXT_CHARS = 6_000;
const MAX_ATTACHMENTS = 20;

/** The content of a request for approval. */
export interface Asked {
  subject: string;
  /** One line. */
  summary: string;
  blocks: Block[];
}

/**
 * The request to send a mail. It shows as much of the mail as a letter can hold, and says so when that isn't
 * all. Recipients see the HTML, so the HTML is shown if there is one.
 */
export function mailAsked(draft: DraftRecord): Asked {
  const { to, cc, bcc, reply_to, subject, text, html, headers, attachments, send_at } = draft;
  const body = html === null ? (text ?? "") : htmlToText(html.slice(0, MAX_HTML_CHARS));
  const facts = [
    ["To", to.join(", ")],
    ["Cc", cc.join(", ")],
    ["Bcc", bcc.join(", ")],
    ["Reply-To", reply_to ?? ""],
    ["Subject", subject],
    ...Object.entries(headers),
    ["Attachments", attachmentsLine(attachments)],
    ["Send at", send_at ?? ""],
  ].filter(([, value]) => value !== "");
  const summary = ellipsize(
    oneLine(`Email to ${[...to, ...cc, ...bcc].join(", ")}: ${subject || "(no subject)"}`),
    MAX_SUMMARY_CHARS,
  );
  const whole =
    body.length <= MAX_TEXT_CHARS &&
    attachments.length === 0 &&
    (html === null || (text === null && html.length <= MAX_HTML_CHARS));
  return {
    subject: `Approve this email? ${subject}`,
    summary,
    blocks: [
      { kind: "heading", text: "Send this email?" },
      { kind: "text", text: "Nothing will be sent until you approve." },
      {
        kind: "text",
        text: facts.map(([name, value]) => `${name}: ${ellipsize(oneLine(value ?? ""), 2_000)}`).join("\n"),
      },
      { kind: "text", text: marked(ellipsize(body, MAX_TEXT_CHARS)) },
      ...(whole
        ? []
        : [{ kind: "note" as const, text: "This is not the whole email. Open the page to see all of it." }]),
    ],
  };
}

/** Marks every line of a quoted text with a bar, so that it can't pass for the service's own words. */
const marked = (words: string): string =>
  words
    .split(/\r\n?|\n/)
    .map((line) => `| ${line}`)
    .join("\n");

function attachmentsLine(attachments: DraftRecord["attachments"]): string {
  const named = attachments
    .slice(0, MAX_ATTACHMENTS)
    .map(({ filename, size_bytes }) => `${filename} (${size_bytes} bytes)`);
  const more = attachments.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** The request to change an inbox in approval mode. */
export function changeAsked(
  subject_type: Exclude<ApprovalSubject, "draft">,
  inbox_email: string,
  { email = "", over = "" }: Record<string, string>,
): Asked {
  const summary = {
    inbox_delete: `Delete the inbox ${inbox_email} and all its mail`,
    send_mode_change: `Let ${inbox_email} send email without your approval`,
    owner_add: `Make ${email} an owner of ${inbox_email}, who can approve like you`,
    owner_delete: `Remove ${email} as an owner of ${inbox_email}`,
    authority_grant: `Give ${email} authority over ${over}`,
  }[subject_type];
  return {
    subject: `Approve this? ${summary}`,
    summary: ellipsize(oneLine(summary), MAX_SUMMARY_CHARS),
    blocks: [
      { kind: "heading", text: "Approve this change?" },
      { kind: "text", text: `${summary}.` },
      { kind: "text", text: "Nothing will change until you approve." },
    ],
  };
}

/** The request repeated after an unclear reply. */
export function askedAgain({ summary }: Pick<ApprovalRecord, "summary">): Asked {
  return {
    subject: `Re: Approve this? ${summary}`,
    summary,
    blocks: [
      { kind: "heading", text: "Approve or reject?" },
      {
        kind: "text",
        text: "We couldn't tell from your reply whether you approve, so nothing has been done yet. Your agent asked:",
      },
      { kind: "text", text: marked(summary) },
    ],
  };
}

/**
 * The letter that asks an owner to decide. `shown` is the copy that the agent can read: it lacks the link, so
 * that the agent can't approve its own mail.
 */
export function approvalLetters(
  { subject, blocks }: Asked,
  {
    inbox_email,
    display_name,
    expires_at,
    url,
    style_url,
  }: { inbox_email: string; display_name: string | null; expires_at: string; url: string; style_url: string | null },
): { shown: Letter; sealed: Letter } {
  const agent = agentName({ inbox_email, display_name });
  const intro: Block[] = [{ kind: "note", text: `Your agent ${agent} needs your approval.` }];
  const how: Block = {
    kind: "text",
    text: "Or reply with APPROVE, or with REJECT and a reason if you like.",
  };
  const footer: Block[] = [
    {
      kind: "note",
      text: `This request expires on ${shownTime(expires_at)}.`,
    },
    { kind: "note", text: `Sent on behalf of ${inbox_email}.` },
  ];
  const button: Block = { kind: "buttons", buttons: [{ label: "Review and decide", url }] };
  const without: Block = {
    kind: "note",
    text: "(Only the owner's copy contains the link.)",
  };
  return {
    shown: layOut({ subject, blocks: [...intro, ...blocks, without, how], footer }),
    sealed: layOut({
      subject,
      blocks: [...intro, ...blocks, button, how],
      footer: style_url === null ? footer : [...footer, stylePageLink({ style_url })],
    }),
  };
}
