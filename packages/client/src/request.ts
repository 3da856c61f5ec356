import { address } from "./address.ts";
import { errorOf, LetterslotApiError } from "./error.ts";
import { pause } from "./pause.ts";
import type { Route } from "./routes.ts";

/** What a client is made with. */
export interface ClientOptions {
  /** Where the server is, such as `http://localhost:8025`; a path prefix is kept. */
  base_url: string;
  /** Sent as a bearer token; public operations work without. */
  api_key?: string;
  /** Stands in for the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a call that may be repeated is tried again; 2 unless stated. */
  retries?: number;
  /**
   * How long one try may take, in milliseconds; 60,000 unless stated. A call that waits gets its wait on top.
   */
  timeout_ms?: number;
}

/** What one call can have of its own. */
export interface CallOptions {
  signal?: AbortSignal;
  /**
   * Names the call for the server, so that repeating it has no second effect; made by itself where the
   * operation honours one.
   */
  idempotency_key?: string;
  timeout_ms?: number;
}

const defaultRetries = 2;
const defaultTimeoutMs = 60_000;
const firstBackoffMs = 500;
const longestBackoffMs = 8_000;
/** A server that asks for a longer pause than this is not waited for: the caller decides. */
const longestRetryAfterSeconds = 60;

/**
 * Sends a call and hands its good answer to `read`. Reads, and calls that the server can tell from their
 * repetition, are tried again after a broken connection, 408, 429, 5xx and what the server calls retryable,
 * after a jittered pause or the Retry-After. Throws `LetterslotApiError`, or the signal's reason when the
 * caller gives up.
 */
export async function request<T>(
  client: ClientOptions,
  route: Route,
  input: Record<string, unknown>,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { url, headers: fields, body } = address(client.base_url, route, input);
  const headers = { ...fields, ...headersOf(client, route, body, options) };
  const repeatable =
    route.method === "GET" || "idempotency-key" in headers || typeof input["client_id"] === "string";
  const tries = repeatable ? 1 + Math.max(0, client.retries ?? defaultRetries) : 1;
  const wait_ms = typeof input["wait"] === "number" ? input["wait"] * 1000 : 0;
  const timeout_ms = (options.timeout_ms ?? client.timeout_ms ?? defaultTimeoutMs) + wait_ms;
  const init = { method: route.method, headers, ...(body === undefined ? {} : { body }) };

  for (let tried = 1; ; tried++) {
    options.signal?.throwIfAborted();
    const outcome = await attempt(client.fetch ?? fetch, url, init, timeout_ms, options.signal, read);
    if ("answer" in outcome) return outcome.answer;
    options.signal?.throwIfAborted();
    const milliseconds = pauseBefore(tried, outcome.error);
    if (tried >= tries || milliseconds === undefined) throw outcome.error;
    await pause(milliseconds, options.signal);
  }
}

async function attempt<T>(
  send: (url: string, init: RequestInit) => Promise<Response>,
  url: string,
  init: RequestInit,
  timeout_ms: number,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<T>,
): Promise<{ answer: T } | { error: LetterslotApiError }> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeout_ms);
  try {
    const response = await send(url, {
      ...init,
      signal: signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal]),
    });
    return response.ok ? { answer: await read(response) } : { error: await errorOf(response) };
  } catch (cause) {
    if (cause instanceof LetterslotApiError) return { error: cause };
    return { error: deadline.signal.aborted ? timedOut(timeout_ms, cause) : connectionFailed(cause) };
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(
  client: ClientOptions,
  route: Route,
  body: string | undefined,
  options: CallOptions,
): Record<string, string> {
  const key = options.idempotency_key ?? (route.idempotent ? randomKey() : undefined);
  return {
    accept:
      route.answers === "stream"
        ? "text/event-stream"
        : route.answers === "bytes"
          ? "*/*"
          : "application/json",
    ...(client.api_key === undefined ? {} : { authorization: `Bearer ${client.api_key}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
}

/** Milliseconds to pause before trying again, or undefined when trying again is of no use. */
function pauseBefore(tried: number, error: LetterslotApiError): number | undefined {
  const { status, retry_after_seconds } = error;
  const worthwhile =
    error.retryable || status === 408 || status === 429 || (status !== null && status >= 500);
  if (!worthwhile || (retry_after_seconds ?? 0) > longestRetryAfterSeconds) return undefined;
  if (retry_after_seconds !== undefined) return retry_after_seconds * 1000;
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** (tried - 1)) * (0.5 + Math.random() / 2);
}

/** 128 random bits in hex; `crypto.randomUUID` is missing on pages without TLS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

const timedOut = (timeout_ms: number, cause: unknown) =>
  new LetterslotApiError({
    code: "timed_out",
    message: `No whole answer came within ${timeout_ms} ms.`,
    status: null,
    retryable: true,
    cause,
  });

const connectionFailed = (cause: unknown) =>
  new LetterslotApiError({
    code: "connection_failed",
    message: "The server could not be reached.",
    status: null,
    retryable: true,
    cause,
  });
