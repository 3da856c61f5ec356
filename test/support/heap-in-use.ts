import type { ServerProcess } from "./server-process.ts";
import { until } from "./until.ts";

const tell = "heap in use: ";
const onSignal = `process.on("SIGUSR2", () => { gc(); console.log("${tell}" + process.memoryUsage().heapUsed); });`;

/** NODE_OPTIONS of a server that can be asked by `heapInUse`. */
export const REPORT_HEAP_OPTION = `--expose-gc --import=data:text/javascript,${encodeURIComponent(onSignal)}`;

/** Lets a server collect its garbage and answers what is left, in megabytes. */
export async function readHeapInUse(server: ServerProcess): Promise<number> {
  const told = () => server.output().split(tell).length;
  const before = told();
  process.kill(server.pid, "SIGUSR2");
  await until("the server to tell its heap", () => told() > before);
  return Math.round(Number.parseInt(server.output().split(tell).at(-1) ?? "", 10) / 1_048_576);
}
