import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

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

/**
 * The growth of the heap, in percent, that triggers a collection in a process of one command. By default V8 would let it
 * grow three times over; at a fifth of this value, collection takes a good part of the work.
 */
const HEAP_GROWTH_PERCENT = 50;

/** Limits the heap of a process that runs one command alone. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`);
}

const LOOK_EVERY_MS = 2_000;
/** Less garbage than this isn't worth a collection, which holds the event loop for some 20 ms. */
const WORTH_BYTES = 12 * 1024 * 1024;
/** A process whose memory changes by more between two looks is at work, and V8 collects by itself. */
const QUIET_BYTES = 4 * 1024 * 1024;

/**
 * Collects garbage once the process is idle after large work. V8 starts by itself only when the next 64 MB of large bytes
 * are allocated: until then a mail of 25 MB would stay in memory.
 */
export function returnMemory(): void {
  // Only a context that is made while the flag is set has the function.
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  setFlagsFromString("--no-expose-gc");
  let kept = usedBytes();
  let before = kept;
  const look = () => {
    const now = usedBytes();
    const is_quiet = Math.abs(now - before) < QUIET_BYTES;
    if (is_quiet && now > kept + WORTH_BYTES) {
      collect();
      kept = usedBytes();
    }
    before = usedBytes();
    kept = Math.min(kept, before);
  };
  setInterval(look, LOOK_EVERY_MS).unref();
}

function usedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
