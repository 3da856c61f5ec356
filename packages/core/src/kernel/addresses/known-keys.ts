import { createPrivateKey, createPublicKey, hash as digest } from "node:crypto";
import type { DomainRecord } from "../../model/domains.ts";
import type { StorageWriter } from "../../ports/storage.ts";

/** The hash by which a public key is remembered: of its SubjectPublicKeyInfo, given in Base64. */
export const publicKeyHash = (public_key: string): string =>
  digest("sha256", Buffer.from(public_key, "base64"), "base64url");

/** The public half of a private key (PEM), as its SubjectPublicKeyInfo in Base64. */
export const publicHalf = (private_key: string): string =>
  createPublicKey(createPrivateKey(private_key)).export({ type: "spki", format: "der" }).toString("base64");

/** The public keys of a domain: the one that signs, the next, and the one before. */
export const publicKeysOf = ({
  dkim_public_key,
  next_dkim_public_key,
  previous_dkim_public_key,
}: DomainRecord): string[] =>
  [dkim_public_key, next_dkim_public_key, previous_dkim_public_key].filter((key) => key !== null);

/** Remembers for good that these public keys (SubjectPublicKeyInfo in Base64) are this service's. */
export async function rememberKeys(
  writer: Pick<StorageWriter, "insert">,
  public_keys: readonly string[],
): Promise<void> {
  for (const public_key of new Set(public_keys))
    await writer.insert("known_keys", { hash: publicKeyHash(public_key) });
}
