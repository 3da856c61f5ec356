import { SENTENCES } from "../../catalogue/letter-frames.ts";
import { shownTime, shownTimeWithYear } from "../../catalogue/shown-time.ts";
import { showHidden } from "../../mail/outgoing-html/characters.ts";
import type { ApprovalRecord, ApprovalSubject } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { Letter } from "../../model/letters.ts";
import { mailboxText } from "../../model/mailbox.ts";
import { agentName, type Block, ellipsize, layOut, oneLine } from "./layout.ts";
import { stylePageLink } from "./owner-pages.ts";

const MAX_SUMMARY_CHARS = 200;
/** As much as a block of a letter holds. */
const MAX_BLOCK_CHARS = 10_000;
const MAX_FACT_CHARS = 2_000;
const MAX_ATTACHMENTS = 20;

/** The content of a request for approval. */
export interface Asked {
  subject: string;
  /** One line. */
  summary: string;
  blocks: Block[];
  /** The letter shows everything, so that a reply to it may decide. */
  whole: boolean;
}

/**
 * The request to send a draft. A mail's HTML was cleaned, so its text contains everything that the HTML shows. The
 * letter includes as much of it as it can hold, with invisible characters made visible, and says so when that isn't
 * all. Attachments, including images in the text, are never in the letter.
 */
export function draftAsked(draft: DraftRecord): Asked {
  return draft.kind === "sms" || draft.kind === "call" ? phoneAsked(draft) : mailAsked(draft);
}

/** The request to send a text or place a call: the letter always has all the words. */
function phoneAsked({ kind, to, text, call_mode }: DraftRecord): Asked {
  const [number = ""] = to;
  const words = text ?? "";
  const what = kind === "sms" ? `Send this text message to ${number}?` : `Place this call to ${number}?`;
  const nothing =
    kind === "sms" ? "Nothing will be sent until you approve." : "Nobody will be called until you approve.";
  const named = kind === "sms" ? `Text message to ${number}` : `Call to ${number}`;
  return {
    subject: `Approve this? ${named}`,
    summary: ellipsize(oneLine(`${named}: ${words}`), MAX_SUMMARY_CHARS),
    blocks: [
      { kind: "heading", text: what },
      { kind: "text", text: nothing },
      ...(kind === "call" ? [{ kind: "text" as const, text: callWords(call_mode) }] : []),
      { kind: "quote", text: showHidden(words) },
    ],
    whole: true,
  };
}

/** Describes the call apart from its words. */
const callWords = (mode: DraftRecord["call_mode"]): string =>
  mode === "say_and_record"
    ? "A voice says these words. The call begins by saying that it is recorded, and what is said at the other end after the words is recorded:"
    : "A voice says these words:";

function mailAsked(draft: DraftRecord): Asked {
  const { to, cc, bcc, reply_to, subject, text, headers, attachments, send_at } = draft;
  const body = showHidden(text ?? "");
  const named = (address: string) => mailboxText(address, draft.names);
  const facts = [
    ["To", to.map(named).join(", ")],
    ["Cc", cc.map(named).join(", ")],
    ["Bcc", bcc.map(named).join(", ")],
    ["Reply-To", reply_to === null ? "" : named(reply_to)],
    ["Subject", subject],
    ...Object.entries(headers),
    ["Attachments", attachmentsLine(attachments)],
    ["Send at", send_at === null ? "" : shownTimeWithYear(send_at)],
  ]
    .filter(([, value]) => value !== "")
    .map(([name = "", value = ""]) => [name, oneLine(showHidden(value))] as const);
  const length = facts.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const summary = ellipsize(
    oneLine(`Email to ${[...to, ...cc, ...bcc].join(", ")}: ${subject || "(no subject)"}`),
    MAX_SUMMARY_CHARS,
  );
  const whole =
    attachments.length === 0 &&
    Math.max(withBars(body), length) <= MAX_BLOCK_CHARS &&
    facts.every(([, value]) => value.length <= MAX_FACT_CHARS);
  return {
    subject: `Approve this email? ${subject}`,
    summary,
    blocks: [
      { kind: "heading", text: "Send this email?" },
      { kind: "text", text: "Nothing will be sent until you approve." },
      { kind: "facts", rows: facts },
      { kind: "quote", text: ellipsize(body, MAX_BLOCK_CHARS) },
      ...(whole
        ? []
        : [{ kind: "note" as const, text: "This is not the whole email. Open the page to see all of it." }]),
    ],
    whole,
  };
}

/** The length of a quote in the text part, with the bar and the blank before each line. */
const withBars = (words: string): number => words.length + 2 * words.split("\n").length;

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
  change: Record<string, string>,
): Asked {
  if (subject_type === "message_release") return releaseAsked(inbox_email, change);
  const { email = "", over = "", inboxes = inbox_email } = change;
  const summary = {
    inbox_delete: `Delete the inbox ${inbox_email} and all its mail`,
    send_mode_change: `Let ${inbox_email} send email without your approval`,
    outbound_change: outboundWords(inbox_email, change),
    webhook_change: webhookWords(inbox_email, change),
    forwarding_add: forwardingWords(inbox_email, change),
    owner_add: `Make ${email} an owner of ${inbox_email}, who can approve like you`,
    owner_delete: `Remove ${email} as an owner of ${inbox_email}`,
    authority_grant: `Give ${email} authority over ${over}`,
    account_delete: `Delete the whole account of ${inboxes}, with all its inboxes, workspaces and email. Only its addresses are kept, so that nobody else ever gets them`,
  }[subject_type];
  return {
    subject: `Approve this? ${summary}`,
    summary: ellipsize(oneLine(summary), MAX_SUMMARY_CHARS),
    blocks: [
      { kind: "heading", text: "Approve this change?" },
      { kind: "text", text: `${summary}.` },
      { kind: "text", text: "Nothing will change until you approve." },
    ],
    // Changes of control are decided only on the page.
    whole: false,
  };
}

/** The request to release a held mail: none of its words leave the page. */
function releaseAsked(inbox_email: string, { from = "", reason }: Record<string, string>): Asked {
  const author = from === "" ? "somebody without an address" : oneLine(showHidden(from));
  const summary = ellipsize(`Release the held email from ${author} to ${inbox_email}`, MAX_SUMMARY_CHARS);
  const said: Block[] =
    reason === undefined
      ? []
      : [
          { kind: "text", text: "Your agent gives this reason:" },
          { kind: "quote", text: showHidden(reason) },
        ];
  return {
    subject: `Approve this? ${summary}`,
    summary,
    blocks: [
      { kind: "heading", text: "Release this email?" },
      { kind: "text", text: `${summary}.` },
      {
        kind: "text",
        text: "It looked suspicious, so your agent can't read it. Open the page to see its words before you decide.",
      },
      ...said,
    ],
    whole: false,
  };
}

/** Describes the effect of a new or changed webhook. */
function webhookWords(
  inbox_email: string,
  { url = "", inboxes = "", headers = "" }: Record<string, string>,
): string {
  const many = inboxes.split(", ").length;
  const whose =
    inboxes === ""
      ? "all inboxes of the account"
      : many === 1
        ? inbox_email
        : `${many} inboxes, ${inbox_email} among them`;
  const host = URL.canParse(url) ? new URL(url).host : url;
  const along = headers === "" ? "" : `, with the headers ${headers}`;
  return `Send what happens in ${whose}, with the words of its email, to the web server ${host}${along}`;
}

/** Describes the effect of a forwarding, and who wants it. */
function forwardingWords(
  inbox_email: string,
  { email = "", everything, asked_by = "" }: Record<string, string>,
): string {
  const what =
    everything === "true"
      ? `all mail that comes to ${inbox_email}`
      : `mail of ${inbox_email} that its rules choose`;
  return `Forward ${what} to ${email}. It was asked for by ${oneLine(showHidden(asked_by))}, and whoever reads ${email} agreed`;
}

const COPY_WORDS: Record<string, string> = {
  off: "send its email without a copy for people in charge",
  cc: "send people in charge a copy of its email, which recipients see",
  bcc: "send people in charge a copy of its email, which recipients don't see",
};

/** Describes the effect of a change of an inbox's guards. */
function outboundWords(inbox_email: string, { send_mode, ...others }: Record<string, string>): string {
  const { owner_copy, ...settings_asked } = others;
  const more = Object.entries(settings_asked).map(
    ([name, value]) => `${name} ${value === "null" ? "by its send mode" : value}`,
  );
  const copies = owner_copy === undefined ? undefined : COPY_WORDS[owner_copy];
  const mode = {
    direct: "send email without your approval",
    guarded: "send email without your approval unless something speaks against it",
    approval: "send no email without your approval",
  }[send_mode ?? ""];
  const settings =
    more.length === 0
      ? ""
      : `change how ${mode === undefined ? "its" : "the"} email is checked (${more.join(", ")})`;
  return `Let ${inbox_email} ${[mode, copies, settings].filter((part) => part !== undefined && part !== "").join(", and ")}`;
}

/**
 * The request repeated after a reply that was unclear or didn't count (`uncounted`); in the latter case only the page
 * decides. `asked` is the first request, repeated where possible.
 */
export function askedAgain(
  { summary }: Pick<ApprovalRecord, "summary">,
  asked: Asked | null,
  uncounted: boolean,
): Asked {
  const whole = !uncounted && asked?.whole === true;
  const why = uncounted
    ? "We can't take your reply as a decision, so nothing has been done yet. Please use the button to decide. Your agent asked:"
    : "We couldn't tell from your reply whether you approve, so nothing has been done yet. Your agent asked:";
  return {
    subject: `Re: Approve this? ${summary}`,
    summary,
    blocks: [
      { kind: "heading", text: "Approve or reject?" },
      { kind: "text", text: why },
      ...(whole && asked !== null
        ? asked.blocks.filter(({ kind }) => kind !== "heading")
        : [{ kind: "quote" as const, text: summary }]),
    ],
    whole,
  };
}

/** The request with its reasons below the heading, before everything that its agent wrote. */
function reasonedBlocks([heading, ...rest]: readonly Block[], reasons: readonly string[]): Block[] {
  const items = reasons.map((text) => ({ text, more: null }));
  const why: Block[] =
    items.length === 0
      ? []
      : [
          { kind: "section", text: "Why you are asked" },
          { kind: "list", items },
        ];
  return heading === undefined ? why : [heading, ...why, ...rest];
}

/**
 * The letter that asks an owner to decide. `shown` is the copy that the agent can read: it lacks the link, so
 * that the agent can't approve its own mail.
 */
export function approvalLetters(
  { subject, blocks, whole }: Asked,
  {
    inbox_email,
    display_name,
    expires_at,
    reasons,
    url,
    style_url,
  }: {
    inbox_email: string;
    display_name: string | null;
    expires_at: string;
    /** Why it is asked, in sentences: for the copy, and for this person. */
    reasons: { shown: readonly string[]; sealed: readonly string[] };
    url: string;
    style_url: string | null;
  },
): { shown: Letter; sealed: Letter } {
  const agent = agentName({ inbox_email, display_name });
  const face = { from: { inbox_email, display_name }, tone: "approval" as const };
  const intro: Block[] = [{ kind: "note", text: `Your agent ${agent} ${SENTENCES.approval.intro}` }];
  const how: Block[] = whole
    ? [{ kind: "text", text: "Or reply with APPROVE, or with REJECT and a reason if you like." }]
    : [];
  const footer: Block[] = [
    {
      kind: "note",
      text: `${SENTENCES.approval.expires} ${shownTime(expires_at)}.`,
    },
    { kind: "note", text: `${SENTENCES.approval.from} ${inbox_email}.` },
  ];
  const button: Block = { kind: "buttons", buttons: [{ label: SENTENCES.approval.button, url }] };
  const without: Block = {
    kind: "note",
    text: "(Only the owner's copy contains the link.)",
  };
  return {
    shown: layOut({
      subject,
      ...face,
      blocks: [...intro, ...reasonedBlocks(blocks, reasons.shown), without, ...how],
      footer,
    }),
    sealed: layOut({
      subject,
      ...face,
      blocks: [...intro, ...reasonedBlocks(blocks, reasons.sealed), button, ...how],
      footer: style_url === null ? footer : [...footer, stylePageLink({ style_url })],
    }),
  };
}
