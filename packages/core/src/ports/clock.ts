/** The only source of time. */
export interface Clock {
  now(): Date;
  /** Calls `run` once after that many milliseconds of monotonic time; the returned function cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The system clock: wall time for `now`, monotonic time for `after`. */
export const systemClock: Clock = {
  now: () => new Date(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
