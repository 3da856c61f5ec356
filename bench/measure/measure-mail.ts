import type { calls } from "../load/smtp-load.ts";
import { readTreeCpu } from "./process-cost.ts";
import type { Program } from "./program.ts";
import type { Round } from "./rounds.ts";

/**
 * Runs one round of SMTP mail, of `count` mails at most, and measures the CPU of the server's processes. Throws if a
 * mail is refused.
 */
export async function measureMail(
  load: Program<typeof calls>,
  target: { pid: number | readonly number[]; port: number | readonly number[]; connections: number },
  ms: number,
  count?: number,
): Promise<Round & { bytes: number }> {
  const { pid, port, connections } = target;
  const before = readTreeCpu([pid].flat());
  const { refused, ...round } = await load.call("run", {
    port,
    connections,
    ms,
    ...(count !== undefined && { count }),
  });
  const after = readTreeCpu([pid].flat());
  if (refused.length > 0) throw new Error(`${refused.length} mails were refused, with ${refused[0]}`);
  return { ...round, cpu_us: before === undefined || after === undefined ? undefined : after - before };
}
