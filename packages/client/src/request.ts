import { type Endpoint, encodeRequest } from "./encode-request.ts";
import { connectionFailed, LetterslotApiError, readError, timedOut } from "./error.ts";
import { pause } from "./pause.ts";

/** Options of `createClient`. */
export interface ClientOptions {
  /** The server's URL, such as `http://localhost:8025`; a path prefix is kept. */
  baseUrl: string;
  /** Sent as a bearer token; public operations work without one. */
  apiKey?: string;
  /** Acts within this workspace of the key's account, unless a call names another. */
  workspaceId?: string;
  /** Used instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The number of retries for a call that is safe to repeat; default 2. */
  retries?: number;
  /** Timeout of one attempt in milliseconds, default 60,000; a call's own `wait` is added to it. */
  timeoutMs?: number;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Repeating a call with the same key has no second effect. Generated where the operation supports it. */
  idempotencyKey?: string;
  /** Acts within this workspace of the key's account. */
  workspaceId?: string;
  timeoutMs?: number;
  /** Called each time that a stream is connected: what happens from then on is in it. */
  onOpen?: () => void;
  /** Called each time that a stream breaks off, or can't be connected again; `onOpen` says when it is back. */
  onLost?: () => void;
}

const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;
const INITIAL_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** A longer Retry-After is not waited for: the error is thrown, so the caller decides. */
const MAX_RETRY_AFTER_SECONDS = 60;

/**
 * Sends a call and passes a successful response to `read`. Retries reads and idempotent writes after a broken
 * connection, 408, 429, 5xx or an error marked retryable, with jittered backoff or after the Retry-After.
 * Throws `LetterslotApiError`, or the signal's reason if the caller aborts.
 */
export async function request<T>(
  client: ClientOptions,
  route: Endpoint,
  input: Record<string, unknown>,
  options: CallOptions,
  read: (response: Response, timeout_ms: number) => Promise<T>,
): Promise<T> {
  const { url, headers: route_headers, body } = encodeRequest(client.baseUrl, route, input);
  const headers = { ...route_headers, ...createHeaders(client, route, body, options) };
  const repeatable =
    route.method === "GET" || "idempotency-key" in headers || typeof input["client_id"] === "string";
  const max_attempts = repeatable ? 1 + Math.max(0, client.retries ?? DEFAULT_RETRIES) : 1;
  const wait_ms = typeof input["wait"] === "number" ? input["wait"] * 1000 : 0;
  const timeout_ms = (options.timeoutMs ?? client.timeoutMs ?? DEFAULT_TIMEOUT_MS) + wait_ms;
  const init = { method: route.method, headers, ...(body === undefined ? {} : { body }) };

  for (let attempts = 1; ; attempts++) {
    options.signal?.throwIfAborted();
    const outcome = await attempt(client.fetch ?? fetch, url, init, timeout_ms, options.signal, (response) =>
      read(response, timeout_ms),
    );
    if ("answer" in outcome) return outcome.answer;
    options.signal?.throwIfAborted();
    const milliseconds = backoffMs(attempts, outcome.error);
    if (attempts >= max_attempts || milliseconds === undefined) throw outcome.error;
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
    return response.ok ? { answer: await read(response) } : { error: await readError(response) };
  } catch (cause) {
    if (cause instanceof LetterslotApiError) return { error: cause };
    return { error: deadline.signal.aborted ? timedOut(timeout_ms, cause) : connectionFailed(cause) };
  } finally {
    clearTimeout(timer);
  }
}

function createHeaders(
  client: ClientOptions,
  route: Endpoint,
  body: string | undefined,
  options: CallOptions,
): Record<string, string> {
  const key = options.idempotencyKey ?? (route.idempotent ? randomIdempotencyKey() : undefined);
  const workspace_id = options.workspaceId ?? client.workspaceId;
  return {
    accept:
      route.answers === "stream"
        ? "text/event-stream"
        : route.answers === "bytes" || route.answers === "file"
          ? "*/*"
          : "application/json",
    ...(client.apiKey === undefined ? {} : { authorization: `Bearer ${client.apiKey}` }),
    ...(workspace_id === undefined ? {} : { "x-letterslot-workspace": workspace_id }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
}

/** Milliseconds to wait before the next attempt, or undefined if a retry would not help. */
function backoffMs(attempts: number, error: LetterslotApiError): number | undefined {
  const { status, retry_after_seconds } = error;
  const retryable = error.retryable || status === 408 || status === 429 || (status !== null && status >= 500);
  if (!retryable || (retry_after_seconds ?? 0) > MAX_RETRY_AFTER_SECONDS) return undefined;
  if (retry_after_seconds !== undefined) return retry_after_seconds * 1000;
  return Math.min(MAX_BACKOFF_MS, INITIAL_BACKOFF_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2);
}

/** 128 random bits in hex, as `crypto.randomUUID` is missing on pages without TLS. */
function randomIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
