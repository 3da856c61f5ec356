import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { findReferenced } from "../../kernel/inbox/references.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Messages of a thread, and drafts that wait, that are looked at. */
const MAX_LOOKED_AT = 1_000;

/** `allow_multiple` as input. */
export const AllowMultiple = z
  .boolean()
  .default(false)
  .describe("True lets a further reply to the same message leave where the inbox has `reply_guard`.");

/** A mail that may be a second reply. */
export interface GuardedReply {
  in_reply_to?: string | null | undefined;
  allow_multiple?: boolean | undefined;
  /** The draft that it is sent from. */
  draft_id?: string | undefined;
}

/**
 * Checks, where the inbox has `reply_guard`, that a mail isn't the second reply to a message of the inbox: one that was
 * sent, or that waits for its time or an owner, counts; one that failed doesn't. Fails with
 * `already_replied`.
 */
export async function checkReplied(
  reader: Pick<StorageReader, "find" | "get">,
  { id: inbox_id, reply_guard }: Pick<InboxRecord, "id" | "reply_guard">,
  { in_reply_to, allow_multiple = false, draft_id }: GuardedReply,
): Promise<void> {
  if (!reply_guard || allow_multiple || in_reply_to == null) return;
  const [answered] = await findReferenced(reader, inbox_id, [in_reply_to]);
  if (answered === undefined) return;
  const { thread_id } = answered;
  const [kept, trashed, waiting] = await Promise.all([
    reader.find("messages", {
      where: { thread_id, direction: "outbound", in_reply_to },
      limit: MAX_LOOKED_AT,
    }),
    reader.find("trash", { where: { thread_id }, limit: MAX_LOOKED_AT }),
    reader.find("drafts", { where: { inbox_id, in_reply_to }, limit: MAX_LOOKED_AT }),
  ]);
  // It was sent, wherever it is kept since.
  const sent = [...kept, ...trashed.map(({ record }) => record as MessageRecord)];
  // A letter that the service itself writes to an owner is nobody's reply.
  const reply = sent.find(
    (each) =>
      each.direction === "outbound" &&
      each.in_reply_to === in_reply_to &&
      each.status !== "failed" &&
      !each.labels.includes("owner"),
  );
  const draft = waiting.find(
    ({ id, send_status, approval_status }) =>
      id !== draft_id &&
      send_status !== "failed" &&
      (send_status !== "draft" || approval_status === "pending" || approval_status === "approved"),
  );
  const id = reply?.id ?? draft?.id;
  if (id !== undefined)
    throw fail("already_replied", {
      param: "allow_multiple",
      message: `This message has a reply already: ${id}.`,
    });
}
