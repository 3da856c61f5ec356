import { readdirSync, readFileSync } from "node:fs";

/** Microseconds per clock tick in /proc: 100 ticks a second on every Linux that Node supports. */
const TICK_US = 10_000;

/** CPU time of a process with its threads, in microseconds; undefined without /proc. */
export function readCpu(pid: number): number | undefined {
  const fields = readStat(pid);
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** CPU time of each of a process's threads in microseconds, by the thread's number and name; empty without /proc. */
export function readThreadCpu(pid: number): Map<string, number> {
  const threads = listFolder(`/proc/${pid}/task`).map((tid) => {
    const text = readText(`/proc/${pid}/task/${tid}/stat`);
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    return [`${tid} ${name}`, (Number(fields[11]) + Number(fields[12])) * TICK_US] as const;
  });
  return new Map(threads);
}

/** Starts counting this process's CPU time; the returned function gives the microseconds used since. */
export function startCpuTimer(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
}

/** CPU time of processes with all their descendants, living or waited for, in microseconds; undefined without /proc. */
export function readTreeCpu(roots: readonly number[]): number | undefined {
  const each = listTree(roots).map((pid) => readStat(pid));
  if (each.every((fields) => fields === undefined)) return undefined;
  // utime, stime, and those of children that were waited for.
  const ticks = each.map((fields) => sum([11, 12, 13, 14].map((at) => Number(fields?.[at] ?? 0))));
  return sum(ticks) * TICK_US;
}

/**
 * Returns the bytes that processes and all their descendants have caused to be written to disk; undefined without
 * /proc. A child's bytes are added to its parent's once the parent has waited for it.
 */
export function readTreeWrites(roots: readonly number[]): number | undefined {
  const each = listTree(roots).flatMap((pid) => readMatch(`/proc/${pid}/io`, /^write_bytes: (\d+)/m) ?? []);
  return each.length === 0 ? undefined : sum(each);
}

/** The processes and all their living descendants. */
function listTree(roots: readonly number[]): number[] {
  const found = [...roots];
  for (const pid of found) {
    for (const task of listFolder(`/proc/${pid}/task`))
      found.push(...readText(`/proc/${pid}/task/${task}/children`).split(" ").filter(Boolean).map(Number));
  }
  return found;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Resident memory of a process in MB, which includes the parts of mapped files; undefined without /proc. */
export const readResidentMb = (pid: number): number | undefined => readMemoryMb(pid, "VmRSS");

/**
 * The part of a process's resident memory that is its own, in MB: heaps and stacks, not mapped files, which the
 * system can drop at any time. Undefined without /proc.
 */
export const readAnonymousMb = (pid: number): number | undefined => readMemoryMb(pid, "RssAnon");

function readMemoryMb(pid: number, field: string): number | undefined {
  const kb = readMatch(`/proc/${pid}/status`, new RegExp(`^${field}:\\s+(\\d+)`, "m"));
  return kb === undefined ? undefined : kb / 1024;
}

function readMatch(path: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(readText(path))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** A file's text; empty if it is gone, as a process's is when it has ended. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/** The fields after the name in /proc/…/stat (the name may contain spaces): state, parent, … */
function readStat(pid: number): string[] | undefined {
  const text = readText(`/proc/${pid}/stat`);
  return text === "" ? undefined : text.slice(text.lastIndexOf(")") + 2).split(" ");
}
