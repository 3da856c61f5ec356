import { generateKeyPair, type KeyObject, randomBytes, sign } from "node:crypto";
import { promisify } from "node:util";
import { bitString, bool, octetString, oid, sequence, set, tagged, time, unsigned, utf8 } from "./der.ts";

/** A certificate and its private key, both PEM. The key is a secret: store it with mode 0600. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Lifetime of a generated certificate; opportunistic TLS between mail servers ignores expiry. */
export const CERTIFICATE_DAYS = 3_650;
const DAY_MS = 86_400_000;

/** X.509 version 3, which is written as 2. */
const VERSION_3 = 2;
/** The longest common name (RFC 5280, appendix A.1); a longer host stands in subjectAltName alone. */
const MAX_COMMON_NAME = 64;
/** A serial number has at most 20 bytes; 16 random ones are not given twice (RFC 5280, section 4.1.2.2). */
const SERIAL_BYTES = 16;

const OID = {
  ecdsa_with_sha256: "1.2.840.10045.4.3.2",
  common_name: "2.5.4.3",
  key_usage: "2.5.29.15",
  subject_alt_name: "2.5.29.17",
  basic_constraints: "2.5.29.19",
  extended_key_usage: "2.5.29.37",
  server_auth: "1.3.6.1.5.5.7.3.1",
};

/**
 * Generates a self-signed P-256 certificate (RFC 5280) for a DNS name, valid from one day before `now`, for
 * STARTTLS.
 */
export async function generateCertificate(options: { host: string; now: Date }): Promise<Certificate> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "prime256v1" });
  const signed = certificateOf({ ...options, publicKey });
  const signature = sign("sha256", signed, privateKey);
  const der = sequence(signed, sequence(oid(OID.ecdsa_with_sha256)), bitString(signature));
  return { cert: pem(der), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** The part of the certificate that is signed. */
function certificateOf({ host, now, publicKey }: { host: string; now: Date; publicKey: KeyObject }): Buffer {
  const name = host.length <= MAX_COMMON_NAME ? [set(sequence(oid(OID.common_name), utf8(host)))] : [];
  const issuerAndSubject = sequence(...name);
  return sequence(
    tagged(0, unsigned(Buffer.of(VERSION_3))),
    unsigned(randomBytes(SERIAL_BYTES)),
    sequence(oid(OID.ecdsa_with_sha256)),
    issuerAndSubject,
    sequence(
      time(new Date(now.getTime() - DAY_MS)),
      time(new Date(now.getTime() + CERTIFICATE_DAYS * DAY_MS)),
    ),
    issuerAndSubject,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(3, extensions(host)),
  );
}

function extensions(host: string): Buffer {
  const critical = (id: string, value: Buffer) => sequence(oid(id), bool(true), octetString(value));
  const optional = (id: string, value: Buffer) => sequence(oid(id), octetString(value));
  return sequence(
    critical(OID.basic_constraints, sequence()),
    // digitalSignature is the first bit: of the one byte, seven bits are unused.
    critical(OID.key_usage, bitString(Buffer.of(0b1000_0000), 7)),
    optional(OID.extended_key_usage, sequence(oid(OID.server_auth))),
    // Without a subject this extension is critical (RFC 5280, section 4.2.1.6).
    (host.length <= MAX_COMMON_NAME ? optional : critical)(
      OID.subject_alt_name,
      sequence(tagged(2, Buffer.from(host, "latin1"), "primitive")),
    ),
  );
}

function pem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
