import type { Services } from "../kernel/context.ts";
import { sameSecret } from "../kernel/secrets.ts";
import { iso } from "../model/fields.ts";
import type { SessionChallengeRecord } from "../model/people.ts";
import type { StorageReader } from "../ports/storage.ts";
import { signInCodeHash } from "./send-sign-in-letter.ts";

/** A person starts at most 30 sign-ins a day, so this sees every one that lives. */
const MAX_CHALLENGES = 50;

/** Whether a sign-in code that was mailed to an address can still be used. */
export async function hasLiveCode(
  { storage }: { storage: Pick<StorageReader, "find"> },
  email: string,
  now: Date,
): Promise<boolean> {
  return (await liveChallenges(storage, email, now)).length > 0;
}

/** Makes a sign-in code useless that came back in that address's own mail; other codes are left alone. */
export async function voidLiveCode(
  { storage, seal }: Pick<Services, "storage" | "seal">,
  email: string,
  code: string,
  now: Date,
): Promise<void> {
  for (const { id, code_hash } of await liveChallenges(storage, email, now))
    if (code_hash !== null && sameSecret(seal.open(code_hash), signInCodeHash(id, code)))
      await storage.update("session_challenges", { id }, { code_hash: null });
}

async function liveChallenges(
  storage: Pick<StorageReader, "find">,
  email: string,
  now: Date,
): Promise<SessionChallengeRecord[]> {
  const found = await storage.find("session_challenges", {
    where: { email },
    order: { by: "id", direction: "desc" },
    limit: MAX_CHALLENGES,
  });
  return found.filter(({ code_hash, expires_at }) => code_hash !== null && expires_at > iso(now));
}
