import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerCalls } from "../measure/program.ts";

let received = 0;
const ids = new Set<string>();
const waiting: { count: number; done: () => void }[] = [];

/** The calls of this program: a receiver of webhooks that answers each with 204. */
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
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
  },
  /** Resolves when so many have come in all. */
  until(count: number) {
    if (received >= count) return;
    return new Promise<void>((resolve) => void waiting.push({ count, done: resolve }));
  },
  counts: () => ({ received, different: ids.size }),
};

answerCalls(calls);
