import { fail, type LetterslotError } from "../../catalogue/errors.ts";
import type { Services } from "../../kernel/context.ts";
import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";
import { type BoughtNumber, type Telephony, TelephonyFailure } from "../../ports/telephony.ts";

const RETRY_AFTER_SECONDS = 60;

/**
 * Returns the provider that a number was bought from. Fails with a `TelephonyFailure`, `unavailable`, when the
 * service now uses another one, which would answer that there is no such number.
 */
export function providerOf(
  { telephony }: Pick<Services, "telephony">,
  { provider }: Pick<PhoneNumberRecord, "provider">,
): Telephony {
  if (telephony.name === provider) return telephony;
  throw new TelephonyFailure(
    "unavailable",
    `The number was bought from ${provider}, and the service uses ${telephony.name}.`,
  );
}

/** Finds the number that the provider sold for a reservation; undefined if none. Fails with a `TelephonyFailure`. */
export const findBought = async (
  services: Pick<Services, "telephony">,
  { id, provider }: Pick<PhoneNumberRecord, "id" | "provider">,
): Promise<BoughtNumber | undefined> => providerOf(services, { provider }).findNumber(id);

/**
 * Returns the error for a request that the provider didn't carry out: the refusal's own code, or
 * `telephony_unavailable`. Other errors stay as they are.
 */
export function errorOf(error: unknown): unknown {
  if (!(error instanceof TelephonyFailure)) return error;
  return error.code === undefined ? telephonyUnavailable() : fail(error.code);
}

/** `telephony_unavailable`, to be tried again after so many seconds. */
export const telephonyUnavailable = (
  retry_after_seconds: number = RETRY_AFTER_SECONDS,
  said: { message?: string; fix?: string } = {},
): LetterslotError => fail("telephony_unavailable", { retry_after_seconds, ...said });
