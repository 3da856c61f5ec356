import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

/** A separate redis-server without persistence: a restart loses all data. */
export interface RedisServer {
  url: string;
  port: number;
  /** Starts or restarts it on the same port; resolves when it accepts connections. */
  start(): Promise<void>;
  /** Sends a signal to the process. */
  signal(signal: NodeJS.Signals): void;
  /** Kills it, even if paused; resolves when it has ended. */
  kill(): Promise<void>;
  /** Sends a command and returns the raw response. */
  command(line: string): Promise<string>;
  flush(): Promise<void>;
  /** Kills it and removes its folder. */
  close(): Promise<void>;
}

/** Creates a redis-server on a free port without starting it. Uses REDIS_SERVER_PATH or `redis-server` on the PATH. */
export async function createRedisServer(): Promise<RedisServer> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "letterslot-redis-"));
  const program = process.env["REDIS_SERVER_PATH"] ?? "redis-server";
  let child: ChildProcess | undefined;

  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  const command = async (line: string) => {
    const connection = connect(port, "127.0.0.1");
    connection.write(`${line}\r\n`);
    const [answer] = (await once(connection, "data")) as [Buffer];
    connection.destroy();
    return answer.toString();
  };
  return {
    url,
    port,
    command,
    flush: async () => void (await command("FLUSHALL")),
    async start() {
      const settings = [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--dir",
        folder,
        "--save",
        "",
        "--appendonly",
        "no",
      ];
      const started = spawn(program, settings, { stdio: ["ignore", "pipe", "inherit"] });
      child = started;
      await new Promise<void>((resolve, reject) => {
        started.once("error", (error) =>
          reject(new Error("redis-server can't be run: see scripts/needs.ts", { cause: error })),
        );
        started.once("exit", (code) => reject(new Error(`redis-server exited with ${code}`)));
        createInterface({ input: started.stdout as NodeJS.ReadableStream }).on("line", (line) => {
          if (line.includes("Ready to accept connections")) resolve();
        });
      });
    },
    signal: (signal) => void child?.kill(signal),
    kill,
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
