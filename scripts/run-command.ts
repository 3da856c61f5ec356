import { spawn } from "node:child_process";
import { basename, delimiter, join } from "node:path";

export const ROOT = join(import.meta.dirname, "..");

/** A command exited with a status other than 0. Its output was already shown, or is in `output`. */
export class CommandFailed extends Error {
  readonly output: string;

  constructor(command: string, status: number | string, output: string) {
    super(`${command} failed (${status})`);
    this.name = "CommandFailed";
    this.output = output;
  }
}

interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Collect the output instead of showing it; a failure contains it. */
  quiet?: boolean;
}

/**
 * Runs a program from `node_modules/.bin` or the PATH, without a shell. Resolves to its output if `quiet`,
 * else to an empty string. Throws CommandFailed if its status is not 0.
 */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<string> {
  const path = [join(ROOT, "node_modules/.bin"), process.env["PATH"] ?? ""].join(delimiter);
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: {
      ...process.env,
      ...(process.stdout.isTTY ? {} : { NO_COLOR: "1", FORCE_COLOR: undefined }),
      ...options.env,
      PATH: path,
    },
    stdio: ["ignore", options.quiet ? "pipe" : "inherit", options.quiet ? "pipe" : "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      const output = Buffer.concat(chunks).toString("utf8");
      if (code === 0) return resolve(output);
      reject(new CommandFailed(command, code ?? signal ?? "unknown", output));
    });
  });
}

/** Runs pnpm: the one that runs this program, which is there at once, or else the project's version with npx. */
export function pnpm(args: string[], options: RunOptions = {}): Promise<string> {
  const running = process.env["npm_execpath"] ?? "";
  const [, script] = /^pnpm(\.[cm]?js)?$/.exec(basename(running)) ?? ["", "none"];
  if (script === "none") return run("npx", ["-y", "pnpm@12", ...args], options);
  return script === undefined ? run(running, args, options) : run("node", [running, ...args], options);
}
