import assert from "node:assert/strict";
import { showEvents } from "../src/events/feed/show.ts";
import type { Services } from "../src/kernel/context.ts";
import { Event } from "../src/model/feed.ts";
import type { Signals } from "../src/ports/signals.ts";

const CHANNEL = /^events:(.+)$/;

/** Checks that events are shown as the schemas of their types say, since the service itself does not. */
export interface EventChecks {
  /** The signals, which note the accounts that publish events. */
  signals: Signals;
  /** Shows each event published since the last check; throws if one is not as its schema says. */
  check(services: Services): Promise<void>;
}

/** Creates the checks of one service. */
export function createEventChecks(signals: Signals): EventChecks {
  const waiting = new Set<string>();
  const checked = new Map<string, number>();
  return {
    signals: {
      ...signals,
      publish(channels) {
        for (const account_id of channels.flatMap((name) => CHANNEL.exec(name)?.[1] ?? []))
          waiting.add(account_id);
        return signals.publish(channels);
      },
    },
    async check(services) {
      for (const account_id of waiting) {
        const found = await services.storage.find("events", {
          where: { account_id, sequence: { gt: checked.get(account_id) ?? 0 } },
          order: { by: "sequence", direction: "asc" },
          limit: 10_000,
        });
        for (const event of await showEvents(services, found)) {
          assert.deepStrictEqual(Event.parse(event), event, `${event.type} is not as its schema says`);
          checked.set(account_id, event.sequence);
        }
      }
      waiting.clear();
    },
  };
}
