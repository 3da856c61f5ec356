import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { shippedServer } from "./shipped-server.ts";

/** The shipped server, built, in its own process. */
export interface Product {
  pid: number;
  base_url: string;
  smtp_port: number;
  /** Milliseconds from the start of the process to its "started" log line. */
  started_ms: number;
  end(): Promise<void>;
}

let program: Promise<string> | undefined;

/**
 * Starts the server on a data folder. With BENCH_PROFILE=folder in the environment it writes a CPU profile
 * there. `through` is a wrapper command, such as strace with its arguments; `main` is another program than the
 * shipped server's.
 */
export async function startProduct(
  data_dir: string,
  environment: Record<string, string> = {},
  through: readonly string[] = [],
  main?: string,
): Promise<Product> {
  const { PATH = "", HOME = "" } = process.env;
  const profile = process.env["BENCH_PROFILE"];
  const flags = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
  const started_program = main ?? (await (program ??= shippedServer()));
  const [command, ...args] = [...through, process.execPath, ...flags, started_program];
  mkdirSync(data_dir, { recursive: true });
  const began = performance.now();
  const child = spawn(command, args, {
    cwd: data_dir,
    env: {
      PATH,
      HOME,
      DATA_DIR: data_dir,
      PORT: "0",
      SMTP_PORT: "0",
      WEBHOOK_ALLOW: "127.0.0.0/8",
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const started = await waitUntilStarted(child);
  const pid = through.length === 0 ? (child.pid ?? 0) : readChildPid(child.pid ?? 0);
  return {
    pid,
    base_url: `http://127.0.0.1:${started.http_port}`,
    smtp_port: started.smtp_port,
    started_ms: performance.now() - began,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      process.kill(pid, "SIGTERM");
      await gone;
    },
  };
}

async function waitUntilStarted(child: ChildProcess): Promise<{ http_port: number; smtp_port: number }> {
  if (child.stdout === null) throw new Error("the server has no output");
  const lines = createInterface({ input: child.stdout });
  const last: string[] = [];
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      last.push(line);
      if (last.length > 20) last.shift();
      if (line.includes('"msg":"started"')) resolve(JSON.parse(line));
    });
    child.once("exit", () => reject(new Error(`the server ended:\n${last.join("\n")}`)));
  });
}

/** The child process of a wrapper such as strace. */
function readChildPid(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ")[0]);
}
