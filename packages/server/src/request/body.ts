import { fail, LIMITS } from "@letterslot/core";
import type { Context } from "hono";
import { isStandalone, requestHeader } from "./request-header.ts";

/** The largest body that is accepted without a key: public operations take only small input. */
export const PUBLIC_BODY_BYTES = 1024 * 1024;

/**
 * Reads a request body. Fails with `request_too_large` as soon as it exceeds `max` bytes, whatever
 * Content-Length says.
 */
export async function readBytes(c: Context, max = LIMITS.request_body_bytes): Promise<Uint8Array> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return new Uint8Array();
  const tooLarge = () =>
    fail("request_too_large", max === PUBLIC_BODY_BYTES ? { fix: "Send at most 1 MB without a key." } : {});
  const declared = requestHeader(c, "content-length");
  if (Number(declared ?? 0) > max) throw tooLarge();
  // Node's HTTP parser never delivers more bytes than were declared, so these need no counting.
  if (declared !== undefined && isStandalone(c)) return new Uint8Array(await c.req.raw.arrayBuffer());
  if (c.req.raw.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of c.req.raw.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > max) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/**
 * Parses a body as a JSON object; an empty body is `{}`. Fails with `invalid_json`. The last of repeated keys
 * wins.
 */
export function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("invalid_json");
  return value as Record<string, unknown>;
}

/** Parses a form body; the last of repeated fields wins. */
export function formFields(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw fail("invalid_json", { cause });
  }
}
