import { createServer } from "node:http";
import { machineNow } from "../measure/clock.ts";
import { listen } from "../measure/listen.ts";
import { serveCalls } from "../measure/program.ts";

let latencies: number[] = [];

/** A webhook receiver for events whose `began_at` says when they were published. */
export const calls = {
  async listen() {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const now = machineNow();
        response.writeHead(204).end();
        const began_at = Number(/"began_at":([\d.]+)/.exec(Buffer.concat(chunks).toString("latin1"))?.[1]);
        latencies.push(now - began_at);
      });
    });
    return `${await listen(server)}/hook`;
  },
  /** The latencies, in milliseconds, of the events that arrived since the last call. */
  take() {
    const taken = latencies;
    latencies = [];
    return taken;
  },
};

serveCalls(calls);
