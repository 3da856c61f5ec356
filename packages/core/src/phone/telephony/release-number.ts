import { z } from "zod";
import type { Services } from "../../kernel/context.ts";
import { endJob, postponeJob } from "../../kernel/jobs/job-lease.ts";
import type { Work } from "../../kernel/work.ts";
import { giveBackToPlan } from "../../limits/plans/index.ts";
import { iso } from "../../model/fields.ts";
import type { JobRecord } from "../../model/jobs.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import { TelephonyFailure } from "../../ports/telephony.ts";
import { findHeldNumber } from "./find.ts";
import { findBought, providerOf } from "./provider.ts";
import { isReleaseGivenUp, retryAt } from "./rules.ts";

/** The time by which a purchase under way is over and its number can be found. */
const LAST_LOOK_MS = 3600_000;

/** The payload of the job that releases an inbox's number; the number's record may be gone. */
const GivenUp = z.object({
  e164: z.string(),
  provider: z.string(),
  /** Null if the purchase was still under way; the provider is then asked whether it sold a number. */
  provider_id: z.string().nullable(),
  /** Whether to look once more if nothing has been bought yet. */
  look_again: z.boolean(),
});

type Held = Pick<PhoneNumberRecord, "id" | "e164" | "provider" | "provider_id">;

const givesBack = ({ id, e164, provider, provider_id }: Held, look_again: boolean) => {
  const payload: z.infer<typeof GivenUp> = { e164, provider, provider_id, look_again };
  return { kind: "phone.release" as const, subject_id: id, payload };
};

/**
 * Takes a number from its inbox in the caller's transaction; a job returns it to the provider. Returns whether the
 * inbox still had it. A mere reservation is cancelled, and a number that turns out to have been bought is returned
 * too.
 */
export async function releaseNumber(work: Work, number: PhoneNumberRecord, now: Date): Promise<boolean> {
  const { id, account_id, status } = number;
  const taken =
    status === "reserved"
      ? await work.delete("phone_numbers", { id, status })
      : (
          await work.update(
            "phone_numbers",
            { id, status: "active" },
            { status: "released", released_at: iso(now), held_inbox_id: null },
          )
        ).length;
  if (taken === 0) return false;
  await giveBackToPlan(work, account_id, "phone_numbers", 1);
  work.job(givesBack(number, true));
  return true;
}

/** Takes the number from an inbox that is deleted, if it has one, in the transaction that deletes it. */
export async function releaseNumberOf(work: Work, inbox_id: string, now: Date): Promise<void> {
  const held = await findHeldNumber(work, inbox_id);
  if (held !== undefined) await releaseNumber(work, held, now);
}

/**
 * Queues jobs that return numbers to the provider, in the transaction that deletes the numbers' records and with them
 * their jobs.
 */
export function giveBackErased(work: Work, numbers: readonly PhoneNumberRecord[]): void {
  for (const number of numbers) if (number.held_e164 !== null) work.job(givesBack(number, true));
}

/** Queues a job that returns the number bought for a reservation that is gone. */
export function releaseBought(work: Work, reserved: Held, provider_id: string): void {
  work.job(givesBack({ ...reserved, provider_id }, false));
}

/** Queues a job that looks, an hour from now, for a number bought for a reservation that is gone. */
export function lookForNumber(work: Work, reserved: Held, now: Date): void {
  work.job({ ...givesBack(reserved, false), due_at: new Date(now.getTime() + LAST_LOOK_MS) });
}

/**
 * Returns a number to the provider; `subject_id` is the number. Retries for a week, and then leaves it to the
 * operator, who reads in the log which number to release.
 */
export async function giveNumberBack(services: Services, job: JobRecord): Promise<void> {
  const { storage, clock, log } = services;
  const number = GivenUp.parse(job.payload);
  const { e164, provider, provider_id, look_again } = number;
  const now = clock.now();
  try {
    const sold = provider_id ?? (await findBought(services, { id: job.subject_id, provider }))?.provider_id;
    if (sold === undefined && look_again) {
      const payload = { ...number, look_again: false };
      return await postponeJob(storage, job, new Date(now.getTime() + LAST_LOOK_MS), payload);
    }
    if (sold !== undefined) await providerOf(services, number).releaseNumber(sold);
  } catch (error) {
    if (!(error instanceof TelephonyFailure)) throw error;
    const said = { error: error.message, e164, provider, provider_id };
    if (isReleaseGivenUp(job, now)) {
      log.error(said, "a phone number was not given back for a week: give it back at the provider");
      return endJob(storage, job);
    }
    log.warn(said, "a phone number is not given back yet");
    return postponeJob(storage, job, retryAt(job, now));
  }
  await storage.transaction(async (tx) => {
    await endJob(tx, job);
    await tx.update("phone_numbers", { id: job.subject_id }, { held_e164: null });
  });
}
