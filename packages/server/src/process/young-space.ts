import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * The room for young objects in each of their two halves. V8 would let it grow to 64 MB under load and keeps
 * it for good; with more than this a mail costs no less.
 */
const HALF_BYTES = 8 * 1024 * 1024;

/**
 * Keeps the space for young objects small, in this thread and those it starts. After each collection it may
 * double, or not.
 */
export function limitYoungSpace(): void {
  allowGrowth();
  new PerformanceObserver(allowGrowth).observe({ entryTypes: ["gc"] });
}

function allowGrowth(): void {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  // The size at the start of the process can't be told from within; V8 reads this one each time.
  setFlagsFromString(`--semi-space-growth-factor=${(young?.space_size ?? 0) < 2 * HALF_BYTES ? 2 : 1}`);
}
