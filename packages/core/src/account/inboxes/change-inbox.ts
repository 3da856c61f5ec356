import { fail } from "../../catalogue/errors.ts";
import { decidersOver, waitsForPeople } from "../../kernel/access/authority.ts";
import type { AccountContext, InboxContext } from "../../kernel/context.ts";
import { notFound } from "../../kernel/gate.ts";
import { given } from "../../kernel/input/given.ts";
import type { Work } from "../../kernel/work.ts";
import type { Approval } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import { InboxRecord } from "../../model/inboxes.ts";
import { NO_OUTBOUND, type OutboundInput, type SendMode } from "../../model/outbound.ts";
import { askAboutChange, asksForPasskey, recordDecision } from "../../owners/approvals/index.ts";
import { closeInvitations } from "../../owners/owners/index.ts";
import { countingPasskeys } from "../../owners/passkeys/index.ts";
import { floorOver, guardsAfter, tellLooser } from "./guards/change.ts";
import { raiseFloorForAll } from "./guards/floor.ts";
import {
  changeOfGuards,
  checkAskedAlone,
  checkCanAsk,
  checkExpiry,
  checkManager,
  checkStart,
  decisionOn,
  type GuardsAsked,
  outboundOf,
} from "./guards/rules.ts";
import { startOutbound } from "./guards/start.ts";
import { checkMayEnd } from "./held-deletion.ts";
import { metadataAfter, statusChange } from "./rules.ts";

/** The changes of an inbox, as a caller asks for them. */
export interface InboxChange extends GuardsAsked {
  status?: InboxRecord["status"] | undefined;
  display_name?: string | null | undefined;
  labels?: string[] | undefined;
  metadata?: Parameters<typeof metadataAfter>[1];
  expires_at?: string | null | undefined;
  voicemail_greeting?: string | null | undefined;
  reply_guard?: boolean | undefined;
  /** The send mode is to hold for all inboxes of the account. */
  for_all?: boolean | undefined;
}

/**
 * Changes an inbox, in the caller's transaction. What takes a person's decision is asked for and returned as an
 * approval, unless a person in charge makes the change. Fails with `inbox_not_found`, `approval_required`,
 * `owner_required`, `permission_denied` or `invalid_request`.
 */
export async function changeInbox(
  ctx: InboxContext,
  work: Work,
  named: string,
  asked: InboxChange,
): Promise<InboxRecord | Approval> {
  const { id, account_id } = ctx.inbox;
  const before = await work.get("inboxes", id);
  if (before === undefined) throw notFound("inbox_not_found", "inb", named);
  const { screening, require_sender_auth, sms_tasks, send_mode, outbound, ...more } = asked;
  const { release_by, approve_with, owner_copy, for_all = false, ...others } = more;
  const guards: GuardsAsked = {
    ...{ screening, require_sender_auth, sms_tasks, send_mode, outbound, release_by },
    ...{ approve_with, owner_copy },
  };
  const { status, metadata, expires_at } = others;

  const person = ctx.caller.type === "owner" ? ctx.caller : undefined;
  if (person === undefined && (await waitsForPeople(ctx, work, before))) checkExpiry(before, expires_at);
  const after = guardsAfter(before, guards, await floorOver(work, account_id));
  if (Object.keys(given(guards)).length > 0) {
    const { emails } = await decidersOver(ctx, work, { account_id, inbox_id: id });
    const people = emails.length > 0;
    const decision = decisionOn(before, after, people);
    if (decision !== "nobody") checkManager(ctx.caller.permissions);
    if (decision === "person") {
      const change = changeOfGuards(guards);
      const request = { subject_type: "outbound_change" as const, subject_id: id, change };
      if (person === undefined || asksForPasskey(before)) {
        checkAskedAlone(guards, { ...others, for_all: for_all || undefined });
        return askAboutChange(ctx, work, before, request, ctx.now);
      }
      await recordDecision(ctx, work, before, { ...request, email: person.email }, ctx.now);
    }
    checkCanAsk(before, after, people);
    if (before.approve_with === "session" && after.approve_with === "passkey")
      await checkHasPasskey(ctx, work, before, emails);
    if (
      !(await waitsForPeople(ctx, work, before)) &&
      (await waitsForPeople(ctx, work, { ...before, ...after }))
    )
      await closeInvitations(work, id);
  }
  if (expires_at != null && person === undefined) await checkMayEnd(ctx, work, [before], "expires_at");

  const { display_name, labels, voicemail_greeting, reply_guard } = others;
  const changed = InboxRecord.parse({
    ...before,
    ...given({ display_name, labels, voicemail_greeting, expires_at, reply_guard }),
    ...after,
    ...(status === undefined ? {} : statusChange(before, status, iso(ctx.now))),
    metadata: metadataAfter(before.metadata, metadata),
  });
  const { id: _id, ...columns } = changed;
  const [stored] = await work.update("inboxes", { id }, columns);
  tellLooser(work, before, changed);
  if (!for_all) return stored ?? changed;
  await raiseFloorForAll(ctx, work, send_mode);
  return (await work.get("inboxes", id)) ?? changed;
}

/** Asking for passkeys needs somebody who could answer. Fails with `passkey_required`. */
async function checkHasPasskey(
  ctx: InboxContext,
  work: Work,
  { id: inbox_id, account_id }: InboxRecord,
  emails: readonly string[],
): Promise<void> {
  const counting = await Promise.all(
    emails.map((email) => countingPasskeys(ctx, work, { email, account_id, inbox_id }, ctx.now)),
  );
  if (counting.flat().length > 0) return;
  throw fail("passkey_required", {
    param: "approve_with",
    message: "Nobody who has charge of this inbox has a passkey that counts for decisions.",
    fix: "Have one of them add a passkey first, with POST /api/v1/owners/passkeys; it counts after 24 hours.",
  });
}

/** Checks what is asked of the outgoing mail of a new inbox. Fails as `checkStart` does. */
export async function checkMayStart(
  ctx: AccountContext,
  work: Work,
  { send_mode, outbound }: { send_mode?: SendMode | undefined; outbound?: OutboundInput | undefined },
): Promise<void> {
  if (send_mode === undefined && outbound === undefined) return;
  const { account_id } = ctx;
  const { emails } = await decidersOver(ctx, work, { account_id, inbox_id: null });
  const plain = await startOutbound(ctx, work, { account_id, send_mode, outbound: NO_OUTBOUND });
  const made = await startOutbound(ctx, work, { account_id, send_mode, outbound: outboundOf(outbound) });
  const { permissions } = ctx.caller;
  checkStart({ send_mode, outbound }, { plain, made }, { people: emails.length > 0, permissions });
}
