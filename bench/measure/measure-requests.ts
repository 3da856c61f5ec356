import type { calls, HttpLoad } from "../load/http-load.ts";
import { readTreeCpu } from "./process-cost.ts";
import type { Program } from "./program.ts";
import type { Round } from "./rounds.ts";

/** Runs one round of HTTP requests and measures the CPU of the server's processes. */
export async function measureRequests(
  load: Program<typeof calls>,
  pid: number | readonly number[],
  request: HttpLoad,
): Promise<Round & { latencies: number[]; bytes: number }> {
  const before = readTreeCpu([pid].flat());
  const answered = await load.call("run", request);
  const after = readTreeCpu([pid].flat());
  return { ...answered, cpu_us: before === undefined || after === undefined ? undefined : after - before };
}
