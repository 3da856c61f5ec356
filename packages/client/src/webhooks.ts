import type { Event } from "@letterslot/core";

/** A delivery as received: the raw body, and headers as a `Headers` object or Node's plain object. */
export interface WebhookDelivery {
  body: string | Uint8Array | ArrayBuffer;
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The webhook's secret, or several during a rotation. */
  secret: string | readonly string[];
  /** The current time, to check the timestamp against; default the system clock. */
  now?: Date;
  /** The maximum distance of the timestamp from `now`, in seconds; default 300. */
  tolerance_seconds?: number;
}

/** A delivery with a valid signature. */
export interface VerifiedWebhook {
  event: Event;
  /** Constant over retries: process it once. (`event.id` also survives a redelivery, and is signed.) */
  delivery_id: string;
  /** When it was signed. */
  sent_at: Date;
}

/** Why a delivery was refused. */
export type WebhookRefusal =
  | "missing_signature"
  | "invalid_timestamp"
  | "timestamp_out_of_tolerance"
  | "invalid_signature"
  | "invalid_body";

/** The delivery must not be processed. Respond with status 400. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.reason = reason;
  }
}

const DEFAULT_TOLERANCE_SECONDS = 300;
/** A service signs with at most two secrets; more segments than this are an attempt to waste CPU time. */
const MAX_SEGMENTS = 8;

/** One signature of the delivery, to check under one secret. */
interface CandidateSignature {
  key: Uint8Array<ArrayBuffer>;
  signature: Uint8Array<ArrayBuffer>;
}

/** The timestamp, the signed text that precedes the body, and the candidates to check. */
interface SignatureHeaders {
  timestamp: string;
  prefix: string;
  candidates: CandidateSignature[];
}

/**
 * Verifies that a delivery is genuine and recent, and returns its event; throws `WebhookVerificationError`
 * otherwise. Reads `x-svc-signature-v2` with `x-svc-timestamp`, else the three Standard Webhooks headers. A
 * delivery with only `x-svc-signature` is refused, as that covers no timestamp. Pass the raw body: JSON that
 * was parsed and serialised again does not match.
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<VerifiedWebhook> {
  const { headers, now = new Date(), tolerance_seconds = DEFAULT_TOLERANCE_SECONDS } = delivery;
  const secrets = (typeof delivery.secret === "string" ? [delivery.secret] : [...delivery.secret]).filter(
    (secret) => secret !== "",
  );
  if (secrets.length === 0) throw new TypeError("verifyWebhook needs the webhook's secret");
  const header = (name: string) => readHeader(headers, name);
  const signed = readV2Signature(header, secrets) ?? readStandardSignature(header, secrets);
  if (signed === undefined)
    throw new WebhookVerificationError(
      "missing_signature",
      "The delivery has no signature with a timestamp.",
    );

  if (!/^\d{1,12}$/.test(signed.timestamp))
    throw new WebhookVerificationError("invalid_timestamp", "The timestamp is not a Unix time in seconds.");
  const seconds = Number(signed.timestamp);
  if (Math.abs(now.getTime() / 1000 - seconds) > tolerance_seconds) {
    throw new WebhookVerificationError(
      "timestamp_out_of_tolerance",
      "The delivery was signed too long ago, or a clock is wrong.",
    );
  }

  const body = bytesOf(delivery.body);
  const content = concatenate(utf8(signed.prefix), body);
  const checks = await Promise.all(signed.candidates.map((candidate) => verifySignature(candidate, content)));
  if (!checks.includes(true))
    throw new WebhookVerificationError("invalid_signature", "No signature matches the secret.");
  const event = parseEvent(body);
  return { event, delivery_id: header("x-svc-delivery") ?? event.id, sent_at: new Date(seconds * 1000) };
}

type ReadHeader = (name: string) => string | undefined;

function readV2Signature(header: ReadHeader, secrets: string[]): SignatureHeaders | undefined {
  const signature = header("x-svc-signature-v2");
  const timestamp = header("x-svc-timestamp");
  if (signature === undefined || timestamp === undefined) return undefined;
  const encoded = signature
    .split(",", MAX_SEGMENTS)
    .map((text) => /^v1=([0-9a-f]{64})$/i.exec(text.trim())?.[1]);
  return { timestamp, prefix: `${timestamp}.`, candidates: pairCandidates(encoded, fromHex, secrets, utf8) };
}

function readStandardSignature(header: ReadHeader, secrets: string[]): SignatureHeaders | undefined {
  const signature = header("webhook-signature");
  const timestamp = header("webhook-timestamp");
  const id = header("webhook-id");
  if (signature === undefined || timestamp === undefined || id === undefined) return undefined;
  const encoded = signature
    .split(" ", MAX_SEGMENTS)
    .map((text) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(text.trim())?.[1]);
  return {
    timestamp,
    prefix: `${id}.${timestamp}.`,
    candidates: pairCandidates(encoded, fromBase64, secrets, decodeStandardKey),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

function pairCandidates(
  encoded: (string | undefined)[],
  decode: (text: string) => Bytes,
  secrets: string[],
  keyOf: (secret: string) => Bytes,
): CandidateSignature[] {
  const signatures = encoded.filter((text) => text !== undefined).map(decode);
  return secrets.flatMap((secret) => signatures.map((signature) => ({ key: keyOf(secret), signature })));
}

/** Compares in constant time, as WebCrypto does. */
async function verifySignature({ key, signature }: CandidateSignature, content: Bytes): Promise<boolean> {
  const hmac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  return crypto.subtle.verify("HMAC", hmac, signature, content);
}

function decodeStandardKey(secret: string): Bytes {
  const base64 = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : "";
  const isBase64 =
    base64 !== "" && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64);
  return isBase64 ? fromBase64(base64) : utf8(secret);
}

function parseEvent(body: Bytes): Event {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isEvent(event)) return event;
  } catch {
    // Not JSON: refused below.
  }
  throw new WebhookVerificationError("invalid_body", "The signature is valid, but the body is not an event.");
}

function isEvent(value: unknown): value is Event {
  const event = value as Partial<Event> | null;
  return (
    typeof event === "object" &&
    event?.object === "event" &&
    typeof event.id === "string" &&
    typeof event.type === "string"
  );
}

function readHeader(headers: WebhookDelivery["headers"], name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  return typeof value === "string" || value === undefined ? value : value.join(",");
}

/** Not `instanceof`, so that a server's own Headers class works too. */
const isHeaders = (headers: WebhookDelivery["headers"]): headers is Headers =>
  typeof headers["get"] === "function";

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (base64: string): Bytes =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

function bytesOf(body: WebhookDelivery["body"]): Bytes {
  return typeof body === "string" ? utf8(body) : new Uint8Array(body);
}

function concatenate(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
