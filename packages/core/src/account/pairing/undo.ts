import { LetterslotError } from "../../catalogue/errors.ts";
import type { OwnerCaller } from "../../kernel/access/caller.ts";
import type { Services } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import type { Work } from "../../kernel/work.ts";
import { deletedBy } from "../../mailbox/messages/index.ts";
import { iso } from "../../model/fields.ts";
import type { PairingRecord } from "../../model/pairings.ts";
import { askAboutChange, asksForPasskey, recordDecision } from "../../owners/approvals/index.ts";
import { ownerCaller } from "../../owners/sessions/index.ts";
import { revokeWithDescendants } from "../accounts/keys/revoke.ts";
import { needsApprovalToEnd, trashInbox } from "../inboxes/index.ts";
import { freePlace } from "./make.ts";

/** The records that undoing a pairing ended. */
export interface Undone {
  keys_revoked: number;
  inbox_closed: boolean;
}

/**
 * Ends an open code, or undoes what came of it: the key and those that it created stop working, and an inbox that was
 * created for it goes to the trash, or, where it asks for passkeys, its deletion is asked for. Undone once, it changes nothing more. Fails with `pairing_not_found`, also where the
 * person has no authority any more.
 */
export async function undoPairing(
  services: Services,
  person: OwnerCaller,
  pairing_id: string,
  now: Date,
): Promise<Undone> {
  const { storage } = services;
  const found = await storage.get("pairings", pairing_id);
  if (found?.email !== person.email) throw notFound("pairing_not_found", "par", pairing_id);
  // Of this and a use of the code at the same time, one comes first: an open code is deleted, a used one undone.
  if ((await storage.delete("pairings", { id: pairing_id, paired_at: null })) > 0) {
    await freePlace(services, found);
    return { keys_revoked: 0, inbox_closed: false };
  }
  const pairing = await storage.get("pairings", pairing_id);
  const { account_id = null, inbox_id = null } = pairing ?? {};
  if (pairing === undefined || account_id === null || inbox_id === null)
    throw notFound("pairing_not_found", "par", pairing_id);
  const { email, session_id, ip } = person;
  const caller = await ownerCaller(
    services,
    { email, session_id, ip },
    pairing.inbox_created ? { account_id } : { inbox_id },
  ).catch((error: unknown) => {
    if (!(error instanceof LetterslotError)) throw error;
    throw notFound("pairing_not_found", "par", pairing_id);
  });
  return unitOfWork(services, account_id, now, async (work) => {
    const where = { id: pairing_id, undone_at: null };
    const [undone] = await work.update("pairings", where, { undone_at: iso(now) });
    if (undone === undefined) return { keys_revoked: 0, inbox_closed: false };
    const keys_revoked =
      undone.key_id === null ? 0 : await revokeWithDescendants(work, { id: undone.key_id }, now);
    return { keys_revoked, inbox_closed: await closeCreated(services, work, { undone, caller }, now) };
  });
}

async function closeCreated(
  services: Services,
  work: Work,
  { undone, caller }: { undone: PairingRecord; caller: OwnerCaller },
  now: Date,
): Promise<boolean> {
  const inbox = undone.inbox_created ? await work.get("inboxes", undone.inbox_id ?? "") : undefined;
  if (inbox === undefined) return false;
  const decided = await needsApprovalToEnd(services, work, inbox);
  const change = { subject_type: "inbox_delete" as const, subject_id: inbox.id, change: {} };
  if (decided && asksForPasskey(inbox)) {
    await askAboutChange({ ...services, caller }, work, inbox, change, now);
    return false;
  }
  if (decided) await recordDecision(services, work, inbox, { ...change, email: caller.email }, now);
  const closed = await trashInbox(work, inbox, { deleted_by: deletedBy(caller), decided }, now);
  return closed !== undefined;
}
