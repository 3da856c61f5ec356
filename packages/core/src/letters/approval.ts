import { htmlToText } from "../mail/new-words/extract.ts";
import type { Letter } from "../messages/index.ts";
import type { ApprovalRecord, ApprovalSubject } from "../model/approvals.ts";
import type { DraftRecord } from "../model/drafts.ts";
import { type Block, cut, layOut, oneLine } from "./layout.ts";
import { stylePageLink } from "./owner-pages.ts";

const summaryChars = 200;
const readHtmlChars = 200_000;
const shownTextChars = 6_000;
const shownAttachments = 20;

/** What an owner is asked. */
export interface Asked {
  subject: string;
  /** One line. */
  summary: string;
  blocks: Block[];
}

/**
 * What is asked about a mail: all of it that a letter can hold, and a word about the rest. Recipients read
 * the html, so it is shown if there is one.
 */
export function mailAsked(draft: DraftRecord): Asked {
  const { to, cc, bcc, reply_to, subject, text, html, headers, attachments, send_at } = draft;
  const body = html === null ? (text ?? "") : htmlToText(html.slice(0, readHtmlChars));
  const facts = [
    ["To", to.join(", ")],
    ["Cc", cc.join(", ")],
    ["Bcc", bcc.join(", ")],
    ["Reply-To", reply_to ?? ""],
    ["Subject", subject],
    ...Object.entries(headers),
    ["Attachments", attachmentsLine(attachments)],
    ["To be sent at", send_at ?? ""],
  ].filter(([, value]) => value !== "");
  const summary = cut(
    oneLine(`Mail to ${[...to, ...cc, ...bcc].join(", ")}: ${subject || "(no subject)"}`),
    summaryChars,
  );
  const whole =
    body.length <= shownTextChars &&
    attachments.length === 0 &&
    (html === null || (text === null && html.length <= readHtmlChars));
  return {
    subject: `Approve this mail? ${subject}`,
    summary,
    blocks: [
      { kind: "heading", text: "May this mail be sent?" },
      {
        kind: "text",
        text: facts.map(([name, value]) => `${name}: ${cut(oneLine(value ?? ""), 2_000)}`).join("\n"),
      },
      { kind: "text", text: marked(cut(body, shownTextChars)) },
      ...(whole
        ? []
        : [{ kind: "note" as const, text: "This letter does not show all of it; the page does." }]),
    ],
  };
}

/** Every line of somebody else's words begins with a bar, so that they can't pass for ours. */
const marked = (words: string): string =>
  words
    .split(/\r\n?|\n/)
    .map((line) => `| ${line}`)
    .join("\n");

function attachmentsLine(attachments: DraftRecord["attachments"]): string {
  const named = attachments
    .slice(0, shownAttachments)
    .map(({ filename, size_bytes }) => `${filename} (${size_bytes} bytes)`);
  const more = attachments.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/** What is asked about a change of an inbox in approval mode. */
export function changeAsked(
  subject_type: Exclude<ApprovalSubject, "draft">,
  inbox_email: string,
  { email = "" }: Record<string, string>,
): Asked {
  const summary = {
    inbox_delete: `Delete the inbox ${inbox_email} with all its mail`,
    send_mode_change: `Let ${inbox_email} send mail without your approval`,
    owner_add: `Make ${email} an owner of ${inbox_email}, who can approve as you can`,
    owner_delete: `Remove ${email} from the owners of ${inbox_email}`,
  }[subject_type];
  return {
    subject: `Approve this? ${summary}`,
    summary: cut(oneLine(summary), summaryChars),
    blocks: [
      { kind: "heading", text: "May this be done?" },
      { kind: "text", text: `${summary}.` },
    ],
  };
}

/** What is asked once more when an answer could not be understood. */
export function askedAgain({ summary }: Pick<ApprovalRecord, "summary">): Asked {
  return {
    subject: `Re: Approve this? ${summary}`,
    summary,
    blocks: [
      { kind: "heading", text: "Yes or no?" },
      { kind: "text", text: "Your answer could be read either way, so nothing was done. It is about this:" },
      { kind: "text", text: marked(summary) },
    ],
  };
}

/**
 * The letter that asks an owner to decide. `shown` is the copy that the agent can read: it lacks the link, so
 * that an agent can't approve its own mail.
 */
export function approvalLetters(
  { subject, blocks }: Asked,
  {
    inbox_email,
    display_name,
    expires_at,
    url,
    style_url,
  }: { inbox_email: string; display_name: string | null; expires_at: string; url: string; style_url: string },
): { shown: Letter; sealed: Letter } {
  const who = display_name === null ? inbox_email : `${display_name} (${inbox_email})`;
  const intro: Block[] = [{ kind: "note", text: `Your software agent ${who} asks for your approval.` }];
  const how: Block = {
    kind: "text",
    text: "Or answer this letter with APPROVE, or with REJECT and, if you like, why.",
  };
  const footer: Block[] = [
    {
      kind: "note",
      text: `Without your word nothing is done. The question ends on ${expires_at.slice(0, 16).replace("T", " ")} UTC.`,
    },
    { kind: "note", text: `Sent on behalf of ${inbox_email}.` },
  ];
  const button: Block = { kind: "buttons", buttons: [{ label: "Look at all of it and decide", url }] };
  const without: Block = {
    kind: "note",
    text: "(The link to decide is only in the copy that the owner received.)",
  };
  return {
    shown: layOut({ subject, blocks: [...intro, ...blocks, without, how], footer }),
    sealed: layOut({
      subject,
      blocks: [...intro, ...blocks, button, how],
      footer: [...footer, stylePageLink({ style_url })],
    }),
  };
}
