import type { Readable } from "node:stream";

/** The bytes that all bodies together may bring in one turn of the event loop before they have to wait. */
const BYTES_PER_TURN = 512 * 1024;
/** The number of waiting bodies that resume in each turn; each brings 64 KB or more. */
const BODIES_PER_TURN = 8;

let bytes = 0;
let scheduled = false;
const paused = new Set<Readable>();

/**
 * Counts bytes that a body has brought, and lets it wait for a later turn of the event loop once all bodies
 * have brought 512 KB in this one: Node would read two megabytes of each connection before it looks elsewhere.
 */
export function pace(body: Readable, count: number): void {
  bytes += count;
  schedule();
  if (bytes < BYTES_PER_TURN) return;
  body.pause();
  paused.add(body);
}

/** Forgets a body that is no longer read. */
export function leavePace(body: Readable): void {
  paused.delete(body);
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(nextTurn);
}

function nextTurn(): void {
  bytes = 0;
  scheduled = false;
  for (const body of [...paused].slice(0, BODIES_PER_TURN)) {
    paused.delete(body);
    body.resume();
  }
  if (paused.size > 0) schedule();
}
