import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BARE_ENVIRONMENT, builtServer } from "./built-programs.ts";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

const MAX_LOG_LINES = 400;

/**
 * The settings of glibc's allocator in the Dockerfile and the deployment guide, which make it return memory. Bounds on a
 * server's memory hold with them.
 */
export const ALLOCATOR = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "131072" };

/** The folder and ports of a server, which stay the same across restarts. */
export interface ServerHome {
  data_dir: string;
  base_url: string;
  smtp_port: number;
  /** Starts the real server in its own process; resolves when it is ready. Throws its output if it exits first. */
  start(environment?: Record<string, string>): Promise<ServerProcess>;
  /** Starts it without waiting. */
  launch(environment?: Record<string, string>): ServerProcess;
  /** Deletes the folder. */
  remove(): void;
}

/** A server process. */
export interface ServerProcess {
  pid: number;
  /** The last lines of its output. */
  output(): string;
  /** The warnings and errors among them. */
  troubles(): string;
  /** Sends a signal; resolves, once it has ended, to its exit code or the signal that ended it. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<number | NodeJS.Signals>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
}

/** Creates a temporary home for a server; every start gets `environment`. */
export async function createServerHome(environment: Record<string, string> = {}): Promise<ServerHome> {
  const data_dir = mkdtempSync(join(tmpdir(), "letterslot-"));
  const [port, smtp_port] = [await freePort(), await freePort()];
  const base_url = `http://localhost:${port}`;
  const main = await builtServer();
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
    launch: (more = {}) => launch(main, { ...own, ...more }, data_dir),
    async start(more = {}) {
      const server = launch(main, { ...own, ...more }, data_dir);
      const ready = async () => {
        const answer = await fetch(`${base_url}/readyz`).catch(() => undefined);
        return answer?.ok === true && server.output().includes('"started"');
      };
      const failed = server.ended.then((code) => {
        throw new Error(`the server exited with ${code} before it was ready:\n${server.output()}`);
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

function launch(main: string, environment: Record<string, string>, cwd: string): ServerProcess {
  // In a folder without .env, and without this process's configuration.
  const child = spawn(process.execPath, [main], {
    cwd,
    env: { ...BARE_ENVIRONMENT, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let lines: string[] = [];
  const collect = (chunk: Buffer) => {
    lines = [...lines, ...chunk.toString().split("\n").filter(Boolean)].slice(-MAX_LOG_LINES);
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // "close" is emitted once its output was read to the end.
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
