import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";

/**
 * Runs `index.ts` of an example's folder, or another program there, as a process. `line` resolves to the next line that it prints, and
 * rejects if it exits first.
 */
export function startExample(folder: string, env: Record<string, string>, file = "index.ts") {
  const child = spawn(process.execPath, [join(folder, file)], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const ended = exited.then(([code]) => Promise.reject(new Error(`the program ended with ${code}`)));
  ended.catch(() => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    exited,
    line: async () => (await Promise.race([lines.next(), ended])).value as string,
    /** Sends SIGTERM and resolves to the exit code and signal. */
    stop: () => {
      child.kill("SIGTERM");
      return exited;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
