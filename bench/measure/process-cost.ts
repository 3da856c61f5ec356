import { readFileSync } from "node:fs";

/** Microseconds per clock tick in /proc: 100 ticks a second on every Linux that Node supports. */
const TICK_US = 10_000;

/** CPU time of a process with its threads, in microseconds; undefined without /proc. */
export function readCpu(pid: number): number | undefined {
  const fields = readStat(pid);
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Starts counting this process's CPU time; the returned function gives the microseconds used since. */
export function startCpuTimer(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

/** Resident memory of a process in MB; undefined without /proc. */
export function readResidentMb(pid: number): number | undefined {
  try {
    const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

/** The fields after the name in /proc/…/stat (the name may contain spaces): state, parent, … */
function readStat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}
