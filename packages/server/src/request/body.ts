import type { IncomingMessage } from "node:http";
import { LIMITS } from "@letterslot/core";
import type { DecodedBase64 } from "@letterslot/core/internal";
import { fail } from "@letterslot/core/ports";
import { freeBytes } from "@letterslot/node-kit";
import type { BodyShare } from "./body-budget.ts";
import type { ServerContext } from "./context.ts";
import { createJsonScanner } from "./json-scan.ts";
import { parseInThread } from "./json-thread.ts";
import { createPieces } from "./pieces.ts";
import { isStandalone, requestHeader } from "./request-header.ts";
import { isBrowser } from "./same-origin.ts";
import { leavePace, pace } from "./throttle-bodies.ts";

/** The largest body without a key, and of operations that take no attachments. */
export const PUBLIC_BODY_BYTES = LIMITS.small_body_bytes;

/** Sees the pieces of a body as they arrive, and returns what is kept of each; may throw to refuse it. */
type Watch = (piece: Uint8Array) => readonly Uint8Array[];

/**
 * Reads a request body. Fails with `request_too_large` as soon as it exceeds `max` bytes, regardless of Content-Length,
 * with `too_many_bytes` when too many bytes are in flight, with `request_timeout`, and with
 * `unsupported_content_encoding`.
 */
export async function readBytes(c: ServerContext, max = LIMITS.request_body_bytes): Promise<Uint8Array> {
  return joined((await receive(c, max)).pieces);
}

/**
 * Reads a request body as a JSON object; an empty body is `{}`. A large one is scanned as it arrives, and
 * parsed in a thread: without the texts of `files`, which are decoded as they come. Fails like `readBytes`, and with
 * `unsupported_media_type` and `invalid_json`.
 */
export async function readJson(
  c: ServerContext,
  max = LIMITS.request_body_bytes,
  files: readonly string[] = [],
): Promise<Record<string, unknown>> {
  return (await readSizedJson(c, max, files)).object;
}

/** The same, and how many bytes it has. */
export async function readSizedJson(
  c: ServerContext,
  max: number,
  files: readonly string[] = [],
): Promise<{ object: Record<string, unknown>; bytes: number }> {
  checkIsJson(c);
  const declared = requestHeader(c, "content-length");
  const small = declared !== undefined && Number(declared) <= LIMITS.json_parsed_at_once_bytes;
  const scanner = small ? undefined : createJsonScanner(files);
  const { pieces, bytes } = await receive(c, max, scanner?.scan);
  const kept = pieces.reduce((sum, { length }) => sum + length, 0);
  const object =
    kept <= LIMITS.json_parsed_at_once_bytes
      ? jsonObject(joined(pieces))
      : objectOf(await parseInThread(pieces));
  if (scanner !== undefined) for (const field of files) placeFiles(object, field.split("."), scanner.files);
  return { object, bytes };
}

/** Puts files that were decoded as they came into their places. */
function placeFiles(
  holder: unknown,
  path: readonly string[],
  files: ReadonlyMap<string, DecodedBase64>,
): void {
  if (Array.isArray(holder)) {
    for (const item of holder) placeFiles(item, path, files);
    return;
  }
  const [name = "", ...rest] = path;
  if (typeof holder !== "object" || holder === null || !Object.hasOwn(holder, name)) return;
  const fields = holder as Record<string, unknown>;
  if (rest.length > 0) return placeFiles(fields[name], rest, files);
  const value = fields[name];
  const file = typeof value === "string" ? files.get(value) : undefined;
  if (file !== undefined) fields[name] = file;
}

/**
 * Checks, before a body is read, its declared length and that the process, the caller and its address have
 * room for it. Fails with `request_too_large` and `too_many_bytes`.
 */
export function beginBody(c: ServerContext, max: number): void {
  if (Number(requestHeader(c, "content-length") ?? 0) > max) throw fail("request_too_large");
  shareOf(c)?.add(0);
}

/** Whether the whole body has arrived already, so that reading it waits for nothing. */
export function hasArrived(c: ServerContext): boolean {
  return isStandalone(c) && incomingOf(c).complete;
}

/**
 * Parses a body as a JSON object; an empty body is `{}`. Fails with `invalid_json`. The last of repeated keys
 * wins.
 */
function jsonObject(bytes: Uint8Array): Record<string, unknown> {
  return bytes.byteLength === 0 ? {} : objectOf(parse(bytes));
}

/** Whether a body is a submitted HTML form. */
export const isForm = (c: ServerContext): boolean => FORM.test(requestHeader(c, "content-type") ?? "");

const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * Reads a body that has arrived as a JSON object, like `readJson`, for programs that use a page's address. Fails with
 * `unsupported_media_type` and `invalid_json`.
 */
export function jsonFields(c: ServerContext, bytes: Uint8Array): Record<string, unknown> {
  checkIsJson(c);
  return jsonObject(bytes);
}

/**
 * Requires a JSON body. A form isn't JSON, even if its author forgot to declare the type: `curl -d` declares a form. A
 * browser must declare JSON: a page of another origin may post text/plain without a preflight (Fetch standard,
 * "CORS-safelisted request-header"). Fails with `unsupported_media_type`.
 */
export function checkIsJson(c: ServerContext): void {
  if (isEmpty(c)) return;
  if (isForm(c) || (isBrowser(c) && !JSON_TYPE.test(requestHeader(c, "content-type") ?? "")))
    throw fail("unsupported_media_type");
}

const JSON_TYPE = /^application\/json *(;|$)/i;

/** A compressed body would be larger than the bytes that were counted. */
function checkIsPlain(c: ServerContext): void {
  const encoding = requestHeader(c, "content-encoding") ?? "";
  if (!/^(identity)?$/i.test(encoding.trim()) && !isEmpty(c)) throw fail("unsupported_content_encoding");
}

/** Whether the headers say that there is no body (RFC 9112, section 6.3). */
function isEmpty(c: ServerContext): boolean {
  if (requestHeader(c, "transfer-encoding") !== undefined) return false;
  return isStandalone(c) ? Number(requestHeader(c, "content-length") ?? 0) === 0 : c.req.raw.body === null;
}

/** Parses a form body; the last of repeated fields wins. */
export function formFields(bytes: Uint8Array): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fail("invalid_json");
  return value as Record<string, unknown>;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw fail("invalid_json", { cause });
  }
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const [first = new Uint8Array()] = pieces;
  return pieces.length <= 1 ? first : Buffer.concat(pieces);
}

/** Receives a body in pieces, counting its bytes until the request is answered; `watch` says what is kept of them. */
async function receive(
  c: ServerContext,
  max: number,
  watch: Watch = (piece) => [piece],
): Promise<{ pieces: Uint8Array[]; bytes: number }> {
  if (c.req.method === "GET" || c.req.method === "HEAD") return { pieces: [], bytes: 0 };
  checkIsPlain(c);
  beginBody(c, max);
  const share = shareOf(c);
  let size = 0;
  const count: Watch = (piece) => {
    size += piece.byteLength;
    if (size > max) throw fail("request_too_large");
    share?.add(piece.byteLength);
    const kept = watch(piece);
    if (kept.length === 0 && isStandalone(c)) freeBytes(piece);
    return kept;
  };
  const pieces = isStandalone(c)
    ? await receiveFromNode(incomingOf(c), count)
    : c.req.raw.body === null
      ? []
      : await receiveFromStream(c.req.raw.body, count);
  return { pieces, bytes: size };
}

/**
 * The pieces of a request body as they arrive, for what stores them as they come: none waits in memory for the next, and
 * none counts among the bytes in flight. Fails with `request_timeout`, also when the body breaks off, and with
 * `unsupported_content_encoding`.
 */
export async function* streamBody(c: ServerContext): AsyncGenerator<Uint8Array> {
  checkIsPlain(c);
  const late = Promise.withResolvers<never>();
  // Nobody may be waiting when the time is over.
  late.promise.catch(() => undefined);
  const deadline = createDeadline(() => late.reject(fail("request_timeout")));
  const pieces = piecesOf(c);
  try {
    for (;;) {
      const { done, value } = await Promise.race([pieces.next().catch(brokenOff), late.promise]);
      if (done === true) return;
      deadline.extend(value.byteLength);
      yield value;
    }
  } finally {
    deadline.cancel();
  }
}

function piecesOf(c: ServerContext): AsyncIterator<Uint8Array> {
  // The connection stays, so that a body that is refused gets its answer.
  if (isStandalone(c)) return incomingOf(c).iterator({ destroyOnReturn: false });
  const { body } = c.req.raw;
  return body === null ? createEmpty() : body.values({ preventCancel: true });
}

async function* createEmpty(): AsyncGenerator<Uint8Array> {}

function brokenOff(cause: unknown): never {
  throw fail("request_timeout", { cause });
}

/** The request's share of the bytes in flight; `traceRequests` closes it. */
function shareOf(c: ServerContext): BodyShare | undefined {
  const known = c.get("body_share");
  if (known !== undefined) return known;
  const bodies = c.get("bodies");
  const address = bodies?.addressOf(c) ?? null;
  const holder = c.get("body_holder");
  const share = bodies?.budget.open([
    ...(address === null ? [] : [`address ${address}`]),
    ...(holder === undefined ? [] : [`caller ${holder}`]),
  ]);
  if (share !== undefined) c.set("body_share", share);
  return share;
}

const incomingOf = (c: ServerContext): IncomingMessage => (c.env as { incoming: IncomingMessage }).incoming;

function receiveFromNode(incoming: IncomingMessage, count: Watch): Promise<Uint8Array[]> {
  const pieces = createPieces();
  if (incoming.complete) {
    // All of it waits in the buffer, also when the client has already disconnected.
    for (
      let piece = incoming.read() as Buffer | null;
      piece !== null;
      piece = incoming.read() as Buffer | null
    ) {
      for (const kept of count(piece)) pieces.push(kept);
    }
    return Promise.resolve(pieces.take());
  }
  return new Promise((resolve, reject) => {
    const deadline = createDeadline(() => settle(() => reject(fail("request_timeout"))));
    const settle = (answer: () => void) => {
      deadline.cancel();
      incoming.off("data", onData).off("end", onEnd).off("error", onClose).off("close", onClose);
      leavePace(incoming);
      incoming.pause();
      answer();
    };
    const onData = (piece: Buffer) => {
      try {
        const { byteLength: bytes } = piece;
        for (const kept of count(piece)) pieces.push(kept);
        deadline.extend(bytes);
        pace(incoming, bytes);
      } catch (error) {
        settle(() => reject(error));
      }
    };
    const onEnd = () => settle(() => resolve(pieces.take()));
    const onClose = () => settle(() => reject(fail("request_timeout")));
    incoming.on("data", onData).on("end", onEnd).on("error", onClose).on("close", onClose);
  });
}

async function receiveFromStream(body: ReadableStream<Uint8Array>, count: Watch): Promise<Uint8Array[]> {
  const pieces = createPieces();
  const late = Promise.withResolvers<never>();
  const deadline = createDeadline(() => late.reject(fail("request_timeout")));
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late.promise]);
      if (done) return pieces.take();
      deadline.extend(value.byteLength);
      for (const kept of count(value)) pieces.push(kept);
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    deadline.cancel();
  }
}

/** Calls `onLate` when a body takes longer than 30 seconds and one more for each 256 KB that arrived. */
function createDeadline(onLate: () => void): { extend(bytes: number): void; cancel(): void } {
  const start = performance.now();
  let allowed_ms: number = LIMITS.body_ms;
  const check = () => {
    const left = start + allowed_ms - performance.now();
    if (left <= 0) return onLate();
    timer = setTimeout(check, left);
  };
  let timer = setTimeout(check, allowed_ms);
  return {
    extend: (bytes) => {
      allowed_ms += (bytes / LIMITS.body_bytes_per_second) * 1000;
    },
    cancel: () => clearTimeout(timer),
  };
}
