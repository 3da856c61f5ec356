import { z } from "zod";
import type { Services } from "../kernel/context.ts";
import { endJob, postponeJob } from "../kernel/jobs/job-lease.ts";
import type { Work } from "../kernel/work.ts";
import { iso } from "../model/fields.ts";
import type { JobRecord } from "../model/jobs.ts";
import type { PhoneNumberRecord } from "../model/phone-numbers.ts";
import { giveBackToPlan } from "../plans/index.ts";
import { TelephonyFailure } from "../ports/telephony.ts";
import { findHeldNumber } from "./find.ts";
import { findBought, providerOf } from "./provider.ts";
import { isReleaseGivenUp, retryAt } from "./rules.ts";

/** A purchase under way is over by then, and what it bought can be found. */
const LAST_LOOK_MS = 3600_000;

/** What a job needs to know of a number that an inbox has no more; the number's record may be gone. */
const GivenUp = z.object({
  e164: z.string(),
  provider: z.string(),
  /** Null: the purchase was under way, so that the provider is asked whether it sold anything. */
  provider_id: z.string().nullable(),
  /** Whether to look once more when nothing was bought yet. */
  look_again: z.boolean(),
});

type Held = Pick<PhoneNumberRecord, "id" | "e164" | "provider" | "provider_id">;

const givesBack = ({ id, e164, provider, provider_id }: Held, look_again: boolean) => {
  const payload: z.infer<typeof GivenUp> = { e164, provider, provider_id, look_again };
  return { kind: "phone.release" as const, subject_id: id, payload };
};

/**
 * Takes a number from its inbox in the caller's transaction; a job gives it back to the provider. Returns whether the
 * inbox still had it. What is only reserved is given up, and what turns up to have been bought goes back too.
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
 * Lets a job give back to the provider what it still has to take, in the transaction that deletes the numbers' records
 * and with them their jobs.
 */
export function giveBackErased(work: Work, numbers: readonly PhoneNumberRecord[]): void {
  for (const number of numbers) if (number.held_e164 !== null) work.job(givesBack(number, true));
}

/** Lets a job give back what was bought for a reservation that is gone. */
export function releaseBought(work: Work, reserved: Held, provider_id: string): void {
  work.job(givesBack({ ...reserved, provider_id }, false));
}

/** Lets a job look, an hour from now, for what may have been bought for a reservation that is gone. */
export function lookForNumber(work: Work, reserved: Held, now: Date): void {
  work.job({ ...givesBack(reserved, false), due_at: new Date(now.getTime() + LAST_LOOK_MS) });
}

/**
 * Gives a number back to the provider; `subject_id` is the number. What fails is tried again for a week, and then
 * left to the operator, who reads in the log what to give back.
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
