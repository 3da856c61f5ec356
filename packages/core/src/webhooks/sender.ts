import { createSecretKey, type KeyObject } from "node:crypto";
import { fillEvents } from "../feed/index.ts";
import type { Parts } from "../kernel/context.ts";
import { LeaseLost } from "../kernel/jobs/job-lease.ts";
import { oneEachTurn } from "../kernel/one-each-turn.ts";
import type { EventRecord } from "../model/feed.ts";
import type { DeliveryRecord, WebhookRecord } from "../model/webhooks.ts";
import { gather } from "./gather.ts";
import { noteSuccesses, type Success } from "./note-try.ts";
import { createPlaces, type Places } from "./places.ts";
import { type SigningKeys, standardKey } from "./signing.ts";
import { together } from "./together.ts";

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
  places: Places;
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

const senders = new WeakMap<Parts, Sender>();

/** The sender of a service. */
export function senderOf(parts: Parts): Sender {
  const sender = senders.get(parts) ?? createSender(parts);
  senders.set(parts, sender);
  return sender;
}

function createSender(parts: Parts): Sender {
  const { storage, seal, clock } = parts;
  const byId = async <R extends { id: string }>(found: Promise<R[]>) =>
    new Map((await found).map((record) => [record.id, record]));
  const events = gather((keys) => loadEvents(parts, keys));
  const opened = new Map<string, SigningKeys>();
  const places = createPlaces(clock);
  const successes = together<Success>((several) => noteSuccesses(parts, several), {
    clock,
    most: successesAtOnce,
    pause_ms: successPauseMs,
    coming: () => places.underWay() > 0,
  });

  return {
    delivery: gather((ids) =>
      byId(storage.find("deliveries", { where: { id: { in: ids } }, limit: ids.length })),
    ),
    webhook: gather((ids) =>
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
        await noteSuccesses(parts, [success]);
      }
    },
    ended: successes.look,
    places,
    turn: oneEachTurn(),
  };
}

function keysOf(secret: string): SigningKeys {
  const key = (bytes: Uint8Array): KeyObject => createSecretKey(bytes);
  return { own: key(Buffer.from(secret, "utf8")), standard: key(standardKey(secret)) };
}

const eventKey = (account_id: string, sequence: number): string => `${account_id}:${sequence}`;

async function loadEvents(parts: Parts, keys: string[]): Promise<Map<string, EventRecord>> {
  const byAccount = Map.groupBy(keys, (key) => key.slice(0, key.lastIndexOf(":")));
  const sequenceOf = (key: string) => Number(key.slice(key.lastIndexOf(":") + 1));
  const found = await Promise.all(
    [...byAccount].map(([account_id, wanted]) =>
      parts.storage.find("events", {
        where: { account_id, sequence: { in: wanted.map(sequenceOf) } },
        limit: wanted.length,
      }),
    ),
  );
  const filled = await fillEvents(parts, found.flat());
  return new Map(filled.map((event) => [eventKey(event.account_id, event.sequence), event]));
}
