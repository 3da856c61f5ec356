import { iso } from "../../model/fields.ts";
import type { LetterSecretKind, LetterSecretRecord } from "../../model/letter-secrets.ts";
import type { StorageReader } from "../../ports/storage.ts";
import { hashSecret } from "../secrets.ts";

/** A secret of a letter that is about to be sent. */
export interface LetterSecret {
  secret: string;
  kind: LetterSecretKind;
  /** The approval or update that it is about. */
  subject_id?: string | null;
  expires_at?: Date | null;
  /** Until when it acts alone at the latest, where it does and that is known. */
  acts_until?: Date | undefined;
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
