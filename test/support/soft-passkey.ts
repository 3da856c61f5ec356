import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const coded = (data: Buffer): string => data.toString("base64url");

/** How a device answers, other than it should. */
export interface Answer {
  /** The page that it thinks it is on. */
  origin?: string;
  /** Whether it verified its person. */
  verified?: boolean;
  /** The counter that it says. */
  counter?: number;
}

/** A device that makes one passkey (ES256), without a browser. */
export function createSoftPasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  let counter = 0;

  const data = ({ origin: at = origin, verified = true, counter: said }: Answer, more = Buffer.alloc(0)) => {
    const head = Buffer.alloc(37);
    sha256(new URL(at).hostname).copy(head);
    head[32] = 1 | (verified ? 4 : 0) | (more.length > 0 ? 64 : 0);
    head.writeUInt32BE(said ?? ++counter, 33);
    return Buffer.concat([head, more]);
  };
  const client = (type: string, { challenge }: Record<string, unknown>, { origin: at = origin }: Answer) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  const common = { id: coded(id), rawId: coded(id), type: "public-key" as const, clientExtensionResults: {} };

  return {
    jwk: { kty: "EC", crv: "P-256", x, y },
    /** Makes the passkey: the answer to options for creating one. */
    make(options: Record<string, unknown>, answer: Answer = {}) {
      const cose = Buffer.concat([
        ...[Buffer.from("a5010203262001215820", "hex"), Buffer.from(x, "base64url")],
        ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
      ]);
      const length = Buffer.from([0, id.length]);
      const auth = data(answer, Buffer.concat([Buffer.alloc(16), length, id, cose]));
      const attestation = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
        ...[Buffer.from([0x58, auth.length]), auth],
      ]);
      const clientDataJSON = coded(client("webauthn.create", options, answer));
      return { ...common, response: { clientDataJSON, attestationObject: coded(attestation) } };
    },
    /** Signs a challenge: the answer to options for using one. */
    sign(options: Record<string, unknown>, answer: Answer = {}) {
      const said = client("webauthn.get", options, answer);
      const auth = data(answer);
      const signature = createSign("sha256")
        .update(Buffer.concat([auth, sha256(said)]))
        .sign(privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: coded(said),
          authenticatorData: coded(auth),
          signature: coded(signature),
        },
      };
    },
  };
}
