import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { isOutside } from "../../kernel/addresses/inbox-domain.ts";
import { isHeardOf } from "../../kernel/addresses/reachable.ts";
import type { Services } from "../../kernel/context.ts";
import { count } from "../../kernel/rate.ts";
import { hashSecret, newToken, sameSecret } from "../../kernel/secrets.ts";
import { addressKey } from "../../model/address.ts";
import { iso } from "../../model/fields.ts";
import type { PasskeyAssertion } from "../../model/passkeys.ts";
import type { SessionChallengeRecord, SessionRecord } from "../../model/people.ts";
import { CODE_CAME_BACK } from "../owners/rules.ts";
import { verifyAssertion } from "../passkeys/index.ts";
import { sessionEnd } from "./rules.ts";
import { signInCodeHash } from "./send-sign-in-letter.ts";
import { networkMark } from "./start-session.ts";

const DAY_MS = 24 * 3600_000;

/** The proof that a person controls a mailbox: the code or the link's token, and in any case the challenge. */
export interface SignInRequest {
  challenge: string | undefined;
  email?: string | undefined;
  code?: string | undefined;
  token?: string | undefined;
  ip: string | null;
  user_agent: string | null;
}

/** A session that was just made; only its cookie and its browser know the tokens. */
export interface SignedIn {
  session: SessionRecord;
  session_token: string;
  remember_token: string;
}

/**
 * Signs a person in. Fails with `session_invalid`, the same for unknown, wrong, expired or used input. The attempt is
 * counted before the code is compared: five per challenge, and per address twenty wrong ones a day over all
 * challenges, after which only the letter's link signs in. The holder of a challenge whose code arrived in an inbox
 * is told so.
 */
export async function signIn(services: Services, request: SignInRequest, now: Date): Promise<SignedIn> {
  const { storage } = services;
  const challenge = await findChallenge(services, request.challenge, now);
  if (request.token === undefined && challenge.code_voided_at !== null)
    throw fail("session_invalid", CODE_CAME_BACK);
  const proved =
    request.token === undefined
      ? await isCode(services, challenge, request, now)
      : challenge.link_hash !== null && sameSecret(challenge.link_hash, hashSecret(request.token));
  if (!proved) throw invalid();
  // Of two calls at the same time one deletes it.
  if ((await storage.delete("session_challenges", { id: challenge.id })) === 0) throw invalid();

  return openSession(services, { ...request, email: challenge.email }, now);
}

/**
 * Signs a person in with their passkey, which counts for that from the moment that it was added. Fails with
 * `passkey_invalid`, the same for whatever is wrong but for a passkey of another person than the one that is named.
 */
export async function signInWithPasskey(
  services: Services,
  {
    passkey: assertion,
    email,
    ...request
  }: { passkey: PasskeyAssertion; email?: string | undefined; ip: string | null; user_agent: string | null },
  now: Date,
): Promise<SignedIn> {
  const asked = { purpose: "sign_in" as const, session_id: null };
  const { passkey } = await verifyAssertion(services, assertion, asked, now);
  if (!(await isOutside(services, services.storage, passkey.email)))
    throw fail("passkey_invalid", { param: "passkey" });
  if (email !== undefined && addressKey(email) !== passkey.email)
    throw fail("passkey_invalid", {
      param: "passkey",
      message: `That passkey signs in ${passkey.email}, but this is for ${email}.`,
      fix: "Use a passkey of that person, or enter the code.",
    });
  return openSession(services, { ...request, email: passkey.email }, now);
}

/** Opens the session of a person who has proven their mailbox or their passkey. */
async function openSession(
  services: Services,
  request: { email: string; ip: string | null; user_agent: string | null },
  now: Date,
): Promise<SignedIn> {
  const { storage } = services;
  const { email } = request;
  const session_token = newToken();
  const remember_token = newToken();
  const session: SessionRecord = {
    id: services.makeId("ses"),
    token_hash: hashSecret(session_token),
    email,
    user_agent: request.user_agent?.slice(0, LIMITS.user_agent_chars) ?? null,
    created_at: iso(now),
    last_seen_at: iso(now),
    expires_at: iso(sessionEnd({ created_at: iso(now) }, now)),
  };
  await storage.insert("sessions", session);
  await isHeardOf(storage, email);
  await remember(services, hashSecret(remember_token), email, LIMITS.remembered_browser_ms, now);
  if (request.ip !== null)
    await remember(services, networkMark(email, request.ip), email, LIMITS.remembered_network_ms, now);
  return { session, session_token, remember_token };
}

/**
 * Whether the code of a challenge was voided because its letter arrived in an inbox; false for unknown or ended
 * challenges.
 */
export async function isCodeVoid(services: Services, challenge: string, now: Date): Promise<boolean> {
  const [found] = await services.storage.find("session_challenges", {
    where: { challenge_hash: hashSecret(challenge) },
    limit: 1,
  });
  return found !== undefined && found.expires_at > iso(now) && found.code_voided_at !== null;
}

async function findChallenge(
  { storage }: Services,
  challenge: string | undefined,
  now: Date,
): Promise<SessionChallengeRecord> {
  if (challenge === undefined || challenge === "") throw invalid();
  const [found] = await storage.find("session_challenges", {
    where: { challenge_hash: hashSecret(challenge) },
    limit: 1,
  });
  if (found === undefined || found.expires_at <= iso(now)) throw invalid();
  return found;
}

async function isCode(
  { storage, seal }: Services,
  { id, email, code_hash }: SessionChallengeRecord,
  said: SignInRequest,
  now: Date,
): Promise<boolean> {
  if (said.code === undefined || said.email !== email) return false;
  const [tried] = await storage.update(
    "session_challenges",
    { id, tries: { lt: LIMITS.session_code_tries } },
    { tries: { add: 1 } },
  );
  if (tried === undefined) return false;
  const cap = {
    name: `sign-in-wrong:${hashSecret(email)}`,
    max: LIMITS.session_wrong_codes_per_address_day,
    window_ms: DAY_MS,
  };
  const { within, give_back } = await count(storage, cap, now);
  if (!within || code_hash === null) return false;
  const right = sameSecret(seal.open(code_hash), signInCodeHash(id, said.code));
  if (right) await give_back();
  return right;
}

async function remember(
  { storage }: Services,
  hash: string,
  email: string,
  for_ms: number,
  now: Date,
): Promise<void> {
  const expires_at = iso(new Date(now.getTime() + for_ms));
  const { inserted } = await storage.insert("remembered_browsers", { hash, email, expires_at });
  if (!inserted) await storage.update("remembered_browsers", { hash }, { expires_at });
}

const invalid = (): Error => fail("session_invalid");
