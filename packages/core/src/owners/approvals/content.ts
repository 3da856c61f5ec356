import { createHash } from "node:crypto";
import { ownerCopiesOf } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { canonicalJson } from "../../kernel/idempotency.ts";
import type { ApprovalSubject } from "../../model/approvals.ts";
import type { DraftRecord } from "../../model/drafts.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** The fields of a mail's inbox that it shows, and who in charge of it gets a copy. */
export type Sender = Pick<InboxRecord, "email" | "display_name" | "owner_copy"> & {
  copies: readonly string[];
};

/** An inbox as the sender of a mail that leaves now. */
export const senderOf = async (
  own: Pick<Services, "options">,
  storage: StorageReader,
  inbox: InboxRecord,
): Promise<InboxRecord & Sender> => ({ ...inbox, copies: await ownerCopiesOf(own, storage, inbox) });

/** The fields of a draft that are sent. */
type Content = Pick<
  DraftRecord,
  | ("kind" | "to" | "cc" | "bcc" | "reply_to" | "names" | "subject" | "headers" | "text" | "html")
  | ("in_reply_to" | "references" | "send_at" | "call_mode" | "attachments")
>;

/**
 * Everything that is approved of a mail, text or call: all headers except Date and Message-ID, both bodies, each
 * attachment with the SHA-256 of its bytes, and the send time. Published, as people compute digests of it.
 */
export function mailContent(inbox: Sender, draft: Content): Record<string, unknown> {
  const { kind, to, cc, bcc, reply_to, names, subject, headers, text, html, ...more } = draft;
  const { in_reply_to, references, send_at, call_mode } = more;
  return {
    type: kind === "sms" || kind === "call" ? kind : "mail",
    from: { address: inbox.email, name: inbox.display_name },
    ...{ to, cc, bcc, reply_to, names, subject, headers, text, html },
    ...{ in_reply_to, references, send_at, call_mode: call_mode ?? null },
    ...(isCopied(inbox, draft) ? { owner_copy: { as: inbox.owner_copy, to: inbox.copies } } : {}),
    attachments: draft.attachments.map(
      ({ filename, content_type, parameters = {}, content_id, disposition, hash }) => ({
        ...{ filename, content_type, parameters, content_id, disposition, sha256: hash },
      }),
    ),
  };
}

/** Texts and calls have no copies. */
const isCopied = ({ copies }: Sender, { kind }: Content): boolean =>
  copies.length > 0 && kind !== "sms" && kind !== "call";

/** Everything that is approved of a change; secrets in it are told apart by their fingerprint. */
export const changeContent = (
  type: ApprovalSubject,
  subject_id: string,
  { sealed: _secrets, ...change }: Record<string, string>,
): Record<string, unknown> => ({ type, subject_id, change });

/** A content by RFC 8785: the text whose UTF-8 bytes are hashed. */
export const canonicalText = (content: Record<string, unknown>): string => canonicalJson(content);

/** The digest of a canonical text, as approvals show it. */
export const digestOfText = (text: string): string =>
  `sha-256:${createHash("sha256").update(text).digest("hex")}`;

/** Binds an approval to a mail: any change to what the owner saw changes the digest. */
export const mailDigest = (inbox: Sender, draft: Content & Partial<DraftRecord>): string =>
  digestOfText(canonicalText(mailContent(inbox, draft)));

/** Binds an approval to a change of an inbox. */
export const changeDigest = (
  subject_type: ApprovalSubject,
  subject_id: string,
  change: Record<string, string>,
): string => digestOfText(canonicalText(changeContent(subject_type, subject_id, change)));

/** Whether a digest is of this mail, in the form of today or of before. */
export const isDigestOf = (digest: string, inbox: Sender, draft: DraftRecord): boolean =>
  digest.startsWith("sha-256:")
    ? digest === mailDigest(inbox, draft)
    : digest === unprefixedDigest(inbox, draft);

/**
 * The digest from before the content was published: approvals that were open then, and approved mail that waits for
 * its time, keep it.
 */
function unprefixedDigest(inbox: Sender, draft: DraftRecord): string {
  const { to, cc, bcc, reply_to, subject, headers, text, html, in_reply_to, references, send_at } = draft;
  const attachments = draft.attachments.map(
    ({ filename, content_type, parameters, content_id, disposition, hash }) => ({
      ...{ filename, content_type, content_id, disposition, hash },
      ...(parameters === undefined ? {} : { parameters }),
    }),
  );
  const facts = {
    from: { address: inbox.email, name: inbox.display_name },
    ...{ to, cc, bcc, reply_to, subject, headers, text, html, in_reply_to, references, send_at, attachments },
    ...(draft.kind === "sms" || draft.kind === "call"
      ? { kind: draft.kind, call_mode: draft.call_mode }
      : {}),
    ...(Object.keys(draft.names).length === 0 ? {} : { names: draft.names }),
  };
  return createHash("sha256").update(canonicalJson(facts)).digest("hex");
}
