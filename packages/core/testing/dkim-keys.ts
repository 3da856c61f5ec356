import { generateDkimKey } from "../src/kernel/addresses/dkim-key.ts";

/** More than the domains that one test compares. */
const KEYS = 8;
const made: Promise<string>[] = [];
let given = 0;

/**
 * A DKIM key for a test's domain: a real one, but of few that take turns in this process, because making one takes
 * longer than most tests.
 */
export function dkimKeyInTurn(): Promise<string> {
  const turn = given++ % KEYS;
  made[turn] ??= generateDkimKey();
  return made[turn];
}
