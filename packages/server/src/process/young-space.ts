import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * The sizes of each of the young generation's two semi-spaces. V8 would let them grow to 64 MB under load and never
 * shrinks them. With SQLite twice as much saves 4 % of a mail's CPU, but then its cache doesn't fit beside it in the memory that a
 * flood may take. With PostgreSQL this process has no such cache.
 */
const SEMI_SPACE_BYTES = { usual: 8 * 1024 * 1024, beside_postgres: 32 * 1024 * 1024 };

let limit_bytes = SEMI_SPACE_BYTES.usual;

/**
 * The size, in MB, with which a worker's semi-spaces begin, up to the limit of that worker. They would begin with 1 MB
 * and stay there once this thread's have grown: the thread that reads mail would collect garbage with each.
 */
const WORKER_SEMI_SPACE_MB = 4;

/**
 * Limits the young generation in this thread, by allowing or preventing growth after each GC, and gives that of workers
 * its size from the start.
 */
export function limitYoungSpace(): void {
  setFlagsFromString(`--min-semi-space-size=${WORKER_SEMI_SPACE_MB}`);
  // What once outlived a GC, as many a mail's parts do that were under way, V8 would make old from then on: its garbage
  // then takes a GC of all that lives.
  setFlagsFromString("--no-allocation-site-pretenuring");
  allowGrowth();
  new PerformanceObserver(allowGrowth).observe({ entryTypes: ["gc"] });
}

/** Lets the young generation grow further, for a process whose database is PostgreSQL. */
export function raiseYoungSpaceLimit(): void {
  limit_bytes = SEMI_SPACE_BYTES.beside_postgres;
}

function allowGrowth(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  // The maximum size can only be set before the process starts; V8 reads the growth factor each time.
  setFlagsFromString(`--semi-space-growth-factor=${(young?.space_size ?? 0) < 2 * limit_bytes ? 2 : 1}`);
}
