import { createSecretKey, type KeyObject } from "node:crypto";
import { fillEvents } from "../feed/index.ts";
import type { Services } from "../kernel/context.ts";
import { LeaseLost } from "../kernel/jobs/job-lease.ts";
import { createYieldToEventLoop } from "../kernel/yield-to-event-loop.ts";
import type { EventRecord } from "../model/feed.ts";
import type { DeliveryRecord, WebhookRecord } from "../model/webhooks.ts";
import { batchReads } from "./batch-reads.ts";
import { batchWrites } from "./batch-writes.ts";
import { createDeliverySlots, type DeliverySlots } from "./delivery-slots.ts";
import { recordSuccesses, type Success } from "./record-attempt.ts";
import { type SigningKeys, standardKey } from "./signing.ts";

/**
 * What deliveries of one process share: their reads, their places, the opened secrets, and the writing of
 * successes.
 */
export interface Sender {
  delivery(id: string): Promise<DeliveryRecord | undefined>;
  webhook(id: string): Promise<WebhookRecord | undefined>;
  event(delivery: DeliveryRecord): Promise<EventRecord | undefined>;
  /** The keys of a sealed secret. */
  keys(sealed_secret: string): SigningKeys;
  /**
   * Writes a success, together with others that are on their way. Throws `LeaseLost` when another worker has
   * the job.
   */
  succeeded(success: Success): Promise<void>;
  /** To be called when a delivery has ended otherwise: others may have waited for its success. */
  ended(): void;
  places: DeliverySlots;
  /**
   * The door for deliveries to webhooks that are not known to be fast: one in each turn of the event loop.
   */
  turn(): Promise<void>;
}

/** Opened secrets that are kept; beyond that the oldest are opened anew. */
const keysKept = 1000;

/** Successes that one transaction writes, and how long the first of them waits for the others. */
const successesAtOnce = 200;
const successPauseMs = 10;

const senders = new WeakMap<Services, Sender>();

/** The sender of a service. */
export function senderOf(services: Services): Sender {
  const sender = senders.get(services) ?? createSender(services);
  senders.set(services, sender);
  return sender;
}

function createSender(services: Services): Sender {
  const { storage, seal, clock } = services;
  const byId = async <R extends { id: string }>(found: Promise<R[]>) =>
    new Map((await found).map((record) => [record.id, record]));
  const events = batchReads((keys) => loadEvents(services, keys));
  const opened = new Map<string, SigningKeys>();
  const places = createDeliverySlots(clock);
  const successes = batchWrites<Success>((several) => recordSuccesses(services, several), {
    clock,
    most: successesAtOnce,
    pause_ms: successPauseMs,
    coming: () => places.underWay() > 0,
  });

  return {
    delivery: batchReads((ids) =>
      byId(storage.find("deliveries", { where: { id: { in: ids } }, limit: ids.length })),
    ),
    webhook: batchReads((ids) =>
      byId(storage.find("webhooks", { where: { id: { in: ids } }, limit: ids.length })),
    ),
    event: ({ account_id, event_sequence }) => events(eventKey(account_id, event_sequence)),
    keys(sealed_secret) {
      const known = opened.get(sealed_secret);
      if (known !== undefined) return known;
      const keys = keysOf(seal.open(sealed_secret));
      const [oldest] = opened.keys();
      if (opened.size >= keysKept && oldest !== undefined) opened.delete(oldest);
      opened.set(sealed_secret, keys);
      return keys;
    },
    async succeeded(success) {
      try {
        await successes.write(success);
      } catch (error) {
        // One of them lost its lease: each finds out for itself whether it was that one.
        if (!(error instanceof LeaseLost)) throw error;
        await recordSuccesses(services, [success]);
      }
    },
    ended: successes.look,
    places,
    turn: createYieldToEventLoop(),
  };
}

function keysOf(secret: string): SigningKeys {
  const key = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);
  return { own: key(Buffer.from(secret, "utf8")), standard: key(standardKey(secret)) };
}

const eventKey = (account_id: string, sequence: number): string => `${account_id}:${sequence}`;

async function loadEvents(services: Services, keys: string[]): Promise<Map<string, EventRecord>> {
  const byAccount = Map.groupBy(keys, (key) => key.slice(0, key.lastIndexOf(":")));
  const sequenceOf = (key: string) => Number(key.slice(key.lastIndexOf(":") + 1));
  const found = await Promise.all(
    [...byAccount].map(([account_id, wanted]) =>
      services.storage.find("events", {
        where: { account_id, sequence: { in: wanted.map(sequenceOf) } },
        limit: wanted.length,
      }),
    ),
  );
  const filled = await fillEvents(services, found.flat());
  return new Map(filled.map((event) => [eventKey(event.account_id, event.sequence), event]));
}
