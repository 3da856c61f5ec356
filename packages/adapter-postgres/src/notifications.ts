import { randomUUID } from "node:crypto";
import type { Database } from "./database.ts";

/** What processes tell each other through NOTIFY: short words, without any promise that they arrive. */
export interface Notifications {
  /**
   * Tells the other processes; words given at the same time go out together. Fails when the database can't be
   * reached.
   */
  publish(words: readonly string[]): Promise<void>;
  /** Listens from now on; resolves when it does. */
  subscribe(subscriber: NotificationSubscriber): Promise<() => void>;
  /** Resolves once what was published is out; nothing is heard any more. */
  close(): Promise<void>;
}

/** Who listens. */
export interface NotificationSubscriber {
  heard(word: string): void;
  /** The connection was lost and is there again: what was told in between is missing. */
  renewed(): void;
}

/** PostgreSQL takes less than 8,000 bytes in one notification. */
const PAYLOAD_BYTES = 7_500;
const RECONNECT_MS = 50;
const LONGEST_RECONNECT_MS = 2_000;

/**
 * Notifications on a channel; a connection is taken to listen on when the first subscriber comes, and renewed
 * when it breaks.
 */
export function createNotifications(database: Database, channel: string): Notifications {
  // A process knows by itself what it tells.
  const origin = randomUUID().slice(0, 8);
  const subscribers = new Set<NotificationSubscriber>();
  let listening: Promise<void> | undefined;
  let listener: { close(): Promise<void> } | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let waiting = new Set<string>();
  let sending: Promise<void> | undefined;

  const heard = (payload: string) => {
    const [from, ...words] = readPayload(payload);
    if (from === origin) return;
    for (const word of words) for (const subscriber of subscribers) subscriber.heard(word);
  };

  const connect = async (): Promise<void> => {
    listener = await database.listen(channel, { heard, lost: () => reconnect(1) });
    if (closed) await listener.close();
  };

  const reconnect = (tries: number) => {
    listener = undefined;
    if (closed) return;
    const longest = Math.min(RECONNECT_MS * 2 ** tries, LONGEST_RECONNECT_MS);
    retry = setTimeout(() => void renew(tries), Math.random() * longest);
  };

  const renew = async (tries: number): Promise<void> => {
    try {
      await connect();
    } catch {
      // Tried again for as long as it takes; whoever uses the database meanwhile is told by their own
      // statements.
      reconnect(tries + 1);
      return;
    }
    for (const subscriber of subscribers) subscriber.renewed();
  };

  const send = async (): Promise<void> => {
    while (waiting.size > 0) {
      const payloads = payloadsOf(origin, waiting);
      waiting = new Set();
      const sql = "select pg_notify($1, payload) from unnest($2::text[]) as payload";
      await database.run({ sql, parameters: [channel, payloads] });
    }
  };

  return {
    async publish(words) {
      if (words.length === 0) return;
      if (closed) throw new Error("the notifications are closed");
      for (const word of words) waiting.add(word);
      sending ??= send().finally(() => {
        sending = undefined;
      });
      return sending;
    },
    async subscribe(subscriber) {
      if (closed) throw new Error("the notifications are closed");
      subscribers.add(subscriber);
      // While the connection is being renewed nobody waits for it: the renewal tells.
      listening ??= connect();
      try {
        await listening;
      } catch (error) {
        subscribers.delete(subscriber);
        listening = undefined;
        throw error;
      }
      return () => void subscribers.delete(subscriber);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      subscribers.clear();
      // Whoever published, or subscribed, has been told; here they are only waited for.
      await sending?.catch(() => undefined);
      await listening?.catch(() => undefined);
      await listener?.close();
    },
  };
}

function payloadsOf(origin: string, words: ReadonlySet<string>): string[] {
  const payloads: string[] = [];
  let part = [origin];
  let bytes = 0;
  for (const word of words) {
    const size = Buffer.byteLength(JSON.stringify(word)) + 1;
    if (bytes + size > PAYLOAD_BYTES && part.length > 1) {
      payloads.push(JSON.stringify(part));
      part = [origin];
      bytes = 0;
    }
    part.push(word);
    bytes += size;
  }
  return [...payloads, JSON.stringify(part)];
}

/** The words of a payload; others may use the channel too, so anything else is none. */
function readPayload(payload: string): string[] {
  try {
    const words = JSON.parse(payload) as unknown;
    return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : [];
  } catch {
    return [];
  }
}
