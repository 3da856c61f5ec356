import { rootAccount } from "../../../kernel/access/root-account.ts";
import { given } from "../../../kernel/input/given.ts";
import type { Work } from "../../../kernel/work.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { isLooserOutbound, releaseByAfter, type SendMode, settleOutbound } from "../../../model/outbound.ts";
import type { StorageReader } from "../../../ports/storage.ts";
import { endsCopies, isLaxer } from "../rules.ts";
import { copiesEnded } from "../settings.ts";
import { type Guards, type GuardsAsked, guardsOfChange, outboundAfter } from "./rules.ts";

/** The floor under the inboxes of an account: that of its root. */
export async function floorOver(reader: StorageReader, account_id: string): Promise<SendMode> {
  return (await rootAccount(reader, account_id))?.send_mode_floor ?? "direct";
}

/** The guards of an inbox after a change. */
export function guardsAfter(
  before: InboxRecord,
  { outbound, ...asked }: GuardsAsked,
  floor: SendMode,
): Guards {
  const { screening, require_sender_auth, sms_tasks, send_mode, approve_with, owner_copy } = {
    ...before,
    ...given(asked),
  };
  const own = { send_mode, outbound: outboundAfter(before.outbound, outbound) };
  const settled = settleOutbound(own, floor);
  const release_by = asked.release_by ?? releaseByAfter(before, settled);
  return {
    ...{ screening, require_sender_auth, sms_tasks, release_by, approve_with, owner_copy },
    ...settled,
  };
}

/** Carries out a change of an inbox's guards that a person approved, in the caller's transaction. */
export async function applyGuards(
  work: Work,
  inbox_id: string,
  change: Record<string, string>,
): Promise<void> {
  const before = await work.get("inboxes", inbox_id);
  if (before === undefined) return;
  const asked = guardsOfChange(change);
  const after = guardsAfter(before, asked, await floorOver(work, before.account_id));
  await work.update("inboxes", { id: inbox_id }, after);
  tellLooser(work, before, { ...before, ...after });
}

/** Publishes that an inbox became less strict, if it did. */
export function tellLooser(
  work: Pick<Work, "publish">,
  before: Guards,
  after: Guards & { id: string },
): void {
  if (endsCopies(before, after.owner_copy))
    work.publish(copiesEnded({ ...after, owner_copy: before.owner_copy }));
  if (!isLaxer(before, after) && !isLooserOutbound(before, after)) return;
  const inbox_id = after.id;
  const mode = before.send_mode !== after.send_mode || isLooserOutbound(before, after);
  const settings = ({
    screening,
    require_sender_auth,
    sms_tasks,
    release_by,
    approve_with,
    send_mode,
    outbound,
  }: Guards) => ({
    ...{ screening, require_sender_auth, sms_tasks, release_by, approve_with },
    ...(mode ? { send_mode, outbound } : {}),
  });
  work.publish({
    type: "inbox.security_changed",
    inbox_id,
    data: { inbox_id, ...settings(after), previous: settings(before) },
  });
}
