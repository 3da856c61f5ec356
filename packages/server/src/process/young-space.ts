import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * The size of each of the young generation's two semi-spaces. V8 would let them grow to 64 MB under load and
 * never shrinks them; beyond this size mail is processed no faster.
 */
const SEMI_SPACE_BYTES = 8 * 1024 * 1024;

/**
 * Limits the young generation in this thread and its workers, by allowing or preventing growth after each GC.
 */
export function limitYoungSpace(): void {
  allowGrowth();
  new PerformanceObserver(allowGrowth).observe({ entryTypes: ["gc"] });
}

function allowGrowth(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  // The maximum size can only be set before the process starts; V8 reads the growth factor each time.
  setFlagsFromString(`--semi-space-growth-factor=${(young?.space_size ?? 0) < 2 * SEMI_SPACE_BYTES ? 2 : 1}`);
}
