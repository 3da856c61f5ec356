import { fail } from "../../catalogue/errors.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import { subAccountsOf } from "../../kernel/access/root-account.ts";
import type { AccountContext } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { releaseByAfter, type SendMode, settleOutbound } from "../../model/outbound.ts";
import { tellLooser } from "../inboxes/guards/change.ts";
import { checkFloor } from "./rules.ts";

const PAGE = 200;

/**
 * Moves the floor under the inboxes of the caller's account and its workspaces, in the caller's transaction. Fails as
 * `checkFloor` does.
 */
export async function moveFloor(ctx: AccountContext, work: Work, floor: SendMode): Promise<void> {
  const { account_id } = ctx;
  // Writing the account's row serialises this with inboxes that are being created.
  const [account] = await work.update("accounts", { id: account_id }, { event_sequence: { add: 0 } });
  if (account === undefined) throw fail("invalid_api_key");
  const { emails } = await decidersOver(ctx, work, { account_id, inbox_id: null });
  const root = account.parent_account_id === null;
  checkFloor(ctx.caller, { before: account.send_mode_floor, after: floor, people: emails.length > 0, root });
  if (floor === account.send_mode_floor) return;
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
