import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { decidersOver } from "../../kernel/access/authority.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import type { InboxContext } from "../../kernel/context.ts";
import { stateOf } from "../../kernel/inbox/state.ts";
import { countLetter } from "../../kernel/letters/count-letter.ts";
import type { Work } from "../../kernel/work.ts";
import { checkUpdate } from "../../mailbox/canaries/index.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { ForwardingRecord } from "../../model/forwardings.ts";
import { endUnlessVerified, forwardingsOf, withdrawRequest } from "./end.ts";
import { checkRoom, rejectedUntil } from "./rules.ts";

const MAX_REJECTED = 100;
const LETTER_CAPS = {
  kind: "forwarding-letter",
  per_ip_hour: LIMITS.forwarding_letters_per_ip_hour,
  per_address_day: LIMITS.forwarding_letters_per_address_day,
};

/** What is asked for. */
export interface Asked {
  /** The address as it was given. */
  email: string;
  everything: boolean;
}

/**
 * Checks what can be known before the transaction: that the address is outside, that somebody could decide, and that
 * no secret leaves in its words. Fails with `forwarding_inside`, `owner_required`, `inbox_expired`, `own_secret` or
 * `canary_leaked`.
 */
export async function checkAsked(ctx: InboxContext, { email }: Asked): Promise<void> {
  const { inbox, storage, now } = ctx;
  if (stateOf(inbox, now) === "expired") throw fail("inbox_expired");
  if (!(await isOutside(ctx, storage, email))) throw fail("forwarding_inside", { param: "email" });
  const { account_id, id: inbox_id } = inbox;
  const { emails } = await decidersOver(ctx, storage, { account_id, inbox_id });
  if (emails.length === 0) throw fail("owner_required");
  await checkUpdate(ctx, inbox, [email, inbox.display_name ?? ""], now);
}

/**
 * Asks for a forwarding in the caller's transaction: its mailbox is sent a code. One that is pending, or has failed, is
 * asked for again: the older code and request end. Fails with `forwarding_exists`, `forwarding_limit`,
 * `approval_rejected` or `rate_limited`.
 */
export async function askForForwarding(
  ctx: InboxContext,
  work: Work,
  { email: named, everything }: Asked,
): Promise<ForwardingRecord> {
  const { inbox, caller, now, makeId } = ctx;
  const email = addressKey(named);
  const [open, [known], rejected] = await Promise.all([
    forwardingsOf(work, inbox.id, ["pending", "verified"]),
    work.find("forwardings", { where: { inbox_id: inbox.id, email }, limit: 1 }),
    work.find("approvals", {
      where: { subject_id: inbox.id, status: "rejected" },
      order: { by: "id", direction: "desc" },
      limit: MAX_REJECTED,
    }),
  ]);
  checkRoom(open, email);
  const until = rejectedUntil(rejected, email, now);
  if (until !== undefined) throw fail("approval_rejected", { resets_at: iso(until) });
  await countLetter(work, LETTER_CAPS, { email, ip: caller.ip }, now);

  if (known !== undefined) await withdrawRequest(work, known, now);
  const id = known?.id ?? makeId("fwd");
  const asked = {
    ...{ everything, status: "pending" as const, failed_reason: null, failed_at: null, approval_id: null },
    ...{
      hard_bounces: 0,
      created_at: iso(now),
      expires_at: endUnlessVerified(work, id, now),
      verified_at: null,
    },
    given_email: named === email ? null : named,
    asked_by: askerOf(caller),
    asked_by_person: caller.type === "owner" ? caller.email : null,
    ...{ decided_by: null, confirmed_at: null, code_hash: null, code_tries: 0, link_hash: null },
  };
  const made = { id, account_id: inbox.account_id, inbox_id: inbox.id, email };
  const record: ForwardingRecord = { ...made, ...asked };
  if (known === undefined) {
    const { inserted } = await work.insert("forwardings", record);
    // Somebody asked for the same at the same moment.
    if (!inserted) throw fail("forwarding_exists", { param: "email" });
  } else await work.update("forwardings", { id: known.id }, asked);
  work.job({ kind: "forwarding.letter", subject_id: record.id });
  return record;
}

function askerOf(caller: InboxContext["caller"]): ForwardingRecord["asked_by"] {
  if (caller.type === "key") return { key_id: caller.key.id, client_id: null };
  return caller.type === "app" ? { key_id: null, client_id: caller.client_id } : null;
}
