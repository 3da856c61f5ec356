import { readFileSync } from "node:fs";

/** Microseconds in one tick of /proc's clocks: 100 a second on every Linux that Node runs on. */
const TICK_US = 10_000;

/**
 * CPU time that a process and its threads have used so far, in microseconds; undefined where there is no
 * /proc.
 */
export function cpuOf(pid: number): number | undefined {
  const fields = statOf(pid);
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/**
 * Begins to count the CPU time of this process; the answer says how much it has used since then, in
 * microseconds.
 */
export function cpuSince(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

/** Resident memory of a process in MB; undefined where there is no /proc. */
export function residentMb(pid: number): number | undefined {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

/** What follows the name in /proc/…/stat (the name may hold blanks): state, parent, … */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
