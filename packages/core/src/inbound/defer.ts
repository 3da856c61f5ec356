import { fail } from "../catalogue/errors.ts";
import type { Services } from "../kernel/context.ts";
import { count } from "../kernel/rate.ts";
import { unitOfWork } from "../kernel/unit-of-work.ts";
import { collectLater } from "../messages/index.ts";
import type { InboxRecord } from "../model/inboxes.ts";
import { addressOf, lookUpSender } from "./look-up-sender.ts";
import type { Evidence } from "./store-mail.ts";

/** How often the same mail is asked to come again; a peer's usual waits make that about an hour. */
const deferralsAtMost = 3;
const windowMs = 24 * 3600_000;

/**
 * Asks a peer to send a mail again later when it may be an owner's word and DNS could not tell: stored now,
 * it would never make its task. Fails with `sender_check_unavailable`, which SMTP answers as 451. A mail that
 * was asked for three times is taken as it is.
 */
export async function deferUndecided(
  services: Services,
  inboxes: Iterable<InboxRecord>,
  evidence: Evidence,
  now: Date,
): Promise<void> {
  if (!isUndecided(evidence, services.options.trusted_sealers)) return;
  const from = addressOf(evidence.mail);
  for (const inbox of inboxes) {
    const { owner, allowlisted } = await lookUpSender(services, inbox, from);
    if (owner === undefined && !allowlisted) continue;
    const cap = { name: `defer:${evidence.raw.hash}`, max: deferralsAtMost, window_ms: windowMs };
    const { within } = await count(services.storage, cap, now);
    if (!within) return;
    // A peer that never comes again leaves nothing behind.
    await unitOfWork(services, inbox.account_id, now, async (work) =>
      collectLater(work, [evidence.raw.hash], now),
    );
    throw fail("sender_check_unavailable", { retry_after_seconds: 300 });
  }
}

function isUndecided({ origin, authentication }: Evidence, trusted_sealers: readonly string[]): boolean {
  const { passes, forwarded_by, spf, dkim, dmarc, arc } = authentication;
  // Where nobody is trusted to pass mail on, a chain that can be read later changes nothing.
  const open = trusted_sealers.length === 0 ? [spf, dkim, dmarc] : [spf, dkim, dmarc, arc];
  return origin !== "internal" && !passes && forwarded_by === null && open.includes("temperror");
}
