import type { Services } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import type { Outgoing } from "../../../mailbox/messages/index.ts";
import { blobHashesOf, placesOf, scheduleBlobCollection } from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { showDraftInEvent } from "./show.ts";

/** The mail that a draft becomes, and how the draft came about. */
export interface DraftRequest extends Outgoing {
  kind?: DraftRecord["kind"] | undefined;
  forward_of?: string | null | undefined;
  include_attachments?: boolean | undefined;
  send_at?: string | null | undefined;
  task_id?: string | undefined;
  task_status?: DraftRecord["task_status"] | undefined;
  call_mode?: DraftRecord["call_mode"] | undefined;
  /** The key that asks for it; null for a person or an app. */
  asked_by: string | null;
}

/**
 * Stores a draft in the caller's transaction, with `draft.created` and, with `send_at`, the job that sends
 * it. When a draft with the same client_id exists, returns that and `inserted: false`.
 */
export async function storeDraft(
  services: Pick<Services, "makeId" | "options">,
  work: Work,
  inbox: InboxRecord,
  request: DraftRequest,
  now: Date,
): Promise<{ draft: DraftRecord; inserted: boolean }> {
  const {
    kind = "new",
    forward_of = null,
    include_attachments = true,
    send_at = null,
    task_id = null,
    task_status = null,
    call_mode = null,
    asked_by,
    ...mail
  } = request;
  const { update_task_id: _update, ...words } = mail;
  const { record, inserted } = await work.insert("drafts", {
    ...words,
    names: words.names ?? {},
    id: services.makeId("dft"),
    account_id: inbox.account_id,
    inbox_id: inbox.id,
    kind,
    forward_of,
    include_attachments,
    send_at,
    html_changes: [],
    send_status: send_at === null ? "draft" : "scheduled",
    send_error: null,
    approval_status: null,
    approval_id: null,
    created_at: iso(now),
    updated_at: iso(now),
    message_id: null,
    asked_by_key_id: asked_by,
    task_id,
    task_status,
    call_mode,
  });
  if (!inserted) return { draft: record, inserted };
  addBlobUses(work, record);
  if (send_at !== null) work.job({ kind: "draft.send", subject_id: record.id, due_at: new Date(send_at) });
  work.publish({
    type: "draft.created",
    inbox_id: inbox.id,
    data: { draft: showDraftInEvent(record, services.options) },
  });
  return { draft: record, inserted };
}

/** Records that a draft uses the blobs of its attachments, so that they are kept, and counts their bytes. */
export function addBlobUses(work: Work, { id, attachments }: Pick<DraftRecord, "id" | "attachments">): void {
  work.countBytes(bytesOf(attachments));
  work.append(
    "blob_uses",
    blobHashesOf({ raw_hash: null, attachments }).map((hash) => ({ hash, message_id: id })),
  );
  work.append("attachment_places", placesOf({ id, attachments }));
}

/** Removes the record that a draft uses the blobs of its attachments, and their bytes from the count. */
export async function removeBlobUses(
  work: Work,
  { id, attachments }: Pick<DraftRecord, "id" | "attachments">,
): Promise<void> {
  const hashes = blobHashesOf({ raw_hash: null, attachments });
  await work.delete("blob_uses", { hash: { in: hashes }, message_id: id });
  if (attachments.length > 0)
    await work.delete("attachment_places", {
      attachment_id: { in: attachments.map((each) => each.id) },
      message_id: id,
    });
  work.countBytes(-bytesOf(attachments));
}

/** The bytes that a draft's attachments take of the account's storage. */
export const bytesOf = (attachments: DraftRecord["attachments"]): number =>
  attachments.reduce((sum, { size_bytes }) => sum + size_bytes, 0);

/** Deletes a draft with its jobs; blobs that nothing else uses are collected later. */
export async function deleteDraft(
  work: Work,
  draft: Pick<DraftRecord, "id" | "attachments">,
  now: Date,
): Promise<void> {
  await work.delete("jobs", { subject_id: draft.id, kind: "draft.send" });
  await removeBlobUses(work, draft);
  await work.delete("drafts", { id: draft.id });
  scheduleBlobCollection(
    work,
    draft.attachments.map(({ hash }) => hash),
    now,
  );
}
