import type { Event } from "@letterslot/core";

/**
 * A delivery as it arrived: the body byte for byte, and the headers as a `Headers` object or as Node's plain
 * object.
 */
export interface WebhookDelivery {
  body: string | Uint8Array | ArrayBuffer;
  headers: Headers | Record<string, string | readonly string[] | undefined>;
  /** The webhook's secret, or all that may be in use while it is being changed. */
  secret: string | readonly string[];
  /** The time to judge the timestamp by; the machine's own unless given. */
  now?: Date;
  /** How far the timestamp may be from now: 5 minutes unless given. */
  tolerance_seconds?: number;
}

/** A delivery whose signature was right. */
export interface VerifiedWebhook {
  event: Event;
  /**
   * The same over retries of one delivery: process it once. (`event.id` is also the same after a redelivery,
   * and it is signed.)
   */
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

/** A delivery that must not be acted on. Answer it with a 400. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookRefusal;

  constructor(reason: WebhookRefusal, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.reason = reason;
  }
}

const defaultToleranceSeconds = 300;
/** A service signs with two secrets at most; more segments than this are an attempt to keep us busy. */
const maxSegments = 8;

/** One claim of a signature, under one secret. */
interface Claim {
  key: Uint8Array<ArrayBuffer>;
  signature: Uint8Array<ArrayBuffer>;
}

/** What a delivery says about its signature: when, what goes before the body, and the claims to check. */
interface Signed {
  timestamp: string;
  prefix: string;
  claims: Claim[];
}

/**
 * Checks that a delivery is from the service and is fresh, and answers its event; throws a
 * `WebhookVerificationError` otherwise. It takes `x-svc-signature-v2` with `x-svc-timestamp`, or else
 * Standard Webhooks' three headers; `x-svc-signature` alone proves no time, so a delivery with nothing else
 * is refused. Hand it the raw body: JSON that was parsed and written again does not match.
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<VerifiedWebhook> {
  const { headers, now = new Date(), tolerance_seconds = defaultToleranceSeconds } = delivery;
  const secrets = (typeof delivery.secret === "string" ? [delivery.secret] : [...delivery.secret]).filter(
    (secret) => secret !== "",
  );
  if (secrets.length === 0) throw new TypeError("verifyWebhook needs the webhook's secret");
  const header = (name: string) => readHeader(headers, name);
  const signed = signedByUs(header, secrets) ?? signedByStandard(header, secrets);
  if (signed === undefined)
    throw new WebhookVerificationError(
      "missing_signature",
      "The delivery carries no signature with a timestamp.",
    );

  if (!/^\d{1,12}$/.test(signed.timestamp))
    throw new WebhookVerificationError("invalid_timestamp", "The timestamp is not in unix seconds.");
  const seconds = Number(signed.timestamp);
  if (Math.abs(now.getTime() / 1000 - seconds) > tolerance_seconds) {
    throw new WebhookVerificationError(
      "timestamp_out_of_tolerance",
      "The delivery was signed too long ago, or a clock is wrong.",
    );
  }

  const body = bytesOf(delivery.body);
  const content = joined(utf8(signed.prefix), body);
  const checks = await Promise.all(signed.claims.map((claim) => isSignature(claim, content)));
  if (!checks.includes(true))
    throw new WebhookVerificationError(
      "invalid_signature",
      "No signature of the delivery matches the secret.",
    );
  const event = eventIn(body);
  return { event, delivery_id: header("x-svc-delivery") ?? event.id, sent_at: new Date(seconds * 1000) };
}

type ReadHeader = (name: string) => string | undefined;

function signedByUs(header: ReadHeader, secrets: string[]): Signed | undefined {
  const signature = header("x-svc-signature-v2");
  const timestamp = header("x-svc-timestamp");
  if (signature === undefined || timestamp === undefined) return undefined;
  const words = signature
    .split(",", maxSegments)
    .map((word) => /^v1=([0-9a-f]{64})$/i.exec(word.trim())?.[1]);
  return { timestamp, prefix: `${timestamp}.`, claims: claimsOf(words, fromHex, secrets, utf8) };
}

function signedByStandard(header: ReadHeader, secrets: string[]): Signed | undefined {
  const signature = header("webhook-signature");
  const timestamp = header("webhook-timestamp");
  const id = header("webhook-id");
  if (signature === undefined || timestamp === undefined || id === undefined) return undefined;
  const words = signature
    .split(" ", maxSegments)
    .map((word) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(word.trim())?.[1]);
  return {
    timestamp,
    prefix: `${id}.${timestamp}.`,
    claims: claimsOf(words, fromBase64, secrets, standardKey),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

function claimsOf(
  words: (string | undefined)[],
  decode: (word: string) => Bytes,
  secrets: string[],
  keyOf: (secret: string) => Bytes,
): Claim[] {
  const signatures = words.filter((word) => word !== undefined).map(decode);
  return secrets.flatMap((secret) => signatures.map((signature) => ({ key: keyOf(secret), signature })));
}

/** WebCrypto compares in constant time. */
async function isSignature({ key, signature }: Claim, content: Bytes): Promise<boolean> {
  const hmac = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  return crypto.subtle.verify("HMAC", hmac, signature, content);
}

function standardKey(secret: string): Bytes {
  const coded = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : "";
  const isBase64 =
    coded !== "" && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(coded);
  return isBase64 ? fromBase64(coded) : utf8(secret);
}

function eventIn(body: Bytes): Event {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (isEvent(event)) return event;
  } catch {
    // Falls through: what is not JSON is no event either.
  }
  throw new WebhookVerificationError("invalid_body", "The body is signed but holds no event.");
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

/** Not `instanceof`: a server's own Headers class is as good. */
const isHeaders = (headers: WebhookDelivery["headers"]): headers is Headers =>
  typeof headers["get"] === "function";

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);
const fromHex = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const fromBase64 = (coded: string): Bytes =>
  Uint8Array.from(atob(coded), (character) => character.charCodeAt(0));

function bytesOf(body: WebhookDelivery["body"]): Bytes {
  return typeof body === "string" ? utf8(body) : new Uint8Array(body);
}

function joined(first: Bytes, second: Bytes): Bytes {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
