import { existsSync, readFileSync, writeFileSync } from "node:fs";

/**
 * Loaded into a server process with `--import`: measures the longest time that its main thread computed without
 * a pause, in milliseconds of CPU time; its largest memory in bytes; and how much slower it was than alone on the
 * machine for which the proofs state their bounds, in time and in CPU time. On SIGUSR2 it writes them to the file that LOOP_PROBE names, and
 * begins again.
 */
const INTERVAL_MS = 2;
/** Reading it takes longer than all else that a look does. */
const MEMORY_INTERVAL_MS = 50;
/** A fixed piece of work, and the time that it takes on that machine. */
const YARDSTICK = JSON.stringify(
  Array.from({ length: 40_000 }, (_, number) => ({
    id: `msg_${number}`,
    number,
    text: `The quick fox ${number}`,
  })),
);
const YARDSTICK_MS = 8;
const YARDSTICK_TRIES = 5;
const path = process.env["LOOP_PROBE"];

let longest_ms = 0;
let peak_rss = 0;
let before = process.threadCpuUsage();

function look(): void {
  const { user, system } = process.threadCpuUsage(before);
  before = process.threadCpuUsage();
  longest_ms = Math.max(longest_ms, (user + system) / 1_000);
}

function lookAtMemory(): void {
  peak_rss = Math.max(peak_rss, process.memoryUsage.rss());
}

/** The main thread's time on a processor and its time of waiting for one, in nanoseconds (Linux only). */
function schedule(): { ran: number; waited: number } {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  if (!existsSync(file)) return { ran: 1, waited: 0 };
  const [ran = 1, waited = 0] = readFileSync(file, "utf8").split(" ").map(Number);
  return { ran, waited };
}

let start = schedule();

/** How much longer it took, because other programs had the processor. */
function waiting(): number {
  const now = schedule();
  const ran = Math.max(1, now.ran - start.ran);
  return (ran + now.waited - start.waited) / ran;
}

/** How much slower the processor is. */
function cpuSlowdown(): number {
  const times = Array.from({ length: YARDSTICK_TRIES }, () => {
    const began = performance.now();
    JSON.parse(YARDSTICK);
    return performance.now() - began;
  });
  return Math.max(1, Math.min(...times) / YARDSTICK_MS);
}

if (path !== undefined) {
  setInterval(look, INTERVAL_MS).unref();
  setInterval(lookAtMemory, MEMORY_INTERVAL_MS).unref();
  process.on("SIGUSR2", () => {
    look();
    lookAtMemory();
    const waited = waiting();
    const cpu_slowdown = cpuSlowdown();
    writeFileSync(
      path,
      JSON.stringify({ longest_ms, peak_rss, cpu_slowdown, slowdown: waited * cpu_slowdown }),
    );
    before = process.threadCpuUsage();
    longest_ms = 0;
    peak_rss = 0;
    start = schedule();
  });
}
