import { randomBytes } from "node:crypto";
import type { Config } from "./config.ts";
import type { DataDir } from "./data-dir.ts";

/**
 * The keys that seal what is stored: the configured ones, else one that was made for this folder and stays in
 * it.
 */
export async function encryptionKeys(config: Config, dataDir: DataDir): Promise<Uint8Array[]> {
  if (config.encryption_key !== undefined) return config.encryption_key;
  const hex = await dataDir.secret("encryption.key", () => `${randomBytes(32).toString("hex")}\n`);
  return [Buffer.from(hex.trim(), "hex")];
}
