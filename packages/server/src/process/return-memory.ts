import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

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
