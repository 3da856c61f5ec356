import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

const main = fileURLToPath(new URL("../../packages/server/src/main.js", import.meta.url));
const logLinesKept = 400;

/** A place for one server over all of its restarts: its folder and its ports stay the same. */
export interface ServerHome {
  data_dir: string;
  base_url: string;
  smtp_port: number;
  /**
   * Starts the real server in a process of its own and resolves when it is ready. Throws with its last words
   * when it ends first.
   */
  start(environment?: Record<string, string>): Promise<ServerProcess>;
  /** Starts it without waiting for anything. */
  launch(environment?: Record<string, string>): ServerProcess;
  /** Deletes the folder. */
  remove(): void;
}

/** A server process. */
export interface ServerProcess {
  pid: number;
  /** What it wrote, the newest lines. */
  output(): string;
  /** Its warnings and errors among them. */
  troubles(): string;
  /** Ends it with a signal and resolves, when it is gone, to its exit code or the signal that ended it. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | NodeJS.Signals>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/**
 * Makes a home for a server in the system's folder for temporary files; `environment` is what each of its
 * starts has.
 */
export async function serverHome(environment: Record<string, string> = {}): Promise<ServerHome> {
  const data_dir = mkdtempSync(join(tmpdir(), "letterslot-"));
  const [port, smtp_port] = [await freePort(), await freePort()];
  const base_url = `http://localhost:${port}`;
  const own = {
    DATA_DIR: join(data_dir, "data"),
    PORT: String(port),
    SMTP_PORT: String(smtp_port),
    ...environment,
  };
  return {
    data_dir: own.DATA_DIR,
    base_url,
    smtp_port,
    launch: (more = {}) => launch({ ...own, ...more }, data_dir),
    async start(more = {}) {
      const server = launch({ ...own, ...more }, data_dir);
      const ready = async () => {
        const answer = await fetch(`${base_url}/readyz`).catch(() => undefined);
        return answer?.ok === true && server.output().includes('"started"');
      };
      const failed = server.ended.then((code) => {
        throw new Error(`the server ended with ${code} before it was ready:\n${server.output()}`);
      });
      await Promise.race([until("the server to be ready", ready, 60_000), failed]).catch((error: unknown) => {
        void server.end("SIGKILL");
        throw error;
      });
      failed.catch(() => {});
      return server;
    },
    remove: () => rmSync(data_dir, { recursive: true, force: true }),
  };
}

function launch(environment: Record<string, string>, cwd: string): ServerProcess {
  const { PATH = "", HOME = "" } = process.env;
  // In a folder without .env, with nothing of this process's own configuration.
  const child = spawn(process.execPath, [main], {
    cwd,
    env: { PATH, HOME, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let lines: string[] = [];
  const note = (chunk: Buffer) => {
    lines = [...lines, ...chunk.toString().split("\n").filter(Boolean)].slice(-logLinesKept);
  };
  child.stdout.on("data", note);
  child.stderr.on("data", note);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // "close" comes when its output has been read to the end.
    child.on("close", (code, signal) => resolve(code ?? signal ?? 1));
  });
  return {
    pid: child.pid ?? 0,
    output: () => lines.join("\n"),
    troubles: () => lines.filter((line) => !/"level":[123]0\b/.test(line)).join("\n"),
    ended,
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
