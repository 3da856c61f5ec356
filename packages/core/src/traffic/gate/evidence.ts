import type { AccountContext } from "../../kernel/context.ts";
import { lineageOf } from "../../limits/budgets/index.ts";
import type { Reason, ReasonRecord } from "../../model/approvals.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { KeyRecord } from "../../model/keys.ts";
import { readsAs, reasonsFor } from "../../owners/approvals/index.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** Who asks; undefined for a job, which acts for the account. */
type Caller = AccountContext["caller"] | undefined;

/**
 * Keeps of the evidence what came to an inbox that the asking key, an ancestor of it, or its app may read: of other
 * mail an agent can't know, and so isn't told by what is held.
 */
export async function readableEvidence<E extends { inbox_id: string }>(
  { storage, caller }: { storage: StorageReader; caller?: Caller },
  evidence: readonly E[],
): Promise<E[]> {
  if (caller === undefined) return [...evidence];
  const mayRead = readsAs(caller);
  const beyond = evidence.some(({ inbox_id }) => !mayRead(inbox_id));
  if (!beyond || caller.type !== "key") return evidence.filter(({ inbox_id }) => mayRead(inbox_id));
  const ancestors = await lineageOf(storage, caller.key.parent_key_id);
  const readers = [mayRead, ...ancestors.map((key) => readsAs(asCaller(key)))];
  return evidence.filter(({ inbox_id }) => readers.some((reads) => reads(inbox_id)));
}

const asCaller = (key: KeyRecord): AccountContext["caller"] => ({
  ...{ type: "key", key, account_id: key.account_id, permissions: key.permissions, ip: null },
  inbox_ids: key.inbox_id === null ? null : [key.inbox_id],
});

/** Reasons as whoever asks may know them: of mail that they may not read, the code alone. */
export const reasonsShown = (
  { inbox: { id: inbox_id }, caller }: { inbox: InboxRecord; caller?: Caller },
  reasons: readonly ReasonRecord[],
): Reason[] =>
  reasonsFor({ reasons: [...reasons], inbox_id }, caller === undefined ? () => false : readsAs(caller));
