import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { Services } from "../../kernel/context.ts";
import { iso } from "../../model/fields.ts";
import type { StorageWriter } from "../../ports/storage.ts";

/** The name under which storage has the keys: all of them, so that a rotation is one write. */
const NAME = "approval-receipts";

/** A key that signs receipts; of a retired one only the public half is kept. */
interface StoredKey {
  kid: string;
  x: string;
  d: string | null;
  created_at: string;
  retired_at: string | null;
}

/** A public key of receipts: a JWK, with when it began to sign, and when it stopped. */
export interface ReceiptKey {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  alg: "EdDSA";
  use: "sig";
  created_at: string;
  /** Null for the one that signs now. */
  retired_at: string | null;
}

/** The key that signs receipts now. */
export interface SigningKey {
  kid: string;
  key: KeyObject;
  created_at: string;
}

type Sealing = Pick<Services, "seal">;

function makeKey(now: Date): StoredKey {
  const { x = "", d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return { kid: thumbprint(x), x, d, created_at: iso(now), retired_at: null };
}

/** A key's id by RFC 7638. */
const thumbprint = (x: string): string =>
  createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url");

/** The keys, oldest first; the first call makes one, and of several at once all answer the same. */
async function storedKeys(
  { seal }: Sealing,
  storage: Pick<StorageWriter, "get" | "insert">,
  now: Date,
): Promise<{ sealed_key: string; keys: StoredKey[] }> {
  const found = await storage.get("service_keys", NAME);
  const { sealed_key } =
    found ??
    (
      await storage.insert("service_keys", {
        name: NAME,
        sealed_key: seal.seal(JSON.stringify([makeKey(now)])),
        created_at: iso(now),
      })
    ).record;
  return { sealed_key, keys: JSON.parse(seal.open(sealed_key)) as StoredKey[] };
}

/** The key that signs now. */
export async function signingKey(
  own: Sealing,
  storage: Pick<StorageWriter, "get" | "insert">,
  now: Date,
): Promise<SigningKey> {
  const { keys } = await storedKeys(own, storage, now);
  const { kid, x, d, created_at } = keys.at(-1) as StoredKey;
  return {
    ...{ kid, created_at },
    key: createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", x, d: d ?? "" }, format: "jwk" }),
  };
}

/** The public keys of all receipts that this service ever signed, oldest first. Makes the first one. */
export async function receiptKeys(
  services: Pick<Services, "seal" | "storage" | "clock">,
): Promise<ReceiptKey[]> {
  const { keys } = await storedKeys(services, services.storage, services.clock.now());
  return keys.map(shown);
}

const shown = ({ d: _d, kid, x, created_at, retired_at }: StoredKey): ReceiptKey => ({
  ...{ kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" },
  ...{ created_at, retired_at },
});

/** Makes a new key that signs from now on. The one before is retired: its private half is gone, its public half stays. */
export async function rotateReceiptKey(
  services: Pick<Services, "seal" | "storage" | "clock">,
): Promise<ReceiptKey> {
  const { storage, seal, clock } = services;
  for (;;) {
    const now = clock.now();
    const { sealed_key, keys } = await storedKeys(services, storage, now);
    const made = makeKey(now);
    const retired = keys.map((key) => ({ ...key, d: null, retired_at: key.retired_at ?? iso(now) }));
    const changed = { sealed_key: seal.seal(JSON.stringify([...retired, made])) };
    const [updated] = await storage.update("service_keys", { name: NAME, sealed_key }, changed);
    if (updated !== undefined) return shown(made);
  }
}
