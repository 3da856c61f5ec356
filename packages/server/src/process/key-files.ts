import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { ConfigError } from "./config.ts";

/** A certificate and its key, as PEM. */
export interface CertificateFiles {
  cert: string;
  key: string;
}

/** Reads the files of SMTP_CERT and SMTP_KEY. Throws `ConfigError`, with the setting's name, for an unusable file. */
export function readCertificate(cert_path: string, key_path: string): CertificateFiles {
  const cert = readKeyFile("SMTP_CERT", cert_path);
  const key = readKeyFile("SMTP_KEY", key_path);
  const certificate = parsed(
    "SMTP_CERT",
    cert_path,
    "PEM file with a certificate",
    () => new X509Certificate(cert),
  );
  const private_key = privateKey("SMTP_KEY", key_path, key);
  if (!certificate.checkPrivateKey(private_key))
    throw new ConfigError([
      `SMTP_KEY is ${JSON.stringify(key_path)}, which is not the key of the certificate in SMTP_CERT. Set both to the files of one certificate.`,
    ]);
  return { cert, key };
}

/** Reads the file of DKIM_KEY. Throws `ConfigError` unless it holds a private key that can sign mail. */
export function readDkimKey(path: string): string {
  const text = readKeyFile("DKIM_KEY", path);
  const key = privateKey("DKIM_KEY", path, text);
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  const signs =
    key.asymmetricKeyType === "ed25519" || (key.asymmetricKeyType === "rsa" && bits >= MIN_RSA_BITS);
  if (!signs)
    throw unfit(
      "DKIM_KEY",
      path,
      `PEM file with an RSA key of at least ${MIN_RSA_BITS} bits, or an Ed25519 key`,
    );
  return text;
}

/** RFC 8301: verifiers ignore signatures of smaller ones. */
const MIN_RSA_BITS = 1024;

/** Reads a DKIM key that an earlier version kept in DATA_DIR. Throws `ConfigError` when the file is damaged. */
export function readEarlierDkimKey(path: string): string {
  try {
    return readDkimKey(path);
  } catch {
    throw new ConfigError([
      `DATA_DIR has a damaged DKIM key in ${path}. Restore it from a backup, or remove it: a new key is made then, and its record has to be published.`,
    ]);
  }
}

/** Checks a generated key that was read from DATA_DIR. Throws `ConfigError` when the file is damaged. */
export function readGeneratedKey(path: string, text: string): Uint8Array {
  const key = Buffer.from(text.trim(), "hex");
  if (key.length === KEY_BYTES) return key;
  throw new ConfigError([
    `DATA_DIR has a damaged encryption key in ${path}. Restore it from a backup, or set ENCRYPTION_KEY to the key.`,
  ]);
}

const KEY_BYTES = 32;

function readKeyFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError([
      `${name} is ${JSON.stringify(path)}, which cannot be read (${(error as NodeJS.ErrnoException).code}). Set it to the path of a PEM file that this user can read.`,
    ]);
  }
}

const privateKey = (name: string, path: string, text: string): KeyObject =>
  parsed(name, path, "PEM file with a private key, without a passphrase", () => createPrivateKey(text));

function parsed<T>(name: string, path: string, expected: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw unfit(name, path, expected);
  }
}

const unfit = (name: string, path: string, expected: string): ConfigError =>
  new ConfigError([`${name} is ${JSON.stringify(path)}, which cannot be used. Set it to a ${expected}.`]);
