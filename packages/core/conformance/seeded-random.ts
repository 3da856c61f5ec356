/** Random numbers that are the same for the same seed (mulberry32). */
export interface SeededRandom {
  /** From 0 up to but excluding 1. */
  next(): number;
  /** An integer below the bound. */
  below(bound: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** Creates a random number generator from a seed. */
export function createRandom(seed: number): SeededRandom {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return { next, below, pick: <T>(choices: readonly T[]) => choices[below(choices.length)] as T };
}
