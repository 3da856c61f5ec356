import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** The resources a server holds at a moment. Linux only. */
export interface Footprint {
  rss_mb: number;
  /** Open files and sockets. */
  handles: number;
  threads: number;
  /** The size of its database's write-ahead log. */
  wal_mb: number;
}

/** Reads the resources of a process, and the log size of the database in its folder. */
export function readFootprint(pid: number, data_dir: string): Footprint {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const readNumber = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? Number.NaN);
  return {
    rss_mb: Math.round(readNumber("VmRSS") / 1024),
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: readNumber("Threads"),
    wal_mb: Math.round(
      (statSync(join(data_dir, "letterslot.db-wal"), { throwIfNoEntry: false })?.size ?? 0) / 1_048_576,
    ),
  };
}

/** Describes resources that are not released after load. `rests` are measured after each round, oldest first. */
export function findGrowth(rests: readonly Footprint[]): string[] {
  // The first round compiles code and fills caches.
  const [first, ...later] = rests.slice(1);
  const last = later.at(-1);
  if (first === undefined || last === undefined)
    return ["There were fewer than three rounds, which is not enough."];
  const lowest = Math.min(...later.slice(-2).map(({ rss_mb }) => rss_mb));
  return [
    ...(lowest > first.rss_mb * ALLOWED_GROWTH + ALLOWED_MEGABYTES
      ? [`Memory grew from ${first.rss_mb} to ${lowest} MB.`]
      : []),
    ...(last.handles > first.handles + ALLOWED_HANDLES
      ? [`Handles grew from ${first.handles} to ${last.handles}.`]
      : []),
    ...(last.threads > first.threads + ALLOWED_THREADS
      ? [`Threads grew from ${first.threads} to ${last.threads}.`]
      : []),
    ...(last.wal_mb > ALLOWED_WAL_MEGABYTES ? [`The write-ahead log is still ${last.wal_mb} MB long.`] : []),
  ];
}

const ALLOWED_GROWTH = 1.15;
const ALLOWED_MEGABYTES = 25;
/** Connections that clients keep alive for a while. */
const ALLOWED_HANDLES = 20;
const ALLOWED_THREADS = 4;
const ALLOWED_WAL_MEGABYTES = 64;
