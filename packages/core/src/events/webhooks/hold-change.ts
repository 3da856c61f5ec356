import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { waitsForPeople } from "../../kernel/access/authority.ts";
import type { AccountContext, Services } from "../../kernel/context.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import type { Work } from "../../kernel/work.ts";
import type { Approval, ApprovalRecord } from "../../model/approvals.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { WebhookRecord } from "../../model/webhooks.ts";
import {
  askAboutChange,
  asksForPasskey,
  recordDecision,
  voidApprovals,
} from "../../owners/approvals/index.ts";

/** The inboxes of an account that are looked through at once. */
const PAGE = 200;

/** A webhook as it would be, and how it would come about. */
export interface WebhookAsked {
  /** The webhook that is changed; undefined for a new one. */
  webhook_id?: string;
  /** Where it would post, with which headers, and from which inboxes; none means all. */
  after: Pick<WebhookRecord, "url" | "header_names" | "inbox_ids">;
  /** The inboxes from which it would post what it doesn't yet, or not there; none means all. */
  reaches: readonly string[];
  /** What is written once it is approved, with secrets sealed. */
  write: Partial<WebhookRecord>;
  /** What the caller asks for, by which a repeated request is known. */
  asked: unknown;
}

/**
 * Asks people about a webhook that would let what happens in an inbox go somewhere new, if changes of one of its
 * inboxes wait for them; undefined if none do, or if it is a person who makes the change. Fails as asking does.
 */
export async function holdWebhook(
  ctx: AccountContext,
  work: Work,
  { webhook_id, after, reaches, write, asked }: WebhookAsked,
): Promise<Approval | undefined> {
  const inbox = (await askingForPasskey(ctx, work, reaches)) ?? (await firstWaiting(ctx, work, reaches));
  if (inbox === undefined) return undefined;
  const change = {
    url: after.url,
    headers: after.header_names.join(", "),
    inboxes: after.inbox_ids.join(", "),
    ...(webhook_id === undefined ? {} : { webhook_id }),
    fingerprint: hashSecret(JSON.stringify(asked)),
    sealed: ctx.seal.seal(JSON.stringify(write)),
  };
  const subject = { subject_type: "webhook_change" as const, subject_id: webhook_id ?? inbox.id, change };
  if (ctx.caller.type !== "owner" || asksForPasskey(inbox))
    return askAboutChange(ctx, work, inbox, subject, ctx.now);
  await recordDecision(ctx, work, inbox, { ...subject, email: ctx.caller.email }, ctx.now);
  return undefined;
}

/** One of these inboxes, or of all, that asks for a passkey: it alone decides how the change is approved. */
async function askingForPasskey(
  ctx: AccountContext,
  work: Work,
  inbox_ids: readonly string[],
): Promise<InboxRecord | undefined> {
  const among = inbox_ids.length > 0 ? { id: { in: [...inbox_ids] } } : {};
  const [inbox] = await work.find("inboxes", {
    where: { account_id: ctx.account_id, approve_with: "passkey", ...among },
    limit: 1,
  });
  return inbox;
}

/** The first inbox among these, or among all of the account, whose changes wait for people. */
async function firstWaiting(
  ctx: AccountContext,
  work: Work,
  inbox_ids: readonly string[],
): Promise<InboxRecord | undefined> {
  const { account_id } = ctx;
  let after = "";
  for (;;) {
    const id = inbox_ids.length > 0 ? { in: [...inbox_ids] } : { gt: after };
    const inboxes = await work.find("inboxes", {
      where: { account_id, id },
      order: { by: "id", direction: "asc" },
      limit: PAGE,
    });
    for (const inbox of inboxes) if (await waitsForPeople(ctx, work, inbox)) return inbox;
    const last = inboxes.at(-1);
    if (inbox_ids.length > 0 || last === undefined || inboxes.length < PAGE) return undefined;
    after = last.id;
  }
}

/**
 * Makes or changes a webhook as a person approved it, in the caller's transaction. One that was deleted since stays so,
 * and inboxes that are gone are left out. Fails with `webhook_limit`.
 */
export async function applyWebhookChange(
  { seal, makeId }: Pick<Services, "seal" | "makeId">,
  work: Work,
  { account_id, change }: Pick<ApprovalRecord, "account_id" | "change">,
  now: Date,
): Promise<void> {
  const { webhook_id, sealed = "" } = change;
  const write = JSON.parse(seal.open(sealed)) as Partial<WebhookRecord>;
  const named = write.inbox_ids ?? [];
  const open =
    named.length === 0
      ? []
      : await work.find("inboxes", { where: { account_id, id: { in: named } }, limit: named.length });
  // Without a filter it would get the events of all.
  if (named.length > 0 && open.length === 0) return;
  const inbox_ids = named.filter((id) => open.some((inbox) => inbox.id === id));
  const settled = write.inbox_ids === undefined ? write : { ...write, inbox_ids };
  if (webhook_id !== undefined) {
    await work.update("webhooks", { id: webhook_id, account_id }, settled);
    // What else is asked about it was shown with the way out that it had.
    await voidApprovals(work, webhook_id, now);
    return;
  }
  await checkWebhookLimit(work, account_id, LIMITS.webhooks_per_account - 1);
  const made = { ...settled, account_id, id: makeId("wh"), created_at: iso(now) } as WebhookRecord;
  await work.insert("webhooks", made);
}

/** Checks that an account has no more webhooks than this. Fails with `webhook_limit`. */
export async function checkWebhookLimit(
  work: Pick<Work, "count">,
  account_id: string,
  most: number,
): Promise<void> {
  if ((await work.count("webhooks", { account_id }, most + 1)) > most) throw fail("webhook_limit");
}
