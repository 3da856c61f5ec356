/** A certificate and its private key, both PEM. The key is a secret: store it with mode 0600. */
export interface Certificate {
  cert: string;
  key: string;
}

/** Lifetime of a generated certificate; opportunistic TLS between mail servers ignores expiry. */
export const CERTIFICATE_DAYS = 3_650;
const DAY_MS = 86_400_000;

/** Generates a self-signed P-256 certificate for `host`, valid from one day before `now`, for STARTTLS. */
export async function generateCertificate(options: { host: string; now: Date }): Promise<Certificate> {
  const { generate } = await import("selfsigned");
  const generated = await generate([{ name: "commonName", value: options.host }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notBeforeDate: new Date(options.now.getTime() - DAY_MS),
    notAfterDate: new Date(options.now.getTime() + CERTIFICATE_DAYS * DAY_MS),
    extensions: [
      { name: "basicConstraints", cA: false },
      { name: "keyUsage", digitalSignature: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: options.host }] },
    ],
  });
  return { cert: generated.cert, key: generated.private };
}
