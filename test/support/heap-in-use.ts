import type { ServerProcess } from "./server-process.ts";
import { until } from "./until.ts";

const PREFIX = "heap in use: ";
const ON_SIGNAL = `process.on("SIGUSR2", () => { gc(); console.log("${PREFIX}" + process.memoryUsage().heapUsed); });`;

/** NODE_OPTIONS for a server, as `readHeapInUse` requires. */
export const REPORT_HEAP_OPTION = `--expose-gc --import=data:text/javascript,${encodeURIComponent(ON_SIGNAL)}`;

/** Makes a server collect garbage and returns its remaining heap in megabytes. */
export async function readHeapInUse(server: ServerProcess): Promise<number> {
  const countReports = () => server.output().split(PREFIX).length;
  const before = countReports();
  process.kill(server.pid, "SIGUSR2");
  await until("the server to report its heap", () => countReports() > before);
  return Math.round(Number.parseInt(server.output().split(PREFIX).at(-1) ?? "", 10) / 1_048_576);
}
