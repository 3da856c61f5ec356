import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A program of the stack that runs in the foreground. */
export interface Service {
  /** The first of its processes: the others are its descendants. */
  pid: number;
  /** Stops it gracefully; resolves when it has ended. */
  end(): Promise<void>;
}

const PATIENCE_MS = 10_000;

/** Starts a program. Its output is not shown: each writes a log of its own. */
export function startService(
  program: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Service {
  const child: ChildProcess = spawn(program, args, {
    cwd: "/",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...environment },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  return {
    pid: child.pid ?? 0,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      const impatient = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
      await ended;
      clearTimeout(impatient);
    },
  };
}

/**
 * Has processes end at the latest when this one does, even if it is killed. Returns how to stop watching, once they
 * have ended.
 */
export function endWithThisProcess(pids: readonly number[]): () => void {
  const watch = `while kill -0 ${process.pid} 2>/dev/null; do sleep 1; done; kill ${pids.join(" ")}`;
  const watcher = spawn("/bin/sh", ["-c", watch], { detached: true, stdio: "ignore" });
  watcher.unref();
  return () => void watcher.kill();
}
