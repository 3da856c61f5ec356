import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("due-jobs-worker.ts", import.meta.url));

/** Starts a process that does due jobs whenever the answered function is called; `undo` gets what ends it. */
export async function startDueJobsWorker(
  undo: (() => unknown)[],
  args: string[],
): Promise<() => Promise<string>> {
  const child: ChildProcess = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  undo.push(() => {
    child.stdin?.end();
    return ended;
  });
  if (child.stdout === null) throw new Error("the worker has no output");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  if ((await next()) !== "ready") throw new Error("the worker did not start");
  return async () => {
    child.stdin?.write("go\n");
    return next();
  };
}
