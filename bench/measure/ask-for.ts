import type { calls, HttpLoad } from "../load/http-load.ts";
import { cpuOf } from "./process-cost.ts";
import type { Program } from "./program.ts";
import type { Round } from "./rounds.ts";

/** One round of requests against a process, with what it cost that process. */
export async function askFor(
  load: Program<typeof calls>,
  pid: number,
  request: HttpLoad,
): Promise<Round & { latencies: number[]; bytes: number }> {
  const before = cpuOf(pid);
  const answered = await load.call("run", request);
  const after = cpuOf(pid);
  return { ...answered, cpu_us: before === undefined || after === undefined ? undefined : after - before };
}
