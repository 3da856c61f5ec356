/** The only source of time. */
export interface Clock {
  now(): Date;
  /** Calls `run` once after so many milliseconds of steady time; the answered function calls it off. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The clock of this machine: wall time for `now`, steady time for `after`. */
export const systemClock: Clock = {
  now: () => new Date(),
  after(milliseconds, run) {
    const timer = setTimeout(run, milliseconds);
    return () => clearTimeout(timer);
  },
};
