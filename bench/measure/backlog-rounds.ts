import type { calls as receiverCalls } from "../load/webhook-receiver.ts";
import type { calls as backlogCalls } from "../programs/backlog.ts";
import { onboard } from "./onboard.ts";
import { readCpu } from "./process-cost.ts";
import { startProduct } from "./product.ts";
import { startProgram } from "./program.ts";
import type { Round } from "./rounds.ts";
import type { StorageLocation } from "./service.ts";

/** The size of a backlog: large enough for the fastest server, after a warm-up in which its code is compiled. */
export interface BacklogSize {
  /** Deliveries before the time is taken. */
  warm_up: number;
  per_second: number;
}

/** Rounds of deliveries. */
export interface BacklogRounds {
  /** Starts the server with a backlog, lets it warm up, and counts the deliveries of so many milliseconds. */
  play(ms: number): Promise<Round>;
  /**
   * Delivers the rest. Returns the number of deliveries, and of those sent again, with the same id, because a stop fell
   * between their answer and the record of it. Throws if one is missing.
   */
  finish(): Promise<{ delivered: number; repeated: number }>;
}

/** Time limit for the last deliveries. */
const PATIENCE_MS = 120_000;

/**
 * Prepares rounds in which the shipped server delivers a backlog to a webhook of its own. It is stopped between
 * rounds, while the backlog is filled again.
 */
export async function openBacklog(
  options: { folder: string; place: StorageLocation; environment: Record<string, string>; size: BacklogSize },
  cleanups: { push(end: () => unknown): void },
): Promise<BacklogRounds> {
  const { folder, place, environment, size } = options;
  const receiver = await startProgram<typeof receiverCalls>("load/webhook-receiver.ts", cleanups);
  const { url } = await receiver.call("listen", undefined);
  const backlog = await startProgram<typeof backlogCalls>("programs/backlog.ts", cleanups);
  const start = async () => {
    const product = await startProduct(folder, { ...environment, SMTP_PORT: "off" });
    cleanups.push(product.end);
    return product;
  };
  const product = await start();
  const { client, account_id } = await onboard(product.base_url);
  await client.webhooks.create({ url, events: ["message.received"] });
  await product.end();
  let published = 0;
  const countArrived = async () => (await receiver.call("counts", undefined)).different;
  return {
    async play(ms) {
      const left = published - (await countArrived());
      const count = Math.max(0, size.warm_up + Math.ceil((size.per_second * ms) / 1000) - left);
      await backlog.call("fill", { place, account_id, count });
      published += count;
      const { received } = await receiver.call("counts", undefined);
      const { pid, end } = await start();
      await receiver.call("until", received + size.warm_up);
      const cpu = readCpu(pid);
      const round = await receiver.call("arriving", { ms, most: published });
      const after = readCpu(pid);
      await end();
      return { ...round, cpu_us: cpu === undefined || after === undefined ? undefined : after - cpu };
    },
    async finish() {
      const { end } = await start();
      await receiver.call("arriving", { ms: PATIENCE_MS, most: published });
      await end();
      const { received, different } = await receiver.call("counts", undefined);
      if (different !== published) throw new Error(`${published} were to be delivered, ${different} arrived`);
      return { delivered: published, repeated: received - different };
    },
  };
}
