import { fail } from "../../../catalogue/errors.ts";
import { subAccountsOf } from "../../../kernel/access/root-account.ts";
import type { InboxContext } from "../../../kernel/context.ts";
import type { Work } from "../../../kernel/work.ts";
import type { InboxRecord } from "../../../model/inboxes.ts";
import { releaseByAfter, type SendMode, settleOutbound, strictestSendMode } from "../../../model/outbound.ts";
import { floorOver, tellLooser } from "./change.ts";

const PAGE = 200;

/** Sets the floor of an account, and what follows from it for its inboxes and those of its workspaces. */
export async function settleFloor(work: Work, account_id: string, floor: SendMode): Promise<void> {
  await work.update("accounts", { id: account_id }, { send_mode_floor: floor });
  for (const each of [account_id, ...(await subAccountsOf(work, account_id))])
    await settleInboxes(work, each, floor);
}

async function settleInboxes(work: Work, account_id: string, floor: SendMode): Promise<void> {
  let after = "";
  for (;;) {
    const inboxes: InboxRecord[] = await work.find("inboxes", {
      where: { account_id, id: { gt: after } },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    for (const inbox of inboxes) {
      const outbound = settleOutbound(inbox, floor);
      const settled = { ...outbound, release_by: releaseByAfter(inbox, outbound) };
      await work.update("inboxes", { id: inbox.id }, settled);
      tellLooser(work, inbox, { ...inbox, ...settled });
    }
    const last = inboxes.at(-1);
    if (last === undefined || inboxes.length < PAGE) return;
    after = last.id;
  }
}

/**
 * Makes the mode that a person sets the least of all inboxes, in the same transaction; a stricter floor stays. Fails
 * with `permission_denied` for everybody but an account owner in their own session, and with `invalid_request` without
 * a mode that asks people.
 */
export async function raiseFloorForAll(
  { caller, account_id }: Pick<InboxContext, "caller" | "account_id">,
  work: Work,
  send_mode: SendMode | undefined,
): Promise<void> {
  const [account] = await work.update("accounts", { id: account_id }, { event_sequence: { add: 0 } });
  if (caller.type !== "owner" || !caller.account_owner || account?.parent_account_id !== null)
    throw fail("permission_denied", {
      param: "for_all",
      message: "Only an account owner sets what holds for all inboxes of the account.",
      fix: "Leave for_all out, or ask an account owner to do it in their own session.",
    });
  if (send_mode === undefined || send_mode === "direct")
    throw fail("invalid_request", {
      param: "for_all",
      message: "for_all goes with send_mode guarded or approval.",
      fix: "Give send_mode too; to lower what holds for all, use PATCH /api/v1/me {send_mode_floor}.",
    });
  const before = await floorOver(work, account_id);
  const floor = strictestSendMode(before, send_mode);
  if (floor !== before) await settleFloor(work, account_id, floor);
}
