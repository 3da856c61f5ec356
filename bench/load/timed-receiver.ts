import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { sharedNow } from "../measure/clock.ts";
import { answerCalls } from "../measure/program.ts";

let latencies: number[] = [];

/** The calls of this program: a receiver of webhooks whose events say in `began_at` when they came about. */
export const calls = {
  async listen() {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const now = sharedNow();
        response.writeHead(204).end();
        const began_at = Number(/"began_at":([\d.]+)/.exec(Buffer.concat(chunks).toString("latin1"))?.[1]);
        latencies.push(now - began_at);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  },
  /**
   * Milliseconds that each event took to come here, of those that came since the last time this was asked.
   */
  take() {
    const taken = latencies;
    latencies = [];
    return taken;
  },
};

answerCalls(calls);
