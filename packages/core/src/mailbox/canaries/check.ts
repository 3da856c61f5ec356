import { fail } from "../../catalogue/errors.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { unitOfWork } from "../../kernel/unit-of-work.ts";
import { findOwnWords } from "../../mail/find-own-words.ts";
import type { CanaryRecord } from "../../model/canaries.ts";
import { iso } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";
import { canariesAmong } from "./find.ts";
import { findOwnSecret, ownSecretFault } from "./own-secrets.ts";
import { isTold, pausesSending } from "./rules.ts";

/** How a canary trips. */
export interface Tripping {
  /** In a dry run: it is told, and sending goes on. */
  only_tried?: boolean;
}

/**
 * Checks that nothing which must never leave is in the words of an update or question, or in these files. Fails with `own_secret`, and
 * with `canary_leaked` after it has told those in charge and paused sending.
 */
export async function checkUpdate(
  services: Services,
  inbox: InboxRecord,
  texts: readonly string[],
  now: Date,
  files: readonly Uint8Array[] = [],
): Promise<void> {
  const words = await findOwnWords(
    services.contentWorker,
    texts,
    files.map((bytes) => [bytes]),
  );
  const [secret, canaries] = await Promise.all([
    findOwnSecret({ ...services, inbox, now }, words),
    canariesAmong(services.storage, inbox.account_id, words.canaries),
  ]);
  if (canaries.length > 0) await tripCanaries(services, inbox, canaries, now);
  if (secret !== undefined) throw ownSecretFault(secret);
  if (canaries.length > 0) throw fail("canary_leaked");
}

/**
 * Notes that canaries were about to leave an inbox: an event for each, letters to those in charge, and, unless outsiders
 * knew them already, sending stops from that inbox and from the one that the canary watches.
 */
export async function tripCanaries(
  services: Services,
  inbox: InboxRecord,
  canaries: readonly CanaryRecord[],
  now: Date,
  { only_tried = false }: Tripping = {},
): Promise<void> {
  await unitOfWork(services, inbox.account_id, now, async (work) => {
    const fresh = only_tried ? [] : canaries.filter(pausesSending);
    const paused = fresh.length === 0 ? [] : [inbox.id, ...fresh.map(({ inbox_id }) => inbox_id)];
    if (paused.length > 0)
      await work.update(
        "inboxes",
        { id: { in: [...new Set(paused)] }, sending_paused_at: null },
        { sending_paused_at: iso(now) },
      );
    const ruled = { account_id: inbox.account_id, inbox_id: inbox.id };
    const in_charge = new Set((await authoritiesOver(services, work, ruled)).map(({ email }) => email));
    for (const canary of canaries) {
      const { id: canary_id, name, inbox_id: watches } = canary;
      const pauses = fresh.includes(canary);
      await work.update("canaries", { id: canary_id }, { tripped_at: iso(now) });
      const data = { canary_id, name, watched_inbox_id: watches, inbox_id: inbox.id, sending_paused: pauses };
      work.publish({ type: "canary.tripped", inbox_id: inbox.id, data });
      if (!isTold(canary, now)) continue;
      for (const to of in_charge)
        work.job({
          kind: "canary.letter",
          subject_id: canary_id,
          payload: { to, name, inbox_email: inbox.email, account_id: inbox.account_id, pauses },
        });
    }
  });
}
