import { renameSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/**
 * Preloaded into a server process (NODE_OPTIONS=--import): writes to the file LOOP_WATCH, ten times a second,
 * the longest turn of its event loop so far in milliseconds of CPU time, as JSON. SIGUSR2 starts anew.
 */
function watchLoop(file: string): void {
  let longest_ms = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest_ms = Math.max(longest_ms, (user + system) / 1_000);
    before = process.threadCpuUsage();
    // Each turn of the loop runs it once; it does not keep the process alive.
    setTimeout(look, 0).unref();
  };
  look();
  process.on("SIGUSR2", () => {
    longest_ms = 0;
  });
  setInterval(() => {
    // Renamed, so that a reader never sees half of it.
    writeFileSync(`${file}.new`, JSON.stringify({ longest_ms }));
    renameSync(`${file}.new`, file);
  }, 100).unref();
}

const file = process.env["LOOP_WATCH"];
if (isMainThread && file !== undefined) watchLoop(file);
