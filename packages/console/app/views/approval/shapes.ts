import type { ApprovalReview } from "@letterslot/client";
import { mailboxesInLines } from "@letterslot/core/mail";
import { words } from "../../words/index.ts";

export type Mail = NonNullable<ApprovalReview["mail"]>;

/** A longer text isn't changed in a form. */
const MAX_EDITED_CHARS = 100_000;

/** The parts of a mail that a person may change, as they stand in the form. */
export interface Edited {
  subject: string;
  to: string;
  cc: string;
  bcc: string;
  text: string;
  /** The ids of attachments that are left out. */
  without: readonly string[];
}

export const isWords = ({ kind }: Mail): boolean => kind === "sms" || kind === "call";

export const isEditable = ({ truncated, text }: Mail): boolean =>
  !truncated && (text?.length ?? 0) <= MAX_EDITED_CHARS;

const lines = (text: string): string => text.replace(/\r\n?/g, "\n");

/** A mail as its form begins. */
export const editedFrom = (mail: Mail): Edited => ({
  subject: mail.subject,
  to: mail.to.join("\n"),
  cc: mail.cc.join("\n"),
  bcc: mail.bcc.join("\n"),
  text: lines(mail.text ?? ""),
  without: [],
});

type Changes = {
  subject?: string;
  text?: string;
  to?: string[];
  cc?: string[];
  bcc?: string[];
  remove_attachments?: string[];
};

/** What a form changes in its mail; undefined where nothing. */
export function changesIn(mail: Mail, edited: Edited): Changes | undefined {
  const before = editedFrom(mail);
  const changes: Changes = {};
  if (edited.subject !== before.subject) changes.subject = edited.subject.replace(/\s*\n\s*/g, " ").trim();
  if (edited.text !== before.text) changes.text = edited.text;
  for (const part of ["to", "cc", "bcc"] as const)
    if (edited[part] !== before[part]) changes[part] = mailboxesInLines(edited[part]);
  if (edited.without.length > 0) changes.remove_attachments = [...edited.without];
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** Whom a mail goes to once it is changed as its form says. */
export function recipientsOf(mail: Mail, edited: Edited | null): string[] {
  const changes = edited === null ? undefined : changesIn(mail, edited);
  return (["to", "cc", "bcc"] as const).flatMap((part) => changes?.[part] ?? mail[part]);
}

/** What an approval asks, as a question. */
export function questionOf({ approval, mail }: ApprovalReview): string {
  const text = words.approval.questions;
  if (approval.subject_type === "message_release") return text.release;
  if (mail === null) return text.other;
  return mail.kind === "sms" || mail.kind === "call" ? text[mail.kind] : text.mail;
}

export const agentOf = ({
  inbox_display_name,
  inbox_email,
}: Pick<ApprovalReview, "inbox_display_name" | "inbox_email">): string =>
  inbox_display_name === null ? inbox_email : `${inbox_display_name} <${inbox_email}>`;

/** Whether a person is asked because of a bank account number. */
export const hasNumbers = ({ approval }: ApprovalReview): boolean =>
  approval.reasons.some(
    ({ code, detail }) => code === "personal_data" && detail?.startsWith("iban ") === true,
  );

/** The state of an approval in a word. */
export const statusWord = (
  { status, edited }: ApprovalReview["approval"],
  of: { readonly [status: string]: string } = words.approval.status,
): string => of[status === "approved" && edited ? "edited" : status] ?? status;
