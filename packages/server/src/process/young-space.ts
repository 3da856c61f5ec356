import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * The size of each of the young generation's two semi-spaces. V8 would let them grow to 64 MB under load and never
 * shrinks them: beside sixteen hostile senders, that goes beyond the memory that a flood may take.
 */
const SEMI_SPACE_BYTES = 8 * 1024 * 1024;

/**
 * The size, in MB, with which a worker's semi-spaces begin, up to that worker's own limit. Where this thread prevents
 * growth, they would stay at 1 MB, and the thread that reads mail would take three times as long for its GC.
 */
const WORKER_SEMI_SPACE_MB = 4;

/** Limits the young generation in this thread, by allowing or preventing growth after each GC. */
export function limitYoungSpace(): void {
  setFlagsFromString(`--min-semi-space-size=${WORKER_SEMI_SPACE_MB}`);
  allowGrowth();
  new PerformanceObserver(allowGrowth).observe({ entryTypes: ["gc"] });
}

function allowGrowth(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  // The maximum size can only be set before the process starts; V8 reads the growth factor each time.
  const factor = (young?.space_size ?? 0) < 2 * SEMI_SPACE_BYTES ? 2 : 1;
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
