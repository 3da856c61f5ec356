import { fail, limits } from "@letterslot/core";
import type { Context } from "hono";
import { isUntouched, requestHeader } from "./request-header.ts";

/** What somebody without a key may send: all that they can ask for is small. */
export const publicBodyBytes = 1024 * 1024;

/**
 * The bytes of a request body. Fails with `request_too_large` as soon as they are too many, whatever
 * Content-Length said.
 */
export async function readBytes(c: Context, max = limits.request_body_bytes): Promise<Uint8Array> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return new Uint8Array();
  const tooLarge = () =>
    fail("request_too_large", max === publicBodyBytes ? { fix: "Send at most 1 MB without a key." } : {});
  const declared = requestHeader(c, "content-length");
  if (Number(declared ?? 0) > max) throw tooLarge();
  // Node's HTTP parser hands on as many bytes as were declared, never more, so these need no counting.
  if (declared !== undefined && isUntouched(c)) return new Uint8Array(await c.req.raw.arrayBuffer());
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
 * The JSON object in a body; no body is an empty one. Fails with `invalid_json`. Repeated keys: the last one
 * counts.
 */
export function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  if (bytes.byteLength === 0) return {};
  const value = parse(bytes);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("invalid_json");
  return value as Record<string, unknown>;
}

/** The fields of a form; a repeated one counts with its last value. */
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
