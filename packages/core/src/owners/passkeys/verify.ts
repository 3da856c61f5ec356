import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { authoritiesOver } from "../../kernel/access/authority.ts";
import type { Services } from "../../kernel/context.ts";
import { iso } from "../../model/fields.ts";
import type { PasskeyAssertion, PasskeyChallengeRecord, PasskeyRecord } from "../../model/passkeys.ts";
import type { Passkeys } from "../../ports/passkeys.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { takeChallenge } from "./challenges.ts";
import { countsIn } from "./rules.ts";

/** The site that passkeys are for: that of BASE_URL. */
export function siteOf({ options }: Pick<Services, "options">): { origin: string; rp_id: string } {
  const { origin, hostname } = new URL(options.baseUrl);
  return { origin, rp_id: hostname };
}

/** The verifier of passkeys. Fails with `passkeys_unavailable` where the service has none. */
export function verifierOf({ passkeys }: Pick<Services, "passkeys">): Passkeys {
  if (passkeys === undefined) throw fail("passkeys_unavailable");
  return passkeys;
}

/** A person's passkeys, oldest first. */
export const passkeysOf = (storage: Pick<StorageReader, "find">, email: string): Promise<PasskeyRecord[]> =>
  storage.find("passkeys", {
    where: { email },
    order: { by: "id", direction: "asc" },
    limit: LIMITS.passkeys_per_person,
  });

/**
 * Verifies that a passkey answered a challenge of this purpose; answers the passkey and what was signed. Fails with
 * `passkey_invalid`, the same for whatever is wrong.
 */
export async function verifyAssertion(
  services: Pick<Services, "storage" | "passkeys" | "options">,
  assertion: PasskeyAssertion,
  asked: Pick<PasskeyChallengeRecord, "purpose" | "session_id"> & {
    approval_id?: string;
    /** Whose passkey it must be; anybody's to sign in. */
    email?: string;
  },
  now: Date,
): Promise<{ passkey: PasskeyRecord; challenge: PasskeyChallengeRecord }> {
  const { storage } = services;
  const verifier = verifierOf(services);
  const challenge = await takeChallenge(services, assertion.response.clientDataJSON, asked, now);
  const [passkey] = await storage.find("passkeys", { where: { credential_id: assertion.id }, limit: 1 });
  if (passkey === undefined || (asked.email !== undefined && passkey.email !== asked.email)) throw invalid();
  const verified = await verifier.verify(
    { response: assertion, challenge: challenge.challenge, ...siteOf(services) },
    passkey,
  );
  if (verified === undefined) throw invalid();
  // Of two answers with one counter only the first counts: a copied device says the same number.
  const [used] = await storage.update(
    "passkeys",
    { id: passkey.id, counter: passkey.counter },
    { counter: verified.counter, last_used_at: iso(now) },
  );
  if (used === undefined) throw invalid();
  return { passkey: used, challenge };
}

const invalid = () => fail("passkey_invalid", { param: "passkey" });

/** A person's passkeys that count for decisions over an inbox. */
export async function countingPasskeys(
  own: Pick<Services, "options">,
  storage: Pick<StorageReader, "find" | "get">,
  { email, account_id, inbox_id }: { email: string; account_id: string; inbox_id: string | null },
  now: Date,
): Promise<PasskeyRecord[]> {
  const [all, over] = await Promise.all([
    passkeysOf(storage, email),
    authoritiesOver(own, storage, { account_id, inbox_id }),
  ]);
  const theirs = over.filter((authority) => authority.email === email);
  return all.filter((passkey) => countsIn(passkey, theirs, now));
}
