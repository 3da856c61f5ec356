import { randomUUID } from "node:crypto";
import { Pool } from "undici";
import { serveCalls } from "../measure/program.ts";

/** Requests to send, in sequence on each connection. */
export interface HttpLoad {
  base_url: string;
  method: "GET" | "POST";
  /** Requested in turn. */
  paths: readonly string[];
  headers: Record<string, string>;
  /** A body for POST, each with a new Idempotency-Key; each `{{new}}` is replaced by another word. */
  body?: string;
  /** POST without an Idempotency-Key, which an operation that shows a secret doesn't take. */
  unkeyed?: true;
  connections: number;
  /** The pause between two requests of one connection; none by default. */
  pause_ms?: number;
  ms: number;
}

const pools = new Map<string, Pool>();

/** An HTTP client with persistent connections. */
export const calls = {
  /** Sends requests as fast as responses arrive; throws if one fails. Returns the latency of each. */
  async run({ base_url, method, paths, headers, body, unkeyed, connections, pause_ms, ms }: HttpLoad) {
    const key = `${base_url} ${connections}`;
    const pool = pools.get(key) ?? new Pool(base_url, { connections, pipelining: 1 });
    pools.set(key, pool);
    const latencies: number[] = [];
    let asked = 0;
    let bytes = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() - began < ms) {
          const path = paths[asked++ % paths.length] ?? "/";
          const start = performance.now();
          const json = method === "POST" ? { "content-type": "application/json" } : {};
          const keyed = method === "POST" && !unkeyed ? { "idempotency-key": randomUUID() } : {};
          const answer = await pool.request({
            path,
            method,
            headers: { ...headers, ...json, ...keyed },
            body: body?.replace("{{new}}", () => randomUUID()) ?? null,
          });
          const content = await answer.body.arrayBuffer();
          if (answer.statusCode >= 300)
            throw new Error(`${path}: ${answer.statusCode} ${Buffer.from(content).toString().slice(0, 300)}`);
          bytes += content.byteLength;
          latencies.push(performance.now() - start);
          if (pause_ms !== undefined) await new Promise((resolve) => setTimeout(resolve, pause_ms));
        }
      }),
    );
    return { done: latencies.length, ms: performance.now() - began, latencies, bytes };
  },
};

serveCalls(calls);
