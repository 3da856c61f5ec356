import { createHash, randomBytes } from "node:crypto";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import type { Services } from "../../kernel/context.ts";
import { iso } from "../../model/fields.ts";
import type { PasskeyChallengeRecord } from "../../model/passkeys.ts";

type Asked = Pick<PasskeyChallengeRecord, "purpose" | "session_id"> &
  Partial<Pick<PasskeyChallengeRecord, "approval_id" | "statement" | "salt">>;

const hashOf = (challenge: string): string => createHash("sha256").update(challenge).digest("hex");

/** The challenge of a statement: SHA-256 of its canonical form, in base64url. */
export const challengeOf = (statement: string): string =>
  createHash("sha256").update(statement).digest("base64url");

/** Stores a new challenge, which can be answered once within five minutes. */
export async function newChallenge(
  { storage }: Pick<Services, "storage">,
  asked: Asked,
  now: Date,
): Promise<{ challenge: string; expires_at: string }> {
  const { statement = null, approval_id = null, salt = null, ...of } = asked;
  const challenge = statement === null ? randomBytes(32).toString("base64url") : challengeOf(statement);
  const expires_at = iso(new Date(now.getTime() + LIMITS.passkey_challenge_ms));
  const record = { ...of, hash: hashOf(challenge), statement, approval_id, salt, expires_at };
  await storage.insert("passkey_challenges", record);
  return { challenge, expires_at };
}

/**
 * Takes the challenge that a browser's answer names, so that nobody can use it again. Fails with `passkey_invalid`
 * unless it was made for this purpose, session and approval, and is still good.
 */
export async function takeChallenge(
  { storage }: Pick<Services, "storage">,
  client_data: string,
  { purpose, session_id, approval_id = null }: Asked,
  now: Date,
): Promise<PasskeyChallengeRecord & { challenge: string }> {
  const challenge = challengeIn(client_data);
  const found = await storage.get("passkey_challenges", hashOf(challenge));
  const fits =
    found !== undefined &&
    found.expires_at > iso(now) &&
    found.purpose === purpose &&
    found.session_id === session_id &&
    found.approval_id === approval_id;
  if (!fits) throw fail("passkey_invalid", { param: "passkey" });
  // Of two calls at once one deletes it.
  if ((await storage.delete("passkey_challenges", { hash: found.hash })) === 0)
    throw fail("passkey_invalid", { param: "passkey" });
  return { ...found, challenge };
}

/** The challenge that a browser says it answers; the verifier checks that this is what was signed. */
function challengeIn(client_data: string): string {
  try {
    const said = JSON.parse(Buffer.from(client_data, "base64url").toString("utf8")) as {
      challenge?: unknown;
    };
    return typeof said.challenge === "string" ? said.challenge : "";
  } catch {
    return "";
  }
}
