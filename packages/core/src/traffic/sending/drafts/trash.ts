import type { withinReach } from "../../../kernel/access/caller.ts";
import type { InboxContext, Services } from "../../../kernel/context.ts";
import { pageOf } from "../../../kernel/page.ts";
import {
  checkMayRestore,
  findTrashed,
  listTrash,
  purgeTrash,
  trashedBy,
  trashedToRestore,
  withTrashFields,
} from "../../../mailbox/messages/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import { iso } from "../../../model/fields.ts";
import type { TrashRecord } from "../../../model/trash.ts";
import { voidApprovals } from "../../../owners/approvals/index.ts";
import { findDraft } from "./find.ts";
import { checkNotSending } from "./rules.ts";
import { showDraftInList } from "./show.ts";
import { bytesOf, deleteDraft } from "./store.ts";

/**
 * Moves a draft to the trash, or deletes it for good, also from there. Its schedule and approval requests end. Returns
 * until when it can be restored. Fails with `draft_not_found` or `draft_sending`.
 */
export const removeDraft = (
  ctx: InboxContext,
  draft_id: string,
  permanent: boolean,
): Promise<string | null> =>
  ctx.transaction(async (work) => {
    const { inbox, now } = ctx;
    const trashed = permanent ? await findTrashed(work, inbox.id, draft_id) : undefined;
    if (trashed?.id.startsWith("dft_") === true) {
      await purgeTrash(work, [trashed], now);
      return null;
    }
    const draft = await findDraft(work, inbox.id, draft_id);
    checkNotSending(draft);
    await voidApprovals(work, draft_id, now);
    if (permanent) {
      await deleteDraft(work, draft, now);
      return null;
    }
    // As its approvals left it.
    const ended = await findDraft(work, inbox.id, draft_id);
    await work.delete("jobs", { subject_id: draft_id, kind: "draft.send" });
    await work.delete("drafts", { id: draft_id });
    const by = trashedBy(ctx);
    const { id, account_id, inbox_id, thread_id, attachments } = ended;
    work.append("trash", [
      {
        ...{ id, account_id, inbox_id, thread_id },
        ...by,
        ...{ group_id: null, body: null, tasks: [], size_bytes: bytesOf(attachments) },
        record: unscheduled(ended),
      },
    ]);
    return by.restorable_until;
  });

/**
 * Takes a draft out of the trash. Meanwhile another may have got its client_id, and keeps it. Fails with
 * `draft_not_found`, `not_in_trash` or `owner_only`.
 */
export const restoreDraft = (ctx: InboxContext, draft_id: string): Promise<DraftRecord> =>
  ctx.transaction(async (work) => {
    const trashed = await trashedToRestore(work, "dft", ctx.inbox.id, draft_id);
    checkMayRestore(ctx.caller, trashed);
    const { id, account_id, inbox_id, thread_id } = trashed;
    await work.delete("trash", { id });
    const own = { id, account_id, inbox_id, thread_id, updated_at: iso(ctx.now) };
    const draft = { ...trashed.record, ...own } as DraftRecord;
    const { record, inserted } = await work.insert("drafts", draft);
    return inserted ? record : (await work.insert("drafts", { ...draft, client_id: null })).record;
  });

/** A draft that waits for no time. */
const unscheduled = (draft: DraftRecord): DraftRecord =>
  draft.send_status === "scheduled" ? { ...draft, send_status: "draft", send_at: null } : draft;

/** A page of the drafts in the trash, newest first. */
export async function pageOfTrashedDrafts(
  { storage, options }: Pick<Services, "storage" | "options">,
  scope: ReturnType<typeof withinReach>,
  { limit, cursor }: { limit: number; cursor: string | undefined },
) {
  const page = await pageOf<TrashRecord>({
    filter: { list: "drafts.trash", ...scope },
    limit,
    cursor,
    read: (after, count) => listTrash(storage, scope, "dft", { order: "desc" }, after, count),
    position: ({ id }) => id,
  });
  const shown = page.data.map((trashed) =>
    withTrashFields(showDraftInList(trashed.record as DraftRecord, options), trashed),
  );
  return { ...page, data: shown };
}
