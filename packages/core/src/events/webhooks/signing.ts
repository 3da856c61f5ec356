import { type BinaryToTextEncoding, createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The keys of a secret for the two signature schemes. */
export interface SigningKeys {
  /** For the service's own headers: the UTF-8 bytes of the whole secret. */
  own: KeyObject;
  /** For Standard Webhooks' header. */
  standard: KeyObject;
}

/** The keys of a webhook's secret. */
export function signingKeysOf(secret: string): SigningKeys {
  const key = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);
  return { own: key(Buffer.from(secret, "utf8")), standard: key(standardKey(secret)) };
}

/** The signed content of a delivery. */
export interface SignedDelivery {
  delivery_id: string;
  event_id: string;
  event_type: string;
  /** Unix seconds. */
  timestamp: number;
  body: Uint8Array;
}

/**
 * The signature headers of a delivery: the interface's (section "Delivery") and the three of Standard
 * Webhooks 1.0, whose id is the event's. `keys` are the current secret's and, for 24 hours after a rotation,
 * the previous one's.
 */
export function signatureHeaders(
  keys: readonly SigningKeys[],
  delivery: SignedDelivery,
): Record<string, string> {
  const { delivery_id, event_id, event_type, timestamp, body } = delivery;
  const time = `${timestamp}.`;
  return {
    "x-svc-signature": keys.map(({ own }) => `sha256=${sign(own, [body], "hex")}`).join(","),
    "x-svc-timestamp": String(timestamp),
    "x-svc-signature-v2": keys.map(({ own }) => `v1=${sign(own, [time, body], "hex")}`).join(","),
    "x-svc-delivery": delivery_id,
    "x-svc-event": event_type,
    "webhook-id": event_id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": keys
      .map(({ standard }) => `v1,${sign(standard, [`${event_id}.${time}`, body], "base64")}`)
      .join(" "),
  };
}

/** Signs concatenated parts without copying the body. */
function sign(
  key: KeyObject,
  parts: readonly (string | Uint8Array)[],
  encoding: BinaryToTextEncoding,
): string {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

const BASE64_FORM = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * The key that Standard Webhooks libraries use: the base64 after `whsec_`, else the secret's UTF-8 bytes.
 */
export function standardKey(secret: string): Uint8Array {
  const coded = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : "";
  return coded !== "" && BASE64_FORM.test(coded) ? Buffer.from(coded, "base64") : Buffer.from(secret, "utf8");
}
