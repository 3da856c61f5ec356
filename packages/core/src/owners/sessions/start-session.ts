import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { addressGroup } from "../../kernel/client-address.ts";
import type { Services } from "../../kernel/context.ts";
import { findLetterSecret } from "../../kernel/letters/letter-secrets.ts";
import { countOrFail } from "../../kernel/rate.ts";
import { hashSecret, newToken } from "../../kernel/secrets.ts";
import { canonicalAddress } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { SessionChallengeRecord } from "../../model/people.ts";
import type { Opens } from "../notifications/sign-in.ts";
import { countConfirmationLetter } from "../owners/invite.ts";
import { askedFrom } from "./asked-from.ts";
import { networkOf } from "./rules.ts";

const HOUR_MS = 3600_000;

/** A request to sign in, with the marks that make its sender known. */
export interface StartRequest {
  email: string;
  ip: string | null;
  /** The browser's User-Agent. */
  user_agent?: string | null | undefined;
  /** The purpose of the sign-in, which the letter states; by default that of every session. */
  opens?: Opens | undefined;
  /** The cookie of a browser that signed in before. */
  remember_token?: string | undefined;
  /**
   * The secret of a letter to this very address, whose page makes the request. The secret of a confirmation allows
   * mail to an address that nobody has verified yet.
   */
  letter?: string | undefined;
  /**
   * The request comes from the page on which newcomers open an account: it allows mail to an address that nobody has
   * verified yet, unless ONBOARDING is closed.
   */
  newcomers?: boolean | undefined;
}

/**
 * Starts to sign a person in: answers a challenge, the same for every address, and leaves the letter to a job,
 * so that neither the answer nor its time tells whether anybody is known there. Fails with `rate_limited`, and
 * for newcomers with `invalid_address`.
 */
export async function startSession(
  services: Services,
  request: StartRequest,
  now: Date,
): Promise<{ challenge: string; expires_at: string }> {
  if (request.newcomers === true && canonicalAddress(request.email) !== request.email)
    throw fail("invalid_address", { param: "email" });
  await countLetter(services, request, now);
  const challenge = newToken();
  const expires_at = iso(new Date(now.getTime() + LIMITS.session_challenge_ms));
  const record: SessionChallengeRecord = {
    id: services.makeId("sch"),
    challenge_hash: hashSecret(challenge),
    email: request.email,
    code_hash: null,
    link_hash: null,
    code_voided_at: null,
    tries: 0,
    created_at: iso(now),
    expires_at,
  };
  await services.storage.transaction(async (tx) => {
    tx.append("session_challenges", [record]);
    tx.append("jobs", [
      {
        id: services.makeId("job"),
        kind: "session.letter",
        subject_id: record.id,
        payload: {
          ...(request.letter === undefined ? {} : { letter_hash: hashSecret(request.letter) }),
          ...(request.newcomers === true ? { newcomers: true } : {}),
          opens: request.opens ?? "session",
          asked_from: askedFrom(request),
        },
        due_at: iso(now),
        attempts: 0,
        lease: null,
        created_at: iso(now),
      },
    ]);
  });
  await services.queue.send(now);
  return { challenge, expires_at };
}

/**
 * Counts a letter. Known requesters have a limit of their own, so that a stranger who uses up the common ones locks
 * nobody out.
 */
async function countLetter(services: Services, request: StartRequest, now: Date): Promise<void> {
  const { storage } = services;
  const { email, ip, letter } = request;
  if (letter !== undefined && (await findLetterSecret(services, letter, ["confirm"], now)) !== undefined)
    return countConfirmationLetter(storage, email, ip, now);
  const lane = await laneOf(services, request, now);
  const max = LIMITS.session_letters_per_hour;
  if (lane !== undefined)
    return countOrFail(storage, { name: `sign-in:${lane}`, max, window_ms: HOUR_MS }, now);
  if (request.newcomers === true) await countConfirmationLetter(storage, email, ip, now);
  const address = hashSecret(email);
  const place = ip === null ? "here" : addressGroup(ip);
  await countOrFail(storage, { name: `sign-in:${address}:${place}`, max, window_ms: HOUR_MS }, now);
  await countOrFail(
    storage,
    { name: `sign-in-to:${address}`, max: LIMITS.session_letters_per_address_day, window_ms: 24 * HOUR_MS },
    now,
  );
}

/** Returns the mark that makes the requester known: a letter's page, a remembered browser, or a network of theirs. */
async function laneOf(
  { storage }: Services,
  { email, ip, remember_token, letter }: Pick<StartRequest, "email" | "ip" | "remember_token" | "letter">,
  now: Date,
): Promise<string | undefined> {
  if (letter !== undefined) return `letter:${hashSecret(letter)}`;
  const marks = [
    ...(remember_token === undefined ? [] : [hashSecret(remember_token)]),
    ...(ip === null ? [] : [networkMark(email, ip)]),
  ];
  for (const hash of marks) {
    const known = await storage.get("remembered_browsers", hash);
    if (known?.email === email && known.expires_at > iso(now)) return `known:${hash}`;
  }
  return undefined;
}

/** Whether a person signed in before from this place. */
export const isKnownPlace = async (
  services: Services,
  place: Pick<StartRequest, "email" | "ip">,
  now: Date,
): Promise<boolean> => (await laneOf(services, place, now)) !== undefined;

/** The key under which a person's network is remembered. */
export const networkMark = (email: string, ip: string): string =>
  hashSecret(`network:${email}:${networkOf(ip)}`);
