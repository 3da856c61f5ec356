import { fail } from "../../catalogue/errors.ts";
import type { VersionChange } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import { mailboxText, type Names, namesOf } from "../../model/mailbox.ts";

/** A person's changes to a mail that waits for them; fields that are left out stay. */
export interface DraftChanges {
  subject?: string | undefined;
  text?: string | null | undefined;
  html?: string | null | undefined;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  /** The display names of the addresses that are given. */
  names?: Names | undefined;
  /** The ids of attachments that are dropped. */
  remove_attachments?: string[] | undefined;
}

/** The parts of a text or call that can be changed. */
const PHONE_PARTS: readonly string[] = ["text"];

/**
 * The draft as a person changes it, before it is cleaned and judged. A new text without HTML makes the mail plain: the
 * HTML would still have the old words. Fails with `attachment_not_found`, and with `invalid_draft` for parts that a
 * text or call doesn't have.
 */
export function changedDraft(draft: DraftRecord, changes: DraftChanges): DraftRecord {
  const { names = {}, remove_attachments = [], ...parts } = changes;
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  const phone = draft.kind === "sms" || draft.kind === "call";
  const strange = [
    ...Object.keys(given),
    ...(remove_attachments.length > 0 ? ["remove_attachments"] : []),
  ].find((part) => phone && !PHONE_PARTS.includes(part));
  if (strange !== undefined)
    throw fail("invalid_draft", {
      param: `changes.${strange}`,
      message: "Only the words of a text or call can be changed.",
      fix: "Change its text alone, or reject it.",
    });
  const missing = remove_attachments.find((id) => !draft.attachments.some((file) => file.id === id));
  if (missing !== undefined) throw fail("attachment_not_found", { param: "changes.remove_attachments" });
  const made_plain = parts.text !== undefined && parts.html === undefined;
  const changed = { ...draft, ...given, ...(made_plain ? { html: null } : {}) };
  const anew = [...(parts.to ?? []), ...(parts.cc ?? []), ...(parts.bcc ?? [])];
  const kept = Object.entries(draft.names).filter(([address]) => !anew.includes(address));
  const { to, cc, bcc, reply_to } = changed;
  return {
    ...changed,
    names: namesOf([...to, ...cc, ...bcc, reply_to], { ...Object.fromEntries(kept), ...names }),
    // What was cleaned out of the agent's HTML says nothing of the person's.
    html_changes: changed.html === draft.html ? draft.html_changes : [],
    attachments: draft.attachments.filter(({ id }) => !remove_attachments.includes(id)),
  };
}

/** The content of a mail as `mailContent` makes it. */
type Content = Record<string, unknown>;

/** Compares two versions of a mail by their contents; the differences stand in the order in which a mail shows them. */
export function differences(before: Content, after: Content, max_chars: number): VersionChange[] {
  return FIELDS.flatMap(({ field, shown }) => {
    const [was, is] = [shown(before), shown(after)];
    return was === is ? [] : [{ field, before: cut(was, max_chars), after: cut(is, max_chars) }];
  });
}

const cut = (text: string | null, max_chars: number): string | null =>
  text === null || text.length <= max_chars ? text : `${text.slice(0, max_chars - 1).toWellFormed()}…`;

const lines = (entries: readonly string[]): string | null =>
  entries.length === 0 ? null : entries.join("\n");

const recipients = (field: "to" | "cc" | "bcc") => ({
  field,
  shown: (content: Content) =>
    lines((content[field] as string[]).map((address) => mailboxText(address, content["names"] as Names))),
});

const words = (field: "subject" | "text" | "html") => ({
  field,
  shown: (content: Content) => (content[field] as string | null) || null,
});

const FIELDS: readonly { field: VersionChange["field"]; shown: (content: Content) => string | null }[] = [
  ...(["to", "cc", "bcc"] as const).map(recipients),
  ...(["subject", "text", "html"] as const).map(words),
  {
    field: "attachments",
    shown: (content) =>
      lines((content["attachments"] as { filename: string }[]).map(({ filename }) => filename)),
  },
];
