import { setImmediate } from "node:timers/promises";

/** The longest time that work may hold the event loop before others get their turn. */
const TURN_MS = 10;

/** Does all steps at once and returns their result. */
export function drained<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the steps one after the other and returns their result; other work gets its turn in between. */
export async function besideOthers<T>(steps: Generator<undefined, T>): Promise<T> {
  for (let began = performance.now(); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    if (performance.now() - began < TURN_MS) continue;
    await setImmediate();
    began = performance.now();
  }
}
