import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in a process of its own. */
export interface ServerProcess {
  base_url: string;
  smtp_port: number | null;
  child: ChildProcess;
  /** Lines of its log so far. */
  log: Record<string, unknown>[];
  /** Sends the signal and answers how the process ended. */
  stop(signal?: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const main = fileURLToPath(new URL("../src/main.js", import.meta.url));

/**
 * Starts the server as a process in a working directory, on free ports unless the environment says otherwise.
 * Resolves when it has started; rejects with what it said when it ended instead.
 */
export async function startProcess(environment: Record<string, string>, cwd: string): Promise<ServerProcess> {
  const env = { PATH: process.env["PATH"] ?? "", PORT: "0", SMTP_PORT: "0", ...environment };
  const child = spawn(process.execPath, [main], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaint += text));
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
    once(child, "close").then(() => Promise.reject(new Error(complaint))),
  ]);
  return {
    base_url: `http://127.0.0.1:${String(entry["http_port"])}`,
    smtp_port: entry["smtp_port"] as number | null,
    child,
    log,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const [code, ended] = await exited;
      return { code, signal: ended };
    },
  };
}
