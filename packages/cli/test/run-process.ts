import { spawn } from "node:child_process";
import { once } from "node:events";
import { BARE_ENVIRONMENT, builtCli } from "../../../test/support/built-programs.ts";

const main = await builtCli();

/** The result of a run. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** A run of the program. */
export interface Run {
  stdout(): string;
  stderr(): string;
  /** The lines of JSON that it has printed. */
  records(): Record<string, unknown>[];
  kill(signal: NodeJS.Signals): void;
  ended: Promise<Ended>;
}

/** Starts `letterslot` with its output piped, and nothing else in its environment. */
export function startLetterslot(args: readonly string[], env: Record<string, string>, cwd?: string): Run {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...BARE_ENVIRONMENT, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    stdout,
    stderr,
  }));
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    records: () =>
      stdout
        .split("\n")
        .slice(0, -1)
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}
