import type { WebhookHttp, WebhookRequest, WebhookResponse } from "@letterslot/core";
import { Agent } from "undici";
import { describeFailure, printable, readExcerpt, retryAfterSeconds } from "./answer.ts";
import { createConnector } from "./connector.ts";
import { createDestinations, type DestinationOptions } from "./destination.ts";
import { createLookup, type Lookup } from "./lookup.ts";

/** How a deployment sends webhooks. */
export interface WebhookHttpOptions extends DestinationOptions {
  /** How long a request may take in all, from looking up the name to the last byte that is read. */
  timeout_ms?: number;
  /** Certificates in PEM that are trusted instead of the system's. */
  ca?: string;
  /** Finds a host's addresses; their check is not left to it. */
  lookup?: Lookup;
}

const defaultTimeoutMs = 15_000;
const connectionsPerHost = 64;
const keepAliveMs = 10_000;
const keepAliveMaxMs = 60_000;

/**
 * Posts webhooks over undici with kept connections. Connects only to public addresses, to networks in `allow`, and in development
 * to localhost; over http only to the latter two. Follows no redirect, reads 8 KB of the answer, ends at its deadline.
 */
export function createWebhookHttp(options: WebhookHttpOptions = {}): WebhookHttp {
  const { timeout_ms = defaultTimeoutMs, lookup = createLookup(), ca } = options;
  const destinations = createDestinations(options);
  const agent = new Agent({
    connect: createConnector(destinations, { lookup, timeout_ms, ...(ca === undefined ? {} : { ca }) }),
    connections: connectionsPerHost,
    pipelining: 1,
    allowH2: false,
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
  });

  return {
    refusal: destinations.refusal,
    async post(request) {
      const started = performance.now();
      const answer = await send(agent, destinations.refusal(request.url), request, timeout_ms);
      return { ...answer, duration_ms: performance.now() - started };
    },
    close: () => agent.destroy(),
  };
}

async function send(
  agent: Agent,
  refusal: string | null,
  request: WebhookRequest,
  timeout_ms: number,
): Promise<Omit<WebhookResponse, "duration_ms">> {
  if (refusal !== null) return failed(refusal);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(Object.assign(new Error("deadline"), { code: "DEADLINE" })), timeout_ms);
  try {
    const { origin, pathname, search } = new URL(request.url);
    const { statusCode, headers, body } = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method: "POST",
      headers: { "user-agent": "Letterslot-Webhooks", accept: "*/*", ...request.headers },
      body: request.body,
      signal: deadline.signal,
    });
    // A body that is let go of before its end reports that as an error, which nobody needs to hear.
    body.on("error", () => undefined);
    const excerpt = await readExcerpt(body);
    return {
      status: statusCode,
      error: null,
      excerpt,
      retry_after_seconds: retryAfterSeconds(headers["retry-after"], new Date()),
    };
  } catch (error) {
    return failed(describeFailure(error));
  } finally {
    clearTimeout(timer);
  }
}

function failed(error: string): Omit<WebhookResponse, "duration_ms"> {
  return { status: null, error: printable(error), excerpt: "", retry_after_seconds: null };
}
