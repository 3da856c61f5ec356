import type { calls } from "../load/smtp-load.ts";
import { cpuOf } from "./process-cost.ts";
import type { Program } from "./program.ts";
import type { Round } from "./rounds.ts";

/**
 * One round of mail for a process that listens for SMTP, with what it cost that process. A mail that is
 * refused ends the run.
 */
export async function handIn(
  load: Program<typeof calls>,
  target: { pid: number; port: number; connections: number },
  ms: number,
): Promise<Round & { bytes: number }> {
  const { pid, port, connections } = target;
  const before = cpuOf(pid);
  const { refused, ...round } = await load.call("run", { port, connections, ms });
  const after = cpuOf(pid);
  if (refused.length > 0) throw new Error(`${refused.length} mails were refused, with ${refused[0]}`);
  return { ...round, cpu_us: before === undefined || after === undefined ? undefined : after - before };
}
