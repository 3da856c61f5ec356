import { LIMITS } from "@letterslot/core";
import {
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from "@modelcontextprotocol/server";
import {
  follow,
  maySubscribe,
  newestCursor,
  readListenRequest,
  type Subject,
  subjectOf,
} from "./subscriptions.ts";
import type { ToolHost } from "./tools/host.ts";

/** The subscriptions of one connection over standard input and output. */
export interface StdioSubscriptions {
  /** Answers `resources/subscribe` and `resources/unsubscribe`, by which clients of the earlier line subscribe. */
  serve(server: Server): void;
  /**
   * Reads a client's message and returns it for the protocol: a listen request of the newest version is limited to the
   * URIs that the client can follow, and these are followed from then on.
   */
  read(message: JSONRPCMessage): Promise<JSONRPCMessage>;
}

/** Creates the subscriptions of a connection, which end with `signal`. One reader of the feed serves all of them. */
export function createSubscriptions({
  host,
  notify,
  onError,
  signal,
}: {
  host: ToolHost;
  notify(uri: string): void;
  onError(error: Error): void;
  signal: AbortSignal;
}): StdioSubscriptions {
  const subjects = new Map<string, Subject>();
  /** Which URIs each subscription has, by the id of its request; those of the earlier line are one subscription. */
  const subscriptions = new Map<unknown, Set<string>>();
  let reader: AbortController | undefined;

  async function startReading(): Promise<void> {
    if (reader !== undefined || subjects.size === 0) return;
    const stop = new AbortController();
    reader = stop;
    const from = await newestCursor(host);
    const ended = AbortSignal.any([signal, stop.signal]);
    follow({ open: async () => host, subjects, from, notify, signal: ended })
      .catch((error: unknown) => onError(error instanceof Error ? error : new Error(String(error))))
      .finally(() => {
        if (reader === stop) reader = undefined;
      });
  }

  function remove(id: unknown, uris: Iterable<string> = subscriptions.get(id) ?? []): void {
    const own = subscriptions.get(id);
    for (const uri of [...uris]) {
      own?.delete(uri);
      if (![...subscriptions.values()].some((others) => others.has(uri))) subjects.delete(uri);
    }
    if (own?.size === 0) subscriptions.delete(id);
    if (subjects.size > 0) return;
    reader?.abort();
    reader = undefined;
  }

  async function add(id: unknown, found: ReadonlyMap<string, Subject>): Promise<void> {
    subscriptions.set(id, new Set([...(subscriptions.get(id) ?? []), ...found.keys()]));
    for (const [uri, subject] of found) subjects.set(uri, subject);
    await startReading();
  }

  return {
    serve(server) {
      server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
        if (subjects.size >= LIMITS.mcp_subscribed_resources && !subjects.has(uri))
          throw new ProtocolError(
            ProtocolErrorCode.InvalidParams,
            `Subscribe to at most ${LIMITS.mcp_subscribed_resources} resources at once.`,
          );
        const subject = maySubscribe(await host.caller()) ? await subjectOf(host, uri) : undefined;
        if (subject === undefined) throw new ResourceNotFoundError(uri);
        await add(EARLIER, new Map([[uri, subject]]));
        return {};
      });
      server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
        remove(EARLIER, [uri]);
        return {};
      });
    },
    async read(message) {
      if (!("method" in message)) return message;
      if (message.method === "notifications/cancelled") remove(message.params?.["requestId"]);
      if (message.method !== "subscriptions/listen" || !("id" in message)) return message;
      const listen = await readListenRequest(host, message);
      await add(message.id, listen.subjects);
      return listen.message as JSONRPCMessage;
    },
  };
}

/** The one subscription that clients of the earlier line have. No JSON-RPC id is a symbol. */
const EARLIER = Symbol("earlier line");
