import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { BARE_ENVIRONMENT, builtServer } from "../../../test/support/built-programs.ts";

/** A server in a separate process. */
export interface ServerProcess {
  base_url: string;
  smtp_port: number | null;
  child: ChildProcess;
  /** The lines of its log so far. */
  log: Record<string, unknown>[];
  /** Returns its output besides the log. */
  said(): string;
  /** Sends the signal and returns how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts a server process in a working directory, on free ports unless the environment sets them. Resolves
 * when it has started; rejects with its stderr if it exits instead.
 */
export async function startProcess(environment: Record<string, string>, cwd: string): Promise<ServerProcess> {
  const env = { ...BARE_ENVIRONMENT, PORT: "0", SMTP_PORT: "0", ...environment };
  const child = spawn(process.execPath, [await builtServer()], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const log: Record<string, unknown>[] = [];
  const started = new Promise<Record<string, unknown>>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const entry = JSON.parse(line) as Record<string, unknown>;
      log.push(entry);
      if (entry["msg"] === "started") resolve(entry);
    });
  });
  const entry = await Promise.race([
    started,
    once(child, "close").then(() => Promise.reject(new Error(stderr))),
  ]);
  return {
    base_url: `http://127.0.0.1:${String(entry["http_port"])}`,
    smtp_port: entry["smtp_port"] as number | null,
    child,
    log,
    said: () => stderr,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const [code, ended] = await exited;
      return { code, signal: ended };
    },
  };
}
