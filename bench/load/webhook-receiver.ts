import { createServer } from "node:http";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";

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
  counts: () => ({ received, different: ids.size }),
};

serveCalls(calls);
