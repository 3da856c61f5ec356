import { findReferenced } from "../../../kernel/inbox/references.ts";
import type { ThreadRecord } from "../../../model/threads.ts";
import type { Transaction } from "../../../ports/storage.ts";
import { findAwaitingThreads } from "./join-threads.ts";

/**
 * The thread in this inbox that a mail belongs to, by the Message-IDs it follows, never by subject: that of the nearest
 * one that is here, else that of mail which follows one of them too. `follows`: one of them is here.
 */
export async function findThread(
  tx: Transaction,
  inbox_id: string,
  references: readonly string[],
): Promise<{ thread: ThreadRecord | undefined; follows: boolean }> {
  const [nearest] = await findReferenced(tx, inbox_id, references);
  const followed = nearest === undefined ? undefined : await tx.get("threads", nearest.thread_id);
  if (followed !== undefined) return { thread: followed, follows: true };
  const [sibling] = await findAwaitingThreads(tx, inbox_id, references);
  return { thread: sibling, follows: false };
}
