import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { NeighbourAnswer, NeighbourTask } from "./neighbour-worker.ts";
import { ALLOCATOR, createServerHome } from "./server-process.ts";
import { until } from "./until.ts";

/** An account of a watched server. */
export interface WatchedAccount {
  api_key: string;
  inbox_id: string;
}

/** The cost of a load to the others. */
export interface LoadCost {
  /** The longest time that the server's main thread computed without a pause, in milliseconds of CPU time. */
  longest_hold_ms: number;
  /** The 99th percentile of another account's GET, in milliseconds. */
  neighbour_p99_ms: number;
  /** The neighbour's requests that failed. */
  failures: (number | string)[];
  /** The server's largest resident memory, in bytes. */
  peak_rss: number;
  /** How much slower the server ran than alone on the machine for which bounds are stated; at least 1. */
  slowdown: number;
  /** The same in CPU time, which doesn't count waiting for a processor. */
  cpu_slowdown: number;
}

/** A real server in its own process, whose main thread and memory are measured. */
export interface WatchedServer {
  pid: number;
  port: number;
  base_url: string;
  signUp(username: string): Promise<WatchedAccount>;
  /** Runs a load while another account asks for its inbox, twenty times a second. */
  measure(load: () => Promise<unknown>): Promise<LoadCost>;
  /** Runs a load alone, and says how long it held the server's main thread. */
  holdOf(load: () => Promise<unknown>): Promise<Pick<LoadCost, "longest_hold_ms" | "cpu_slowdown">>;
  close(): Promise<void>;
}

const NEIGHBOUR_INTERVAL_MS = 25;
const PROBE = new URL("./loop-probe.ts", import.meta.url);

/** Starts a server; without SMTP unless `environment` names its port. */
export async function startWatchedServer(environment: Record<string, string> = {}): Promise<WatchedServer> {
  const home = await createServerHome({ SMTP_PORT: "off", ...ALLOCATOR, ...environment });
  const report = join(home.data_dir, "..", "probe.json");
  const server = await home.start({ NODE_OPTIONS: `--import ${PROBE.href}`, LOOP_PROBE: report });
  const { port } = new URL(home.base_url);
  const base_url = `http://127.0.0.1:${port}`;

  const probe = async () => {
    rmSync(report, { force: true });
    process.kill(server.pid, "SIGUSR2");
    await until(
      "the probe's report",
      () => existsSync(report) && readFileSync(report, "utf8").endsWith("}"),
      60_000,
    );
    return JSON.parse(readFileSync(report, "utf8")) as {
      longest_ms: number;
      peak_rss: number;
      slowdown: number;
      cpu_slowdown: number;
    };
  };
  const signUp = async (username: string): Promise<WatchedAccount> => {
    const answer = await fetch(`${base_url}/api/v1/onboard`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username }),
    });
    const { api_key, inbox } = (await answer.json()) as { api_key: string; inbox: { id: string } };
    return { api_key, inbox_id: inbox.id };
  };
  const neighbour = await signUp("neighbour");

  return {
    pid: server.pid,
    port: Number(port),
    base_url,
    signUp,
    async measure(load) {
      const url = `${base_url}/api/v1/inboxes/${neighbour.inbox_id}`;
      const task: NeighbourTask = { url, api_key: neighbour.api_key, interval_ms: NEIGHBOUR_INTERVAL_MS };
      const worker = new Worker(new URL("./neighbour-worker.ts", import.meta.url), { workerData: task });
      await once(worker, "message");
      await probe();
      await load();
      const answered = once(worker, "message") as Promise<[NeighbourAnswer]>;
      worker.postMessage("stop", []);
      const [{ latencies_ms, failures }] = await answered;
      const { longest_ms, peak_rss, slowdown, cpu_slowdown } = await probe();
      const sorted = latencies_ms.toSorted((a, b) => a - b);
      return {
        longest_hold_ms: longest_ms,
        neighbour_p99_ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        failures,
        peak_rss,
        slowdown,
        cpu_slowdown,
      };
    },
    async holdOf(load) {
      await probe();
      await load();
      const { longest_ms, cpu_slowdown } = await probe();
      return { longest_hold_ms: longest_ms, cpu_slowdown };
    },
    async close() {
      await server.end("SIGTERM");
      home.remove();
    },
  };
}
