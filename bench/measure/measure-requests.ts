import type { calls, HttpLoad } from "../load/http-load.ts";
import { readCpu } from "./process-cost.ts";
import type { Program } from "./program.ts";
import type { Round } from "./rounds.ts";

/** Runs one round of HTTP requests and measures the CPU of the server process. */
export async function measureRequests(
  load: Program<typeof calls>,
  pid: number,
  request: HttpLoad,
): Promise<Round & { latencies: number[]; bytes: number }> {
  const before = readCpu(pid);
  const answered = await load.call("run", request);
  const after = readCpu(pid);
  return { ...answered, cpu_us: before === undefined || after === undefined ? undefined : after - before };
}
