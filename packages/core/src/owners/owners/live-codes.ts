import type { Services } from "../../kernel/context.ts";
import { sameSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { OwnerRecord } from "../../model/owners.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { codeHash } from "./invite.ts";

/** The number of pending invitations of one address that are read, newest first; it gets three letters a day. */
const MAX_INVITATIONS = 20;

/** The invitations of an address whose confirmation code can still be used. */
export async function liveInvitations(
  { storage }: { storage: Pick<StorageReader, "find"> },
  email: string,
  now: Date,
): Promise<OwnerRecord[]> {
  const found = await storage.find("owners", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_INVITATIONS,
  });
  return found.filter((owner) => hasLiveCode(owner, now));
}

const hasLiveCode = ({ status, code_hash, code_expires_at }: OwnerRecord, now: Date): boolean =>
  status === "pending" && code_hash !== null && (code_expires_at ?? "") > iso(now);

/** Whether a number is the code of an owner's invitation. */
export const isInvitationCode = (
  { seal }: Pick<Services, "seal">,
  { id, code_hash }: Pick<OwnerRecord, "id" | "code_hash">,
  number: string,
): boolean => code_hash !== null && sameSecret(seal.open(code_hash), codeHash(id, number));

/**
 * Voids the code of an owner's invitation if it is live and among these numbers; the invitation's link still
 * confirms.
 */
export async function voidInvitationCode(
  { storage, seal }: Pick<Services, "storage" | "seal">,
  id: string,
  numbers: Iterable<string>,
  now: Date,
): Promise<boolean> {
  const owner = await storage.get("owners", id);
  if (owner === undefined || !hasLiveCode(owner, now)) return false;
  for (const number of numbers) {
    if (!isInvitationCode({ seal }, owner, number)) continue;
    const { code_hash } = owner;
    const change = { code_hash: null, code_voided_at: iso(now) };
    return (await storage.update("owners", { id, status: "pending", code_hash }, change)).length > 0;
  }
  return false;
}
