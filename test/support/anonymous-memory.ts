import { readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { expect } from "vitest";

/** On a busy machine, work takes longer, and so does what runs in its pauses. */
const TRIES = 3;
const KEPT_MB = 20;
const BACK_WITHIN_MS = 10_000;
const LOOK_MS = 100;
/** Longer than an idle process waits before it collects garbage. */
const QUIET_MS = 5_000;

/** What work takes of anonymous memory at its peak, and what of it is left. */
interface TakenMemory {
  before_mb: number;
  peak_mb: number;
  kept_mb: number;
}

/** The anonymous memory of a process (heaps and buffers, which a container's limit counts), in MB: `RssAnon`. */
const anonymousMb = (pid: number): number =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Waits until a process's memory falls no further. */
export async function settledMemory(pid: number): Promise<void> {
  let least = anonymousMb(pid);
  for (let end = performance.now() + QUIET_MS; performance.now() < end; await after(LOOK_MS)) {
    const now = anonymousMb(pid);
    if (now < least - 1) [least, end] = [now, performance.now() + QUIET_MS];
  }
}

/** What work takes at its peak, and what of it is left as soon as it is little, or after 10 s. */
async function memoryOf(pid: number, work: () => Promise<unknown>): Promise<TakenMemory> {
  const before = anonymousMb(pid);
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, anonymousMb(pid));
  }, 10);
  await work();
  for (
    const end = performance.now() + BACK_WITHIN_MS;
    anonymousMb(pid) - before > KEPT_MB && performance.now() < end;
    await after(LOOK_MS)
  );
  clearInterval(watch);
  return { before_mb: before, peak_mb: peak - before, kept_mb: anonymousMb(pid) - before };
}

/** Expects that work takes at most so much, and gives all but 20 MB, or `kept_mb`, back in 10 s: in one of three tries. */
export async function expectMemory(
  pid: number,
  bound_mb: number,
  work: () => Promise<unknown>,
  kept_mb = KEPT_MB,
): Promise<void> {
  const isWithin = (taken: TakenMemory) => taken.peak_mb <= bound_mb && taken.kept_mb <= kept_mb;
  let memory = await memoryOf(pid, work);
  for (let tries = 1; tries < TRIES && !isWithin(memory); tries++) memory = await memoryOf(pid, work);
  const [before, peak, kept] = [memory.before_mb, memory.peak_mb, memory.kept_mb].map((mb) => mb.toFixed(0));
  console.log(`  at most ${peak} MB more than ${before}, ${kept} MB kept`);
  expect(memory.peak_mb).toBeLessThanOrEqual(bound_mb);
  expect(memory.kept_mb).toBeLessThanOrEqual(kept_mb);
}
