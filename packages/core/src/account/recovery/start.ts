import { LIMITS } from "../../catalogue/limits.ts";
import { addressGroup } from "../../kernel/client-address.ts";
import type { Services } from "../../kernel/context.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { hashSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { RecoveryRecord } from "../../model/recovery.ts";
import { askedFrom, isKnownPlace } from "../../owners/sessions/index.ts";

const HOUR_MS = 3600_000;

/**
 * Starts to recover a key: the same for every address, and the letter is left to a job, so that neither the
 * answer nor its time tells whether anybody is known there. Fails with `rate_limited`.
 */
export async function startRecovery(
  services: Services,
  { email, ip, user_agent }: { email: string; ip: string | null; user_agent?: string | undefined },
  now: Date,
): Promise<RecoveryRecord> {
  await countLetter(services, email, ip, now);
  const recovery: RecoveryRecord = {
    id: services.makeId("rec"),
    email,
    link_hash: null,
    created_at: iso(now),
    expires_at: iso(new Date(now.getTime() + LIMITS.recovery_link_ms)),
  };
  await services.storage.transaction(async (tx) => {
    tx.append("recoveries", [recovery]);
    tx.append("jobs", [
      {
        id: services.makeId("job"),
        kind: "recovery.letter",
        subject_id: recovery.id,
        payload: { asked_from: askedFrom({ ip, user_agent }) },
        due_at: iso(now),
        attempts: 0,
        lease: null,
        created_at: iso(now),
      },
    ]);
  });
  await services.queue.send(now);
  return recovery;
}

/**
 * Counts a letter for its address and place together. Places where the person never signed in also share a limit per
 * address, so that nobody can flood a mailbox or keep invalidating its owner's links.
 */
async function countLetter(services: Services, email: string, ip: string | null, now: Date): Promise<void> {
  const { storage } = services;
  const address = hashSecret(email);
  const place = ip === null ? "here" : addressGroup(ip);
  const max = LIMITS.recovery_letters_per_hour;
  await countOrFail(storage, { name: `recover:${address}:${place}`, max, window_ms: HOUR_MS }, now);
  if (await isKnownPlace(services, { email, ip }, now)) return;
  await countOrFail(
    storage,
    { name: `recover-to:${address}`, max: LIMITS.recovery_letters_per_address_day, window_ms: 24 * HOUR_MS },
    now,
  );
}
