import { randomUUID } from "node:crypto";
import type { Database } from "../connections/database.ts";

/** Short messages between processes through NOTIFY; they may get lost. */
export interface Notifications {
  /**
   * Sends messages to the other processes, together with others published before they go out; resolves once they are
   * sent. Fails when the database can't be reached.
   */
  publish(messages: readonly string[]): Promise<void>;
  /** Resolves once it listens; returns how to unsubscribe. */
  subscribe(subscriber: NotificationSubscriber): Promise<() => void>;
  /** Resolves once all published messages are sent; no more arrive. */
  close(): Promise<void>;
}

/** Receives messages. */
export interface NotificationSubscriber {
  onMessage(message: string): void;
  /** The connection was lost and is back; messages in between are missing. */
  onReconnect(): void;
}

/** Notifications that go out in one statement. */
interface Batch {
  messages: Set<string>;
  sent: Promise<void>;
}

/** PostgreSQL accepts less than 8,000 bytes in one notification. */
const MAX_PAYLOAD_BYTES = 7_500;
const RECONNECT_MS = 50;
const MAX_RECONNECT_MS = 2_000;

/** Notifications on a channel. The first subscriber opens a listening connection, which reconnects. */
export function createNotifications(database: Database, channel: string): Notifications {
  // A process ignores its own notifications.
  const origin = randomUUID().slice(0, 8);
  const subscribers = new Set<NotificationSubscriber>();
  let listening: Promise<void> | undefined;
  let listener: { close(): Promise<void> } | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;
  let next: Batch | undefined;
  let lastSent: Promise<void> = Promise.resolve();

  const onMessage = (payload: string) => {
    const [from, ...messages] = readPayload(payload);
    if (from === origin) return;
    for (const message of messages) for (const subscriber of subscribers) subscriber.onMessage(message);
  };

  const connect = async (): Promise<void> => {
    listener = await database.listen(channel, { onMessage, onLost: () => reconnectLater(1) });
    if (closed) await listener.close();
  };

  const reconnectLater = (tries: number) => {
    listener = undefined;
    if (closed) return;
    const longest = Math.min(RECONNECT_MS * 2 ** tries, MAX_RECONNECT_MS);
    retry = setTimeout(() => void reconnect(tries), Math.random() * longest);
  };

  const reconnect = async (tries: number): Promise<void> => {
    try {
      await connect();
    } catch {
      // Retried without end; users of the database get errors from their own statements meanwhile.
      reconnectLater(tries + 1);
      return;
    }
    for (const subscriber of subscribers) subscriber.onReconnect();
  };

  const send = async (messages: ReadonlySet<string>): Promise<void> => {
    const sql = "select pg_notify($1, payload) from unnest($2::text[]) as payload";
    await database.run({ sql, parameters: [channel, payloadsOf(origin, messages)] });
  };
  /** It goes out after the one before it, and not before the end of this turn: a commit has several publishers. */
  const openBatch = (): Batch => {
    const messages = new Set<string>();
    const sent = lastSent.then(nextTurn).then(() => {
      next = undefined;
      return send(messages);
    });
    // Its own publishers learn of a failure; the next batch goes out all the same.
    lastSent = sent.catch(() => undefined);
    return { messages, sent };
  };

  return {
    async publish(messages) {
      if (messages.length === 0) return;
      if (closed) throw new Error("the notifications are closed");
      next ??= openBatch();
      for (const message of messages) next.messages.add(message);
      return next.sent;
    },
    async subscribe(subscriber) {
      if (closed) throw new Error("the notifications are closed");
      subscribers.add(subscriber);
      // During a reconnection this does not wait: `onReconnect` follows.
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
      // Errors were thrown to those who published or subscribed.
      await lastSent;
      await listening?.catch(() => undefined);
      await listener?.close();
    },
  };
}

function payloadsOf(origin: string, messages: ReadonlySet<string>): string[] {
  const payloads: string[] = [];
  let batch = [origin];
  let bytes = 0;
  for (const message of messages) {
    const size = Buffer.byteLength(JSON.stringify(message)) + 1;
    if (bytes + size > MAX_PAYLOAD_BYTES && batch.length > 1) {
      payloads.push(JSON.stringify(batch));
      batch = [origin];
      bytes = 0;
    }
    batch.push(message);
    bytes += size;
  }
  return [...payloads, JSON.stringify(batch)];
}

/** The origin and messages of a payload; nothing for payloads of other programs on the channel. */
function readPayload(payload: string): string[] {
  try {
    const parts = JSON.parse(payload) as unknown;
    return Array.isArray(parts) && parts.every((part) => typeof part === "string") ? parts : [];
  } catch {
    return [];
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
