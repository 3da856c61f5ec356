import type { Services } from "../../kernel/context.ts";
import { sameSecret } from "../../kernel/secrets.ts";
import { iso } from "../../model/fields.ts";
import type { LetterRecord } from "../../model/letters.ts";
import type { SessionChallengeRecord } from "../../model/people.ts";
import { isInvitationCode, liveInvitations, voidInvitationCode } from "../owners/live-codes.ts";
import { signInCodeHash } from "./send-sign-in-letter.ts";

/** A person starts at most 30 sign-ins a day, so this covers every live one. */
const MAX_CHALLENGES = 50;

/** The letter that has a code, as it is registered. */
type CodeLetter = Pick<LetterRecord, "kind" | "subject_id">;

/** A code that was mailed to an address and can still be used. */
export interface LiveCode extends CodeLetter {
  /** Whether a number is this code. */
  is(number: string): boolean;
}

/**
 * Returns the live codes for an address: of its attempts to sign in, and of its invitations as an owner. Takes two
 * reads.
 */
export async function liveCodesTo(
  { storage, seal }: Pick<Services, "storage" | "seal">,
  email: string,
  now: Date,
): Promise<LiveCode[]> {
  const [challenges, invitations] = await Promise.all([
    storage.find("session_challenges", {
      where: { email },
      order: { by: "id", direction: "desc" },
      limit: MAX_CHALLENGES,
    }),
    liveInvitations({ storage }, email, now),
  ]);
  return [
    ...challenges
      .filter((challenge) => isLive(challenge, now))
      .map((challenge) => ({
        kind: "sign_in" as const,
        subject_id: challenge.id,
        is: (number: string) => isSignInCode({ seal }, challenge, number),
      })),
    ...invitations.map((owner) => ({
      kind: "confirmation" as const,
      subject_id: owner.id,
      is: (number: string) => isInvitationCode({ seal }, owner, number),
    })),
  ];
}

/**
 * Voids a letter's code if it is live and among the numbers of a mail; its page then says why. Returns whether a code
 * was voided; other codes to the same address stay live.
 */
export async function voidCode(
  services: Pick<Services, "storage" | "seal">,
  { kind, subject_id }: CodeLetter,
  numbers: Iterable<string>,
  now: Date,
): Promise<boolean> {
  if (subject_id === null) return false;
  if (kind === "confirmation") return voidInvitationCode(services, subject_id, numbers, now);
  if (kind !== "sign_in") return false;
  const { storage } = services;
  const challenge = await storage.get("session_challenges", subject_id);
  if (challenge === undefined || !isLive(challenge, now)) return false;
  for (const number of numbers) {
    if (!isSignInCode(services, challenge, number)) continue;
    const { id, code_hash } = challenge;
    const change = { code_hash: null, code_voided_at: iso(now) };
    return (await storage.update("session_challenges", { id, code_hash }, change)).length > 0;
  }
  return false;
}

const isLive = ({ code_hash, expires_at }: SessionChallengeRecord, now: Date): boolean =>
  code_hash !== null && expires_at > iso(now);

/** Whether a number is the code of an attempt to sign in. */
const isSignInCode = (
  { seal }: Pick<Services, "seal">,
  { id, code_hash }: SessionChallengeRecord,
  number: string,
): boolean => code_hash !== null && sameSecret(seal.open(code_hash), signInCodeHash(id, number));
