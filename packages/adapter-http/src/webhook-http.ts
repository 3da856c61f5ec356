import type { WebhookHttp, WebhookRequest, WebhookResponse } from "@letterslot/core";
import type { Dispatcher } from "undici";
import { describeFailure, excerptOf, printable, retryAfterSeconds } from "./answer.ts";
import { createDestinations, type DestinationOptions } from "./destination.ts";
import { exchange } from "./exchange.ts";
import { type Kept, kept } from "./kept.ts";
import { createLookup, type Lookup } from "./lookup.ts";
import { createTargets, type Target } from "./targets.ts";

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

/**
 * Posts webhooks over undici with kept connections. Connects only to public addresses, to networks in
 * `allow`, and in development to localhost; over http only to the latter two. Follows no redirect, reads 8 KB
 * of the answer, ends at its deadline.
 */
export function createWebhookHttp(options: WebhookHttpOptions = {}): WebhookHttp {
  const { timeout_ms = defaultTimeoutMs, lookup = createLookup(), ca } = options;
  const destinations = createDestinations(options);
  const targetOf = createTargets(destinations);
  /** undici is loaded with the first webhook: many processes never send one. */
  const connections = kept(async () => {
    const { openConnections } = await import("./connections.ts");
    return openConnections(destinations, { lookup, timeout_ms, ...(ca === undefined ? {} : { ca }) });
  });

  return {
    refusal: destinations.refusal,
    async post(request) {
      const started = performance.now();
      const answer = await send(connections, targetOf(request.url), request, timeout_ms);
      return { ...answer, duration_ms: performance.now() - started };
    },
    async close() {
      // Connections that could not be made need no end; whoever wanted to post was told why.
      const opened = await connections.made()?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

async function send(
  connections: Kept<Dispatcher>,
  target: Target,
  { headers, body }: WebhookRequest,
  timeout_ms: number,
): Promise<Omit<WebhookResponse, "duration_ms">> {
  if ("refusal" in target) return failed(target.refusal);
  try {
    const post = {
      ...target,
      headers: { "user-agent": "Letterslot-Webhooks", accept: "*/*", ...headers },
      body,
    };
    const answer = await exchange(await connections.get(), post, timeout_ms);
    return {
      status: answer.status,
      error: null,
      excerpt: excerptOf(answer.body),
      retry_after_seconds: retryAfterSeconds(answer.retry_after, new Date()),
    };
  } catch (error) {
    return failed(describeFailure(error));
  }
}

function failed(error: string): Omit<WebhookResponse, "duration_ms"> {
  return { status: null, error: printable(error), excerpt: "", retry_after_seconds: null };
}
