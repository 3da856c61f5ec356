import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

/** The server, credentials and interval of the neighbour's requests. */
export interface NeighbourTask {
  url: string;
  api_key: string;
  interval_ms: number;
}

/** The latencies of its requests in milliseconds, and the statuses of failed ones. */
export interface NeighbourAnswer {
  latencies_ms: number[];
  failures: (number | string)[];
}

const { url, api_key, interval_ms } = workerData as NeighbourTask;
const agent = new Agent({ keepAlive: true });
const latencies_ms: number[] = [];
const failures: (number | string)[] = [];
let stopped = false;

const ask = () =>
  new Promise<void>((resolve) => {
    const start = performance.now();
    const done = (failure?: number | string) => {
      latencies_ms.push(performance.now() - start);
      if (failure !== undefined) failures.push(failure);
      resolve();
    };
    get(url, { agent, headers: { authorization: `Bearer ${api_key}` } }, (response) => {
      response.resume().on("end", () => done(response.statusCode === 200 ? undefined : response.statusCode));
    }).on("error", (error) => done(error.message));
  });

parentPort?.once("message", () => {
  stopped = true;
});
await ask(); // opens its connection
latencies_ms.length = 0;
parentPort?.postMessage("ready", []);
while (!stopped) {
  await ask();
  await new Promise((resolve) => setTimeout(resolve, interval_ms));
}
agent.destroy();
parentPort?.postMessage({ latencies_ms, failures } satisfies NeighbourAnswer, []);
