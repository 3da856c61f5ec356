import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The variable with the test run's folder, in which one server is started on demand. */
const FOLDER = "LETTERSLOT_TEST_POSTGRES";
const START_MS = 60_000;

/** Options of a separate PostgreSQL. */
export interface PostgresOptions {
  /** The absolute path of its data folder, new or with data; by default a temporary one. */
  data?: string;
  /** Additional environment variables. */
  environment?: Record<string, string>;
  /** Makes commits wait for the disk; off by default. */
  durable?: boolean;
  /** Settings as `name=value`. */
  settings?: readonly string[];
}

/** A separate PostgreSQL server. */
export interface SeparatePostgres {
  url: string;
  /** Breaks every connection and accepts no more, as in a crash. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Freezes all its processes (Linux only): connections stay open but get no response. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Stops it gracefully; resolves when it has ended. Removes its data unless `data` was given. */
  end(): Promise<void>;
}

/** Vitest's globalSetup: prepares for a server without starting it. */
export function setup(): void {
  // Called once per vitest project.
  if (process.env[FOLDER] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "letterslot-postgres-"));
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  process.env[FOLDER] = folder;
  writeFileSync(join(folder, "asker"), String(process.pid));
}

/** Vitest's globalSetup: stops the server if a test started it. */
export function teardown(): void {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  delete process.env[FOLDER];
  const runs = existsSync(join(folder, "keeper")) && !existsSync(join(folder, "error"));
  if (runs) process.kill(Number(readFileSync(join(folder, "keeper"), "utf8")), "SIGTERM");
  else rmSync(folder, { recursive: true, force: true });
}

/** The URL of the test run's PostgreSQL: DATABASE_URL, or else a server that is started for the run. */
export async function postgresUrl(): Promise<string> {
  const given = process.env["DATABASE_URL"];
  if (given) return given;
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("test/support/postgres-server.ts is not vitest's globalSetup");
  if (takeLock(join(folder, "lock"))) {
    const parent = readFileSync(join(folder, "asker"), "utf8");
    writeFileSync(join(folder, "keeper"), String(startPostgres(folder, parent).pid));
  }
  return waitForUrl(folder);
}

/** Starts a separate PostgreSQL, for a test that stops it; it ends with this process at the latest. */
export async function startSeparatePostgres(options: PostgresOptions = {}): Promise<SeparatePostgres> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "letterslot-postgres-"));
  chmodSync(folder, 0o755);
  const keeper = startPostgres(folder, String(process.pid), options);
  const request = async (word: string): Promise<void> => {
    keeper.send(word);
    await once(keeper, "message");
  };
  return {
    url: await waitForUrl(folder),
    stop: () => request("stop"),
    start: () => request("start"),
    pause: () => request("pause"),
    resume: () => request("resume"),
    async end() {
      if (keeper.exitCode !== null || keeper.signalCode !== null) return;
      keeper.ref();
      keeper.kill("SIGTERM");
      await once(keeper, "exit");
    },
  };
}

function startPostgres(folder: string, parent: string, options: PostgresOptions = {}): ChildProcess {
  const { data = join(folder, "data"), environment = {}, durable = false, settings = [] } = options;
  const script = fileURLToPath(new URL("postgres-keeper.ts", import.meta.url));
  const keeper = spawn(
    process.execPath,
    [script, folder, parent, data, ...(durable ? ["durable"] : []), ...settings],
    {
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    },
  );
  keeper.unref();
  keeper.channel?.unref();
  return keeper;
}

async function waitForUrl(folder: string): Promise<string> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    const url = readIfThere(join(folder, "url"));
    if (url !== "") return url;
    const error = readIfThere(join(folder, "error"));
    if (error !== "") throw new Error(error);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`PostgreSQL didn't start within ${START_MS / 1000} s. Set DATABASE_URL to one that runs.`);
}

/** A file's text; empty if there is no such file. */
function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** True for the one test process that creates the folder, and so starts the server. */
function takeLock(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
