import { checkThreadLease } from "../../../mailbox/threads/index.ts";
import type { DraftRecord } from "../../../model/drafts.ts";
import type { StorageReader } from "../../../ports/storage.ts";

/** Fails with `thread_claimed` while another holds the thread that a draft answers, or whose message it forwards. */
export async function checkDraftLease(
  storage: Pick<StorageReader, "get">,
  { thread_id, forward_of }: Pick<DraftRecord, "thread_id" | "forward_of">,
  claim_token: string | undefined,
  now: Date,
): Promise<void> {
  const forwarded = forward_of === null ? undefined : await storage.get("messages", forward_of);
  await checkThreadLease(storage, thread_id ?? forwarded?.thread_id ?? null, claim_token, now);
}
