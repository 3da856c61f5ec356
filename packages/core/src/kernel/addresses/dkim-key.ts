import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/** Every receiver verifies RSA, and its records with 2048 bits fit every DNS provider's form (RFC 8301). */
const RSA_BITS = 2048;

/** Creates a key that signs mail: RSA with 2048 bits, as PEM (PKCS #8). */
export async function generateDkimKey(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: RSA_BITS });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
