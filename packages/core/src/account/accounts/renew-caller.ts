import type { AccountCaller } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import { renewApp } from "../../owners/oauth-grants/index.ts";
import { renewOwner } from "../../owners/sessions/index.ts";
import { renewKey } from "./keys/authenticate.ts";

/** Returns a caller with the current rights of its key, token or session. Fails as authenticating anew would. */
export async function renewCaller(services: Services, caller: AccountCaller): Promise<AccountCaller> {
  if (caller.type === "key") return renewKey(services, caller);
  if (caller.type === "app") return renewApp(services, caller);
  return renewOwner(services, caller);
}
