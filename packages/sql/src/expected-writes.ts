import type { Announcement } from "@letterslot/core";

/** Announced writes that are not queued yet. */
export interface ExpectedWrites {
  /** Announces a write. It is expected until it is withdrawn, except while it is suspended. */
  announce(): Announcement;
  /** How many are expected. */
  count(): number;
  /** The number of the newest announcement. */
  newest(): number;
  /** Whether at least `count` writes are expected that were announced up to the one of this number. */
  areAtLeast(count: number, up_to: number): boolean;
}

/** Keeps track of announced writes; `onFewer` is called whenever one is no longer expected. */
export function createExpectedWrites(onFewer: () => void): ExpectedWrites {
  const expected = new Set<number>();
  let newest = 0;

  return {
    announce() {
      const number = ++newest;
      let over = false;
      const suspend = () => {
        if (expected.delete(number)) onFewer();
      };
      expected.add(number);
      return {
        suspend,
        resume() {
          if (!over) expected.add(number);
        },
        withdraw() {
          over = true;
          suspend();
        },
      };
    },
    count: () => expected.size,
    newest: () => newest,
    areAtLeast(count, up_to) {
      let found = 0;
      for (const number of expected) if (number <= up_to && ++found >= count) return true;
      return false;
    },
  };
}
