import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** What a server holds at one moment. Linux only. */
export interface Footprint {
  rss_mb: number;
  /** Open files and sockets. */
  handles: number;
  threads: number;
  /** The write-ahead log of its database. */
  wal_mb: number;
}

/** Reads what a process holds, and the log of the database in its folder. */
export function readFootprint(pid: number, data_dir: string): Footprint {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const numberOf = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? Number.NaN);
  return {
    rss_mb: Math.round(numberOf("VmRSS") / 1024),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberOf("Threads"),
    wal_mb: Math.round(
      (statSync(join(data_dir, "letterslot.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / 1_048_576,
    ),
  };
}

/**
 * What doesn't come back after load: sentences, none when all is well. `rests` are taken after each round,
 * the oldest first.
 */
export function findGrowth(rests: readonly Footprint[]): string[] {
  // The first round compiles code and fills caches that stay.
  const [first, ...later] = rests.slice(1);
  const last = later.at(-1);
  if (first === undefined || last === undefined)
    return ["There were fewer than three rounds, which says nothing."];
  const lowest = Math.min(...later.slice(-2).map(({ rss_mb }) => rss_mb));
  return [
    ...(lowest > first.rss_mb * allowedGrowth + allowedMegabytes
      ? [`Memory grew from ${first.rss_mb} to ${lowest} MB.`]
      : []),
    ...(last.handles > first.handles + allowedHandles
      ? [`Handles grew from ${first.handles} to ${last.handles}.`]
      : []),
    ...(last.threads > first.threads + allowedThreads
      ? [`Threads grew from ${first.threads} to ${last.threads}.`]
      : []),
    ...(last.wal_mb > allowedWalMegabytes ? [`The write-ahead log is still ${last.wal_mb} MB long.`] : []),
  ];
}

const allowedGrowth = 1.15;
const allowedMegabytes = 25;
/** Connections that clients keep open a little. */
const allowedHandles = 20;
const allowedThreads = 4;
const allowedWalMegabytes = 64;
