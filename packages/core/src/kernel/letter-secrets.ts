import { iso } from "../model/fields.ts";
import type { LetterSecretKind, LetterSecretRecord } from "../model/letter-secrets.ts";
import type { StorageReader } from "../ports/storage.ts";
import { hashSecret } from "./secrets.ts";
import type { Work } from "./work.ts";

/** A secret of a letter that is about to be sent. */
export interface LetterSecret {
  secret: string;
  kind: LetterSecretKind;
  /** The approval or update that it is about. */
  subject_id?: string | null;
  expires_at?: Date | null;
}

/** Stores the hashes of a letter's secrets in the transaction that queues the letter. */
export function addLetterSecrets(
  work: Pick<Work, "append">,
  letter: Pick<LetterSecretRecord, "account_id" | "inbox_id" | "owner_id" | "email" | "message_id">,
  secrets: readonly LetterSecret[],
  now: Date,
): void {
  work.append(
    "letter_secrets",
    secrets.map(({ secret, kind, subject_id = null, expires_at = null }) => ({
      ...letter,
      hash: hashSecret(secret),
      kind,
      subject_id,
      created_at: iso(now),
      expires_at: expires_at === null ? null : iso(expires_at),
      struck_at: null,
    })),
  );
}

/** The stored secret of one of these kinds; undefined when there is none or it has expired. */
export async function findLetterSecret(
  { storage }: { storage: Pick<StorageReader, "get"> },
  secret: string,
  kinds: readonly LetterSecretKind[],
  now: Date,
): Promise<LetterSecretRecord | undefined> {
  const record = await storage.get("letter_secrets", hashSecret(secret));
  if (record === undefined || !kinds.includes(record.kind)) return undefined;
  return record.expires_at !== null && record.expires_at <= iso(now) ? undefined : record;
}
