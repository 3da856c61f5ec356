import type { AccountContext } from "../../kernel/context.ts";
import { lineageOf } from "../../limits/budgets/index.ts";
import { isHeld } from "../../mailbox/messages/index.ts";
import type { Reason, ReasonRecord } from "../../model/approvals.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { KeyRecord } from "../../model/keys.ts";
import type { MessageRecord } from "../../model/messages.ts";
import type { OutsideMentionRecord } from "../../model/outside-mentions.ts";
import { readsAs, reasonsFor } from "../../owners/approvals/index.ts";
import type { StorageReader } from "../../ports/storage.ts";

/** The asking caller; undefined for a job, which acts for the account. */
export interface AskedBy {
  caller?: AccountContext["caller"] | undefined;
}

/**
 * Keeps of the evidence what came to an inbox that the asking key, an ancestor of it, or its app may read: of other
 * mail an agent can't know, and so isn't told by what is held.
 */
export async function readableEvidence<E extends Pick<OutsideMentionRecord, "inbox_id" | "account_id">>(
  { storage, caller }: { storage: StorageReader } & AskedBy,
  evidence: readonly E[],
): Promise<E[]> {
  if (caller === undefined) return [...evidence];
  const within = evidence.filter(readableTo(caller));
  if (within.length === evidence.length || caller.type !== "key") return within;
  const ancestors = await lineageOf(storage, caller.key.parent_key_id);
  const readers = [caller, ...ancestors.map(asCaller)].map(readableTo);
  return evidence.filter((each) => readers.some((reads) => reads(each)));
}

/** Whether a caller may read the mail that something came with: mail of their own account, within their reach. */
const readableTo = (caller: AccountContext["caller"]) => {
  const mayRead = readsAs(caller);
  return ({ account_id, inbox_id }: Pick<OutsideMentionRecord, "account_id" | "inbox_id">): boolean =>
    (account_id === caller.account_id || caller.type === "owner") && mayRead(inbox_id);
};

const asCaller = (key: KeyRecord): AccountContext["caller"] => ({
  ...{ type: "key", key, account_id: key.account_id, permissions: key.permissions, ip: null },
  inbox_ids: key.inbox_id === null ? null : [key.inbox_id],
});

/** Reasons as whoever asks may know them: of mail that they may not read, the code alone. */
export const reasonsShown = (
  { inbox: { id: inbox_id }, caller }: { inbox: InboxRecord } & AskedBy,
  reasons: readonly ReasonRecord[],
): Reason[] =>
  reasonsFor({ reasons: [...reasons], inbox_id }, caller === undefined ? () => false : readsAs(caller));

/** A file that came in as whoever asks may know it: by its name only if they may read its mail themselves. */
export function fileShown({ caller }: AskedBy, message: MessageRecord, filename: string): string {
  const known =
    caller?.type === "owner" ||
    (caller !== undefined && !isHeld(message) && readsAs(caller)(message.inbox_id));
  return known ? filename : "a file that came in";
}
