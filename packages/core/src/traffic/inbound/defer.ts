import { fail } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import { count } from "../../kernel/rate.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { scheduleBlobCollection } from "../../mailbox/messages/index.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import type { Evidence } from "./evidence.ts";
import { addressOf, lookUpSender, matchSender } from "./sender/look-up-sender.ts";

/** The number of times that the same mail is deferred; at the usual retry intervals this takes about an hour. */
const MAX_DEFERRALS = 3;
const WINDOW_MS = 24 * 3600_000;

/** Whether a DNS error left the authentication of a mail open. */
export function isUndecided(
  { origin, authentication }: Evidence,
  trusted_sealers: readonly string[],
): boolean {
  const { passes, forwarded_by, spf, dkim, dmarc, arc } = authentication;
  // Without trusted ARC sealers the chain makes no difference.
  const open = trusted_sealers.length === 0 ? [spf, dkim, dmarc] : [spf, dkim, dmarc, arc];
  return origin !== "internal" && !passes && forwarded_by === null && open.includes("temperror");
}

/**
 * Defers an undecided mail that may come from an owner or allowlisted sender: stored now, it would never become a
 * task. Fails with `sender_check_unavailable` (SMTP 451), for the same mail at most three times; then it is received as
 * it is.
 */
export async function deferUndecided(
  services: Services,
  inboxes: Iterable<InboxRecord>,
  evidence: Evidence,
  now: Date,
): Promise<void> {
  const from = addressOf(evidence.mail);
  for (const inbox of inboxes) {
    const stated = await lookUpSender(services, inbox, from);
    const { owner, allowlisted } = matchSender(stated, { kind: "none" });
    if (owner === undefined && !allowlisted) continue;
    return deferMail(services, inbox.account_id, evidence, now);
  }
}

/** Fails with `sender_check_unavailable` (SMTP 451), for the same mail at most three times; then it does nothing. */
export async function deferMail(
  services: Services,
  account_id: string,
  { raw }: Pick<Evidence, "raw">,
  now: Date,
): Promise<void> {
  const cap = { name: `defer:${raw.hash}`, max: MAX_DEFERRALS, window_ms: WINDOW_MS };
  const { within } = await count(services.storage, cap, now);
  if (!within) return;
  // Collects the bytes if the peer never retries.
  await unitOfWork(services, account_id, now, async (work) => scheduleBlobCollection(work, [raw.hash], now));
  throw fail("sender_check_unavailable", { retry_after_seconds: 300 });
}
