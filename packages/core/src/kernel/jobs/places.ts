/** Which places of a worker are taken, and whether it is looking for due jobs. */
export interface Places {
  readonly size: number;
  /** Jobs under way and places claimed early; more than `size` if a job begins while all are claimed early. */
  readonly taken: number;
  /** Due jobs may wait for a place: a look ended because none was free. */
  readonly short: boolean;
  readonly looking: boolean;
  /** Something happened during the look, so another one follows it. */
  readonly again: boolean;
  readonly stopped: boolean;
}

/** The places of a worker that has nothing to do yet. */
export const emptyPlaces = (size: number): Places => ({
  ...{ size, taken: 0 },
  ...{ short: false, looking: false, again: false, stopped: false },
});

export const freeOf = ({ size, taken }: Places): number => Math.max(0, size - taken);

/** Asks for a look, because work may have become due: it begins now, or after the one under way. */
export function wake(places: Places): Places {
  if (places.stopped) return places;
  return places.looking ? { ...places, again: true } : { ...places, looking: true };
}

/** Takes places for jobs that have begun. */
export const begin = (places: Places, count: number): Places => ({ ...places, taken: places.taken + count });

/** Takes places for jobs that are about to be written; undefined without so many, or when older jobs wait for them. */
export function claimEarly(places: Places, count: number): Places | undefined {
  if (places.stopped || places.short || places.taken + count > places.size) return undefined;
  return begin(places, count);
}

/** Gives places back, and asks for a look if due jobs may have waited for them. */
export function giveBack(places: Places, count: number): Places {
  const given = { ...places, taken: places.taken - count };
  return given.short ? wake(given) : given;
}

/**
 * Ends the look: with `all` when it saw every job that is due, otherwise for want of a place. A look that something
 * asked for meanwhile begins at once.
 */
export function endLook(places: Places, all: boolean): Places {
  // A place may have come free while the last jobs were claimed.
  const more = !all && freeOf(places) > 0;
  const looking = !places.stopped && (places.again || more);
  return { ...places, looking, again: false, short: !all && !more };
}

/** No job begins any more. */
export const stop = (places: Places): Places => ({ ...places, stopped: true });
