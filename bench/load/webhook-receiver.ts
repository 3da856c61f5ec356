import { createServer } from "node:http";
import { setTimeout as after } from "node:timers/promises";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";

const POLL_MS = 2;
let received = 0;
const ids = new Set<string>();
const waiting: { count: number; done: () => void }[] = [];

/** A webhook receiver that answers every delivery with 204. */
export const calls = {
  async listen() {
    const server = createServer((request, response) => {
      request.resume();
      request.on("end", () => {
        response.writeHead(204).end();
        received++;
        ids.add(String(request.headers["x-svc-delivery"] ?? received));
        for (const asker of waiting) if (received >= asker.count) asker.done();
      });
    });
    return { url: `${await listen(server)}/hook` };
  },
  /** Resolves once `count` deliveries have arrived in total. */
  until(count: number) {
    if (received >= count) return;
    return new Promise<void>((resolve) => void waiting.push({ count, done: resolve }));
  },
  /** Counts what arrives in so many milliseconds, or until `most` different deliveries have arrived in total. */
  async arriving({ ms, most }: { ms: number; most: number }) {
    const [began, before] = [performance.now(), received];
    while (ids.size < most && performance.now() - began < ms) await after(POLL_MS);
    return { done: received - before, ms: performance.now() - began };
  },
  counts: () => ({ received, different: ids.size }),
};

serveCalls(calls);
