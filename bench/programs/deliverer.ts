import { createWebhookHttp } from "@letterslot/adapter-http";
import { createLetterslot, type Letterslot } from "@letterslot/core";
import { Pool } from "undici";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { eventData } from "../mail/event-data.ts";
import { startCpuTimer } from "../measure/process-cost.ts";
import { serveCalls } from "../measure/program.ts";
import { createConfig, openEngine, type StorageLocation } from "../measure/service.ts";

const PER_TRANSACTION = 100;
const CONCURRENCY = 50;
const POLL_MS = 2;
let service: Letterslot | undefined;
let account_id = "";
let pool: Pool | undefined;
let body = "";

/** The part of the service that delivers webhooks, and a bare HTTP client that posts as many. */
export const calls = {
  /** Opens a service whose account has a webhook to `url`. */
  async open({ place, url }: { place: StorageLocation; url: string }) {
    const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"] });
    service = createLetterslot(createConfig(await openEngine(place), { webhookHttp }));
    const account = await service.as({ type: "public", ip: null }).accounts.onboard({ username: "agent" });
    account_id = account.account_id;
    await service
      .as(await service.authenticate(account.api_key, null))
      .webhooks.create({ url, events: ["message.received"] });
    const { origin } = new URL(url);
    pool = new Pool(origin, { connections: CONCURRENCY });
    body = JSON.stringify(eventData(0));
  },
  /** Writes `count` events, each with its delivery and job. */
  async fill(count: number) {
    const { services } = opened();
    for (let done = 0; done < count; done += PER_TRANSACTION) {
      await unitOfWork(services, account_id, services.clock.now(), async (work) => {
        for (let each = 0; each < PER_TRANSACTION; each++)
          work.publish({ type: "message.received", inbox_id: null, data: eventData(done + each) as never });
      });
    }
  },
  /** Delivers everything due; resolves when the last result is on disk. */
  async deliver(count: number) {
    const { work, services } = opened();
    const cpu = startCpuTimer();
    const began = performance.now();
    const stop = work();
    for (;;) {
      const [job] = await services.storage.find("jobs", { where: {}, limit: 1 });
      if (job === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const ms = performance.now() - began;
    await stop();
    return { done: count, ms, cpu_us: cpu() };
  },
  /** Posts `count` requests without the service. */
  async postRaw(count: number) {
    const cpu = startCpuTimer();
    const began = performance.now();
    let left = count;
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (left-- > 0) {
          const answer = await pool?.request({
            path: "/hook",
            method: "POST",
            headers: { "content-type": "application/json" },
            body,
          });
          await answer?.body.dump();
        }
      }),
    );
    return { done: count, ms: performance.now() - began, cpu_us: cpu() };
  },
};

function opened(): Letterslot {
  if (service === undefined) throw new Error("open first");
  return service;
}

serveCalls(calls);
