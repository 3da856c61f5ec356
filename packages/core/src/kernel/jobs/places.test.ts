import { expect, test } from "vitest";
import {
  begin,
  claimEarly,
  emptyPlaces,
  endLook,
  freeOf,
  giveBack,
  type Places,
  stop,
  wake,
} from "./places.ts";

/** A worker and everything around it, reduced to numbers. */
interface World {
  places: Places;
  /** Jobs that are due and that nobody has. */
  due: number;
  running: number;
  /** Places claimed for transactions under way. */
  early: number;
  /** How many jobs the look under way asked for; null before it asks. */
  asked: number | null;
}

const SIZE = 2;
const MOST_DUE = 3;
const start: World = { places: emptyPlaces(SIZE), due: 0, running: 0, early: 0, asked: null };

/** Everything that can happen next, in any order. */
function stepsFrom(world: World): World[] {
  const { places, due, running, early, asked } = world;
  const next: World[] = [];
  if (due < MOST_DUE) next.push({ ...world, due: due + 1, places: wake(places) });
  const claimed = claimEarly(places, 1);
  if (claimed !== undefined) next.push({ ...world, places: claimed, early: early + 1 });
  if (early > 0) {
    // The transaction failed, or was committed.
    next.push({ ...world, early: early - 1, places: giveBack(places, 1) });
    next.push({ ...world, early: early - 1, running: running + 1 });
  }
  if (running > 0) next.push({ ...world, running: running - 1, places: giveBack(places, 1) });
  if (places.looking && asked === null) {
    if (freeOf(places) > 0) next.push({ ...world, asked: freeOf(places) });
    else next.push({ ...world, places: endLook(places, false) });
  }
  if (asked !== null) {
    const found = Math.min(due, asked);
    const after = { ...world, asked: null, due: due - found, running: running + found };
    if (found > 0) next.push({ ...after, places: begin(places, found) });
    else next.push({ ...after, places: endLook(places, true) });
  }
  return next;
}

function everyWorld(): World[] {
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const world of seen.values())
    for (const next of stepsFrom(world)) {
      const name = JSON.stringify(next);
      if (!seen.has(name)) seen.set(name, next);
    }
  return [...seen.values()];
}

test("in no order of events does a due job wait for nothing", () => {
  const worlds = everyWorld();
  expect(worlds.length).toBeGreaterThan(200);
  const waiting = worlds.filter(
    ({ places, due, asked }) =>
      due > 0 && !places.looking && asked === null && !(places.short && places.taken > 0),
  );
  expect(waiting).toEqual([]);
});

test("as many places are taken as jobs are under way and claimed, and no more are claimed early than there are", () => {
  for (const { places, running, early } of everyWorld()) {
    expect(places.taken).toBe(running + early);
    const claimed = claimEarly(places, 1);
    if (claimed !== undefined) expect(claimed.taken).toBeLessThanOrEqual(SIZE);
  }
});

test("older jobs that wait for a place get it before new ones claim it early", () => {
  const full = begin(emptyPlaces(SIZE), SIZE);
  const short = endLook(wake(full), false);
  expect(short.looking).toBe(false);
  const given = giveBack(short, 1);
  expect(given.looking).toBe(true);
  expect(claimEarly(given, 1)).toBeUndefined();
  expect(claimEarly(endLook(given, true), 1)).toBeDefined();
});

test("a worker that was stopped begins nothing", () => {
  const stopped = stop(emptyPlaces(SIZE));
  expect(wake(stopped).looking).toBe(false);
  expect(claimEarly(stopped, 1)).toBeUndefined();
  expect(endLook({ ...stop(wake(wake(emptyPlaces(SIZE)))) }, false).looking).toBe(false);
});
