import { createHmac, timingSafeEqual } from "node:crypto";
import { CLASSES, type Reply, TYPES, uint16s, wireName, wireRecord, withAdditional } from "./wire.ts";

/** A key that signs messages (TSIG, RFC 8945). */
export interface TsigKey {
  key_name: string;
  algorithm: "hmac-sha256" | "hmac-sha384" | "hmac-sha512";
  /** In Base64. */
  secret: string;
}

/** A signed message, and the signature that its answer's is bound to. */
export interface SignedMessage {
  bytes: Buffer;
  mac: Buffer;
}

/** The errors with which a server rejects our signature (RFC 8945, section 3). */
export const TSIG_ERRORS = { BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 } as const;

/** The permitted clock skew in seconds, as the RFC recommends. */
const FUDGE_SECONDS = 300;
const MAC_OFFSET = 10;

/** Signs a message. `now` is in seconds. */
export function signMessage(message: Buffer, key: TsigKey, now: number): SignedMessage {
  const algorithm = wireName(key.algorithm);
  const times = timesOf(now, FUDGE_SECONDS);
  const mac = hmacOf(key, [message, variablesOf(key, algorithm, times, uint16s(0, 0))]);
  const data = Buffer.concat([
    ...[algorithm, times, uint16s(mac.length), mac],
    uint16s(message.readUInt16BE(0), 0, 0),
  ]);
  const record = wireRecord({ name: key.key_name, type: TYPES.TSIG, class: CLASSES.ANY, ttl: 0, data });
  return { bytes: withAdditional(message, record), mac };
}

/**
 * The result of checking an answer's signature: whether our key made it, and the server's error about ours (0: none).
 */
export interface Verdict {
  verified: boolean;
  error: number;
}

/** Checks the signature of an answer to a signed message. An answer without one is not verified, error 0. */
export function verifyReply(
  { bytes, tsig }: Pick<Reply, "bytes" | "tsig">,
  key: TsigKey,
  request_mac: Buffer,
  now: number,
): Verdict {
  if (tsig === undefined) return { verified: false, error: 0 };
  const algorithm = wireName(key.algorithm);
  const { data } = tsig;
  const fixed = algorithm.length;
  const mac_bytes = data.length >= fixed + MAC_OFFSET ? data.readUInt16BE(fixed + 8) : data.length;
  const after_mac = fixed + MAC_OFFSET + mac_bytes;
  if (data.length < after_mac + 6) return { verified: false, error: 0 };
  const mac = data.subarray(fixed + MAC_OFFSET, after_mac);
  const error = data.readUInt16BE(after_mac + 2);
  const original_id = data.subarray(after_mac, after_mac + 2);

  const unsigned = Buffer.from(bytes.subarray(0, tsig.start));
  original_id.copy(unsigned, 0);
  unsigned.writeUInt16BE(unsigned.readUInt16BE(10) - 1, 10);
  const times = data.subarray(fixed, fixed + 8);
  const expected = hmacOf(key, [
    ...[uint16s(request_mac.length), request_mac, unsigned],
    variablesOf(key, algorithm, times, data.subarray(after_mac + 2)),
  ]);
  const time = times.readUIntBE(0, 6);
  const verified =
    tsig.name === key.key_name &&
    data.subarray(0, fixed).toString("latin1").toLowerCase() === algorithm.toString("latin1") &&
    mac.length === expected.length &&
    timingSafeEqual(mac, expected) &&
    (error === TSIG_ERRORS.BADTIME || Math.abs(time - now) <= FUDGE_SECONDS);
  return { verified, error };
}

function hmacOf({ algorithm, secret }: TsigKey, parts: readonly Uint8Array[]): Buffer {
  const hmac = createHmac(algorithm.replace("hmac-", ""), Buffer.from(secret, "base64"));
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

function timesOf(now: number, fudge: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}

/**
 * Returns the signed variables that follow the message (RFC 8945, section 4.3.3); `tail` is the error and the other
 * data.
 */
const variablesOf = ({ key_name }: TsigKey, algorithm: Buffer, times: Buffer, tail: Buffer): Buffer => {
  const class_and_ttl = uint16s(CLASSES.ANY, 0, 0);
  return Buffer.concat([wireName(key_name), class_and_ttl, algorithm, times, tail]);
};
