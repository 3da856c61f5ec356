import { rootAccount, subAccountsOf } from "../../../kernel/access/root-account.ts";
import type { Services } from "../../../kernel/context.ts";
import {
  type Outbound,
  type OutboundSettings,
  type SendMode,
  settleOutbound,
  strictestSendMode,
} from "../../../model/outbound.ts";
import type { StorageReader, Where } from "../../../ports/storage.ts";

/**
 * What a new inbox says of its outgoing mail: what is asked for, but never less than the strictest inbox of the account
 * and its workspaces, nor than the account's floor. An `imported` one isn't measured by those that came with it.
 */
export async function startOutbound(
  { options }: Pick<Services, "options">,
  reader: StorageReader,
  asked: { account_id: string; send_mode: SendMode | undefined; outbound: Outbound },
  { imported = false }: { imported?: boolean } = {},
): Promise<OutboundSettings> {
  const { account_id, send_mode = options.defaultSendMode, outbound } = asked;
  const root = await rootAccount(reader, account_id);
  const least = await strictestOf(reader, root?.id ?? account_id, imported ? { imported_at: null } : {});
  return settleOutbound(
    { send_mode: strictestSendMode(send_mode, least), outbound },
    root?.send_mode_floor ?? "direct",
  );
}

/** The strictest send mode in force in the inboxes of a root account and its workspaces. */
async function strictestOf(
  reader: StorageReader,
  root_id: string,
  among: Where<"inboxes">,
): Promise<SendMode> {
  const account_id = { in: [root_id, ...(await subAccountsOf(reader, root_id))] };
  for (const effective_send_mode of ["approval", "guarded"] as const) {
    const found = await reader.find("inboxes", {
      where: { ...among, account_id, effective_send_mode },
      limit: 1,
    });
    if (found.length > 0) return effective_send_mode;
  }
  return "direct";
}
