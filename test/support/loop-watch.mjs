/**
 * Preloaded into a server process (NODE_OPTIONS=--import): writes to the file LOOP_WATCH, ten times a second,
 * the longest turn of its event loop so far in milliseconds of CPU time, as JSON. SIGUSR2 starts anew.
 */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env.LOOP_WATCH;
if (isMainThread && file !== undefined && file !== "") {
  let longest_ms = 0;
  let before = process.threadCpuUsage();
  const watch = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest_ms = Math.max(longest_ms, (user + system) / 1_000);
    before = process.threadCpuUsage();
    // As a timer is due at once, each turn of the loop runs it once; it doesn't keep the process alive.
    setTimeout(watch, 0).unref();
  };
  watch();
  process.on("SIGUSR2", () => {
    longest_ms = 0;
  });
  setInterval(() => writeFileSync(file, JSON.stringify({ longest_ms })), 100).unref();
}
