import type { PhoneNumberRecord } from "../../model/phone-numbers.ts";

/** A number that is or was an inbox's; not one that is still being bought. */
export type OwnedNumber = PhoneNumberRecord & { status: "active" | "released" };

/** Whether a number was bought, so that callers may see it. */
export const isOwned = (number: PhoneNumberRecord): number is OwnedNumber => number.status !== "reserved";
