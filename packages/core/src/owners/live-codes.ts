import type { Services } from "../kernel/context.ts";
import { sameSecret } from "../kernel/secrets.ts";
import { iso } from "../model/fields.ts";
import type { OwnerRecord } from "../model/owners.ts";
import type { StorageReader } from "../ports/storage.ts";
import { codeHash } from "./invite.ts";

/** Pending invitations of one address that are looked at, the newest first; three letters go to it a day. */
const MAX_INVITATIONS = 20;

/** Whether a confirmation code that was mailed to an address can still be used. */
export async function hasLiveInvitation(
  { storage }: { storage: Pick<StorageReader, "find"> },
  email: string,
  now: Date,
): Promise<boolean> {
  return (await liveInvitations(storage, email, now)).length > 0;
}

/** Makes a confirmation code useless that came back in that address's own mail; its link still confirms. */
export async function voidInvitationCode(
  { storage, seal }: Pick<Services, "storage" | "seal">,
  email: string,
  code: string,
  now: Date,
): Promise<void> {
  for (const { id, code_hash } of await liveInvitations(storage, email, now))
    if (code_hash !== null && sameSecret(seal.open(code_hash), codeHash(id, code)))
      await storage.update("owners", { id, code_hash }, { code_hash: null });
}

async function liveInvitations(
  storage: Pick<StorageReader, "find">,
  email: string,
  now: Date,
): Promise<OwnerRecord[]> {
  const found = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_INVITATIONS,
  });
  return found.filter(
    ({ status, code_hash, code_expires_at }) =>
      status === "pending" && code_hash !== null && (code_expires_at ?? "") > iso(now),
  );
}
