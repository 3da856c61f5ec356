import { fail } from "../../catalogue/errors.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import type { AccountContext } from "../../kernel/context.ts";
import type { Work } from "../../kernel/work.ts";
import type { SendMode } from "../../model/outbound.ts";
import { settleFloor } from "../inboxes/guards/floor.ts";
import { checkFloor } from "./rules.ts";

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
  await settleFloor(work, account_id, floor);
}
