import { batchReads, batchWrites } from "../../kernel/batch.ts";
import type { Services } from "../../kernel/context.ts";
import { LeaseLost } from "../../kernel/jobs/job-lease.ts";
import { createYieldToEventLoop } from "../../kernel/yield-to-event-loop.ts";
import type { EventRecord } from "../../model/feed.ts";
import type { DeliveryRecord, WebhookRecord } from "../../model/webhooks.ts";
import { fillEvents } from "../feed/fill-events.ts";
import { showFilled } from "../feed/show.ts";
import { createDeliverySlots, type DeliverySlots } from "./delivery-slots.ts";
import { recordSuccesses, type Success } from "./record-attempt.ts";
import { type SigningKeys, signingKeysOf } from "./signing.ts";

/**
 * The resources shared by the deliveries of one process: batched reads and writes, delivery slots and decrypted
 * secrets.
 */
export interface Sender {
  delivery(id: string): Promise<DeliveryRecord | undefined>;
  webhook(id: string): Promise<WebhookRecord | undefined>;
  event(delivery: DeliveryRecord): Promise<EventRecord | undefined>;
  /** The encoded envelope of an event, encoded once for all of its deliveries that are sent together. */
  envelope(event: EventRecord): Uint8Array;
  /** The signing keys of a sealed secret. */
  keys(sealed_secret: string): SigningKeys;
  /** Records a success, batched with others. Throws `LeaseLost` when another worker has the job. */
  succeeded(success: Success): Promise<void>;
  /** Call it when a delivery ends, as a batch may be waiting for its success. */
  ended(): void;
  slots: DeliverySlots;
  /** Lets one delivery per tick through, for webhooks that are not known to be fast. */
  yieldToEventLoop(): Promise<void>;
}

/** Decrypted secrets in the cache; beyond that the oldest is evicted. */
const MAX_CACHED_KEYS = 1000;

/** Successes per transaction, and how long the first waits for more. */
const MAX_BATCH = 128;
const BATCH_WAIT_MS = 25;

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
  const envelopes = new WeakMap<EventRecord, Uint8Array>();
  const opened = new Map<string, SigningKeys>();
  const slots = createDeliverySlots(clock);
  const recordTogether = (batch: Success[]): Promise<void> => {
    const written = recordSuccesses(services, batch);
    // The jobs that take their places are claimed now, so that one commit does both.
    for (const { resultIsWritten } of batch) resultIsWritten();
    return written;
  };
  const successes = batchWrites<Success>(recordTogether, {
    clock,
    maxItems: MAX_BATCH,
    waitMs: BATCH_WAIT_MS,
    mayGrow: () => slots.inUse() > 0,
  });

  return {
    delivery: batchReads((ids) =>
      byId(storage.find("deliveries", { where: { id: { in: ids } }, limit: ids.length })),
    ),
    webhook: batchReads((ids) =>
      byId(storage.find("webhooks", { where: { id: { in: ids } }, limit: ids.length })),
    ),
    event: ({ account_id, event_sequence }) => events(eventKey(account_id, event_sequence)),
    envelope(event) {
      const known = envelopes.get(event);
      if (known !== undefined) return known;
      const encoded = Buffer.from(JSON.stringify(showFilled(event)));
      envelopes.set(event, encoded);
      return encoded;
    },
    keys(sealed_secret) {
      const known = opened.get(sealed_secret);
      if (known !== undefined) return known;
      const keys = signingKeysOf(seal.open(sealed_secret));
      const [oldest] = opened.keys();
      if (opened.size >= MAX_CACHED_KEYS && oldest !== undefined) opened.delete(oldest);
      opened.set(sealed_secret, keys);
      return keys;
    },
    async succeeded(success) {
      try {
        await successes.write(success);
      } catch (error) {
        // One job of the batch lost its lease: record each on its own to find out which.
        if (!(error instanceof LeaseLost)) throw error;
        await recordSuccesses(services, [success]);
      }
    },
    ended: successes.flushIfDone,
    slots,
    yieldToEventLoop: createYieldToEventLoop(),
  };
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
