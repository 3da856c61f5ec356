import { iso } from "../../model/fields.ts";
import type { LetterSecretRecord } from "../../model/letter-secrets.ts";
import type { DeadLink } from "../../model/letters.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { hashSecret } from "../secrets.ts";

/** More than the limits let be asked for one address within the time of a link. */
const MAX_NEWER = 100;

/**
 * Explains to the holder of a letter's link why it fails and who wrote the letter. Undefined for words of no letter, or
 * of one that is forgotten. A link that works is `elsewhere` if another browser must open it, else `ended`.
 */
export async function explainLink(
  storage: Pick<StorageReader, "get" | "find">,
  token: string,
  now: Date,
): Promise<DeadLink | undefined> {
  const secret = await storage.get("letter_secrets", hashSecret(token));
  if (secret === undefined) return undefined;
  const { kind, created_at: sent_at, inbox_id } = secret;
  const inbox = inbox_id === null ? undefined : await storage.get("inboxes", inbox_id);
  return {
    ...{ kind, sent_at, why: await whyDead(storage, secret, now) },
    inbox_email: inbox?.email ?? null,
    inbox_display_name: inbox?.display_name ?? null,
  };
}

async function whyDead(
  storage: Pick<StorageReader, "get" | "find">,
  secret: LetterSecretRecord,
  now: Date,
): Promise<DeadLink["why"]> {
  const { kind, hash, email, expires_at } = secret;
  const owner = secret.owner_id === null ? undefined : await storage.get("owners", secret.owner_id);
  switch (kind) {
    case "confirm":
      if (owner === undefined || owner.link_hash === null) return "withdrawn";
      if (owner.link_hash !== hash) return "replaced";
      return (owner.link_expires_at ?? "") <= iso(now) ? "expired" : "ended";
    case "sign_in": {
      if (expires_at !== null && expires_at <= iso(now)) return "expired";
      const challenges = await storage.find("session_challenges", { where: { link_hash: hash }, limit: 1 });
      return challenges.length === 0 ? "used" : "elsewhere";
    }
    case "recover": {
      if (expires_at !== null && expires_at <= iso(now)) return "expired";
      const [recovery] = await storage.find("recoveries", { where: { link_hash: hash }, limit: 1 });
      if (recovery === undefined) return "used";
      const newer = await storage.find("recoveries", {
        where: { email, id: { gt: recovery.id } },
        order: { by: "id", direction: "asc" },
        limit: MAX_NEWER,
      });
      return newer.some(({ link_hash }) => link_hash !== null) ? "replaced" : "ended";
    }
    case "forward": {
      if (expires_at !== null && expires_at <= iso(now)) return "expired";
      const [open] = await storage.find("forwardings", { where: { link_hash: hash }, limit: 1 });
      return open === undefined ? "withdrawn" : "ended";
    }
    case "answer":
    case "approve":
    case "page":
    case "reply":
    case "unsubscribe":
      return secret.owner_id !== null && owner?.status !== "verified" ? "not_owner" : "ended";
  }
}
