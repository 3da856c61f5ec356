import type { DocumentResponse, WebhookHttp, WebhookRequest, WebhookResponse } from "@letterslot/core/ports";
import { createBoundedMap } from "@letterslot/node-kit";
import type { Dispatcher } from "undici";
import { describeFailure, excerptOf, isRefusedAddress, printable, retryAfterSeconds } from "./answer.ts";
import { createDestinations, type DestinationOptions, type Destinations } from "./destination.ts";
import { exchange } from "./exchange.ts";
import { type Lazy, lazy } from "./lazy.ts";
import { createLookup, type Lookup } from "./lookup.ts";

/** Options for sending webhooks. */
export interface WebhookHttpOptions extends DestinationOptions {
  /** Time limit for a whole request, from the DNS lookup to the last byte read. */
  timeoutMs?: number;
  /** PEM certificates to trust instead of the system's. */
  ca?: string;
  /** Private networks from which files may be fetched too. Default: none. */
  allowFiles?: readonly string[];
  /** Looks up a host's addresses, which are checked afterwards in any case. */
  lookup?: Lookup;
}

/** Posts webhooks, and loads what that takes with the first one, unless it is told to before. */
export interface LazyWebhookHttp extends WebhookHttp {
  /** Loads what posting takes. Connects nowhere. */
  warmUp(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 15_000;
/** URLs whose target is cached. */
const MAX_CACHED_TARGETS = 1000;

/**
 * Posts webhooks over undici with keep-alive. Connects only to public addresses, to networks in `allow`, and
 * in development to localhost; plain http only to the latter two. Follows no redirects, and reads 8 KB of the
 * response, until its deadline.
 */
export function createWebhookHttp(options: WebhookHttpOptions = {}): LazyWebhookHttp {
  const { timeoutMs: timeout_ms = DEFAULT_TIMEOUT_MS, lookup = createLookup(), ca } = options;
  const destinations = createDestinations(options);
  const targetOf = cacheTargets(destinations);
  /** Loads undici with the first webhook, or when warmed up: many processes never send one. */
  const connectionsTo = (places: Destinations) =>
    lazy(async () => {
      const { openConnections } = await import("./connections.ts");
      return openConnections(places, { lookup, timeout_ms, ...(ca === undefined ? {} : { ca }) });
    });
  const connections = connectionsTo(destinations);
  const filePlaces = createDestinations({ allow: options.allowFiles ?? [] });
  const fileConnections = connectionsTo(filePlaces);

  return {
    refusal: destinations.refusal,
    async post(request) {
      const started = performance.now();
      const answer = await send(connections, targetOf(request.url), request, timeout_ms);
      return { ...answer, duration_ms: performance.now() - started };
    },
    async get(request) {
      const refusal =
        destinations.refusal(request.url) ?? (request.url.startsWith("https:") ? null : NOT_HTTPS);
      if (refusal !== null) return notFetched(refusal);
      try {
        const { fetchDocument } = await import("./fetch-document.ts");
        return await fetchDocument(await connections.get(), request);
      } catch (error) {
        return notFetched(describeFailure(error));
      }
    },
    async file(request) {
      const refusal =
        filePlaces.refusal(request.url) ?? (request.url.startsWith("https:") ? null : NOT_HTTPS);
      if (refusal !== null) return { error: refusal, refused: true };
      try {
        const { fetchFile } = await import("./fetch-file.ts");
        return await fetchFile(await fileConnections.get(), request);
      } catch (error) {
        return { error: printable(describeFailure(error)), refused: isRefusedAddress(error) };
      }
    },
    async warmUp() {
      await connections.get();
    },
    async close() {
      // If opening failed, there is nothing to close, and the senders saw the error.
      const opened = [connections, fileConnections].map((each) => each.current()?.catch(() => undefined));
      await Promise.all(opened.map(async (each) => (await each)?.destroy()));
    },
  };
}

const NOT_HTTPS = "It is fetched by https only.";

const notFetched = (error: string): DocumentResponse => ({
  status: null,
  error: printable(error),
  body: new Uint8Array(),
  cache_control: null,
});

/** The destination of a request, or the reason why it must not be sent. */
type Target = { origin: string; path: string } | { refusal: string };

/** Caches the target of each URL: the rules of a deployment never change. */
function cacheTargets(destinations: Destinations): (url: string) => Target {
  const targets = createBoundedMap<string, Target>(MAX_CACHED_TARGETS);
  return (url) => {
    const cached = targets.get(url);
    if (cached !== undefined) return cached;
    const target = readTarget(destinations, url);
    targets.set(url, target);
    return target;
  };
}

function readTarget(destinations: Destinations, url: string): Target {
  const refusal = destinations.refusal(url);
  if (refusal !== null) return { refusal };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

async function send(
  connections: Lazy<Dispatcher>,
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
