import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A process that does what each line asks it for. */
export interface Racer {
  /** Sends a line and resolves with what the process says of `subject`. */
  ask(subject: string, line: string): Promise<string>;
  stop(): Promise<unknown>;
}

/**
 * Starts a program, and resolves once it says `ready`; fails if it ends before. It answers each line with
 * the line's subject and what came of it.
 */
export async function startRacer(program: URL, args: readonly string[]): Promise<Racer> {
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const ready = Promise.withResolvers<void>();
  child.once("exit", (code) => ready.reject(new Error(`${program.href} ended with ${code}`)));
  // It also rejects at the end of a test, when nobody waits for it any more.
  ready.promise.catch(() => undefined);
  const outcomes = new Map<string, PromiseWithResolvers<string>>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const [subject = "", outcome = ""] = line.split(" ");
    if (subject === "ready") ready.resolve();
    outcomes.get(subject)?.resolve(outcome);
  });
  await ready.promise;
  return {
    ask(subject, line) {
      const outcome = Promise.withResolvers<string>();
      outcomes.set(subject, outcome);
      child.stdin.write(`${line}\n`);
      return outcome.promise;
    },
    stop() {
      child.stdin.end();
      return ended;
    },
  };
}
