import { setTimeout as after } from "node:timers/promises";
import { createWebhookHttp } from "@letterslot/adapter-http";
import { createLetterslot, type Letterslot } from "@letterslot/core";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { sharedNow } from "../measure/clock.ts";
import { answerCalls } from "../measure/program.ts";
import { configOn, engineAt } from "../measure/service.ts";

/** An account may have no more. */
const perAccount = 50;
let service: Letterslot | undefined;
let quiet = "";
const loud: string[] = [];

/**
 * The calls of this program: a service with one account whose webhook is good, and others whose webhooks are
 * not.
 */
export const calls = {
  /** Opens it and begins to work; each bad receiver gets as many webhooks as all of them share. */
  async open({ folder, url, bad_urls, bad_webhooks }: Opening) {
    const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"] });
    service = createLetterslot(configOn(await engineAt({ folder }), { webhookHttp }));
    quiet = await accountWith([url], "quiet");
    for (let made = 0; made < bad_webhooks; made += perAccount) {
      const urls = Array.from(
        { length: perAccount },
        (_, each) => `${bad_urls[each % bad_urls.length]}/${made + each}`,
      );
      loud.push(await accountWith(urls, `loud${made}`));
    }
    service.work();
  },
  /**
   * An event of the quiet account at each pause, and so many of every loud account in between; answers how
   * many of the former.
   */
  async run({ ms, pause_ms, loud_events }: { ms: number; pause_ms: number; loud_events: number }) {
    const end = performance.now() + ms;
    const loudness = makeLoud(loud_events, ms);
    let done = 0;
    for (; performance.now() < end; done++) {
      await publish(quiet, { began_at: sharedNow() });
      await after(pause_ms);
    }
    await loudness;
    return done;
  },
};

interface Opening {
  folder: string;
  url: string;
  bad_urls: readonly string[];
  bad_webhooks: number;
}

/** The loud accounts' events, one account after the other, evenly over the time. */
async function makeLoud(events: number, ms: number): Promise<void> {
  const turns = Array.from({ length: events }, () => loud).flat();
  for (const account_id of turns) {
    await publish(account_id, {});
    await after(ms / turns.length);
  }
}

async function accountWith(urls: readonly string[], username: string): Promise<string> {
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
    work.publish({ type: "message.received", inbox_id: null, data });
  });
}

function opened(): Letterslot {
  if (service === undefined) throw new Error("open first");
  return service;
}

answerCalls(calls);
