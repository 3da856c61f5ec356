import { createWebhookHttp } from "@letterslot/adapter-http";
import { createLetterslot, type Letterslot } from "@letterslot/core";
import { Pool } from "undici";
import { unitOfWork } from "../../packages/core/src/kernel/unit-of-work.ts";
import { eventData } from "../mail/event-data.ts";
import { cpuSince } from "../measure/process-cost.ts";
import { answerCalls } from "../measure/program.ts";
import { configOn, engineAt, type Place } from "../measure/service.ts";

const perTransaction = 100;
const atOnce = 50;
const pollMs = 2;
let service: Letterslot | undefined;
let account_id = "";
let pool: Pool | undefined;
let body = "";

/**
 * The calls of this program: the part of the service that delivers webhooks, and the least that posts as
 * many.
 */
export const calls = {
  /** Opens a service whose account has a webhook to `url`. */
  async open({ place, url }: { place: Place; url: string }) {
    const webhookHttp = createWebhookHttp({ allow: ["127.0.0.0/8"] });
    service = createLetterslot(configOn(await engineAt(place), { webhookHttp }));
    const account = await service.as({ type: "public", ip: null }).accounts.onboard({ username: "agent" });
    account_id = account.account_id;
    await service
      .as(await service.authenticate(account.api_key, null))
      .webhooks.create({ url, events: ["message.received"] });
    const { origin } = new URL(url);
    pool = new Pool(origin, { connections: atOnce });
    body = JSON.stringify(eventData(0));
  },
  /** Writes so many events, each with its delivery and its job. */
  async fill(count: number) {
    const { services } = opened();
    for (let done = 0; done < count; done += perTransaction) {
      await unitOfWork(services, account_id, services.clock.now(), async (work) => {
        for (let each = 0; each < perTransaction; each++)
          work.publish({ type: "message.received", inbox_id: null, data: eventData(done + each) });
      });
    }
  },
  /** Delivers what is due; answers when the last result is on disk. */
  async deliver(count: number) {
    const { work, services } = opened();
    const cpu = cpuSince();
    const began = performance.now();
    const stop = work();
    for (;;) {
      const [job] = await services.storage.find("jobs", { where: {}, limit: 1 });
      if (job === undefined) break;
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    const ms = performance.now() - began;
    await stop();
    return { done: count, ms, cpu_us: cpu() };
  },
  /** Posts as many with nothing around it. */
  async postRaw(count: number) {
    const cpu = cpuSince();
    const began = performance.now();
    let left = count;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
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

answerCalls(calls);
