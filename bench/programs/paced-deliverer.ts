import { setTimeout as after } from "node:timers/promises";
import { createWebhookHttp } from "@letterslot/adapter-http";
import { createLetterslot, type Letterslot } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { machineNow } from "../measure/clock.ts";
import { serveCalls } from "../measure/program.ts";
import { createConfig, openEngine } from "../measure/service.ts";

/** The maximum number of webhooks per account. */
const WEBHOOKS_PER_ACCOUNT = 50;
let service: Letterslot | undefined;
let quiet = "";
const loud: string[] = [];

/** A service with one account whose webhook works, and others whose webhooks don't. */
export const calls = {
  /** Opens the service and starts a worker; the bad webhooks are spread evenly over the bad receivers. */
  async open({ folder, url, bad_urls, bad_webhooks }: Opening) {
    const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"] });
    service = createLetterslot(createConfig(await openEngine({ folder }), { webhookHttp }));
    quiet = await createAccount([url], "quiet");
    for (let made = 0; made < bad_webhooks; made += WEBHOOKS_PER_ACCOUNT) {
      const urls = Array.from(
        { length: WEBHOOKS_PER_ACCOUNT },
        (_, each) => `${bad_urls[each % bad_urls.length]}/${made + each}`,
      );
      loud.push(await createAccount(urls, `loud${made}`));
    }
    service.work();
  },
  /**
   * Publishes an event of the quiet account after every pause and, meanwhile, `loud_events` events of every
   * loud account. Returns the number of quiet events.
   */
  async run({ ms, pause_ms, loud_events }: { ms: number; pause_ms: number; loud_events: number }) {
    const end = performance.now() + ms;
    const loudEventsDone = publishLoudEvents(loud_events, ms);
    let done = 0;
    for (; performance.now() < end; done++) {
      await publish(quiet, { began_at: machineNow() });
      await after(pause_ms);
    }
    await loudEventsDone;
    return done;
  },
};

interface Opening {
  folder: string;
  url: string;
  bad_urls: readonly string[];
  bad_webhooks: number;
}

/** Publishes the loud accounts' events, evenly spread over the time. */
async function publishLoudEvents(events: number, ms: number): Promise<void> {
  const turns = Array.from({ length: events }, () => loud).flat();
  for (const account_id of turns) {
    await publish(account_id, {});
    await after(ms / turns.length);
  }
}

async function createAccount(urls: readonly string[], username: string): Promise<string> {
  const { account_id, api_key } = await opened()
    .as({ type: "public", ip: null })
    .accounts.onboard({ username });
  const { webhooks } = opened().as(await opened().authenticate(api_key, null));
  for (const url of urls) await webhooks.create({ url, events: ["message.received"] });
  return account_id;
}

function publish(account_id: string, data: Record<string, unknown>): Promise<void> {
  const { services } = opened();
  return unitOfWork(services, account_id, services.clock.now(), async (work) => {
    work.publish({ type: "message.received", inbox_id: null, data: data as never });
  });
}

function opened(): Letterslot {
  if (service === undefined) throw new Error("open first");
  return service;
}

serveCalls(calls);
