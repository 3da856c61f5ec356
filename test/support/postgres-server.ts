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

/** Names the folder of the run; a server that any test of the run needs is started in it once. */
const FOLDER = "LETTERSLOT_TEST_POSTGRES";
const START_MS = 60_000;

/** How a PostgreSQL of one's own is started. */
export interface PostgresOptions {
  /**
   * The folder of its data, absolute: a new one, or one that holds data already. One that goes with the
   * server unless stated.
   */
  data?: string;
  /** What it has in its environment besides. */
  environment?: Record<string, string>;
  /** What was committed is on the disk, as far as the disk says so. Otherwise nothing waits for the disk. */
  durable?: boolean;
  /** Settings as `name=value`. */
  settings?: readonly string[];
}

/** A PostgreSQL of one's own, without a database. */
export interface OwnPostgres {
  url: string;
  /** Breaks every connection and takes no more, as a crash does. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Freezes all of its processes, on Linux: it neither answers nor breaks anything. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it in order; resolves when it is gone, with its data unless that lay elsewhere. */
  end(): Promise<void>;
}

/** For vitest's globalSetup: prepares for a server without starting it. */
export function setup(): void {
  // Each of vitest's projects sets up.
  if (process.env[FOLDER] !== undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "letterslot-postgres-"));
  // The server runs as another user when the tests run as root.
  chmodSync(folder, 0o755);
  process.env[FOLDER] = folder;
  writeFileSync(join(folder, "asker"), String(process.pid));
}

/** For vitest's globalSetup: ends the server if a test started it. */
export function teardown(): void {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  delete process.env[FOLDER];
  if (existsSync(join(folder, "keeper")))
    process.kill(Number(readFileSync(join(folder, "keeper"), "utf8")), "SIGTERM");
  else rmSync(folder, { recursive: true, force: true });
}

/**
 * The address of the run's PostgreSQL, without a database: the one that DATABASE_URL names, else one that is
 * started for the run.
 */
export async function postgresUrl(): Promise<string> {
  const given = process.env["DATABASE_URL"];
  if (given) return given;
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("test/support/postgres-server.ts is not vitest's globalSetup");
  if (takes(join(folder, "lock"))) {
    const asker = readFileSync(join(folder, "asker"), "utf8");
    writeFileSync(join(folder, "keeper"), String(startPostgres(folder, asker).pid));
  }
  return urlIn(folder);
}

/** A PostgreSQL of one's own, for a test that stops it; it ends with this process at the latest. */
export async function ownPostgres(options: PostgresOptions = {}): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "letterslot-postgres-"));
  chmodSync(folder, 0o755);
  const keeper = startPostgres(folder, String(process.pid), options);
  const wish = async (word: string): Promise<void> => {
    keeper.send(word);
    await once(keeper, "message");
  };
  return {
    url: await urlIn(folder),
    stop: () => wish("stop"),
    start: () => wish("start"),
    pause: () => wish("pause"),
    resume: () => wish("resume"),
    async end() {
      if (keeper.exitCode !== null || keeper.signalCode !== null) return;
      keeper.ref();
      keeper.kill("SIGTERM");
      await once(keeper, "exit");
    },
  };
}

function startPostgres(folder: string, asker: string, options: PostgresOptions = {}): ChildProcess {
  const { data = join(folder, "data"), environment = {}, durable = false, settings = [] } = options;
  const script = fileURLToPath(new URL("postgres-keeper.ts", import.meta.url));
  const keeper = spawn(
    process.execPath,
    [script, folder, asker, data, ...(durable ? ["durable"] : []), ...settings],
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

async function urlIn(folder: string): Promise<string> {
  const end = performance.now() + START_MS;
  while (performance.now() < end) {
    const url = existsSync(join(folder, "url")) ? readFileSync(join(folder, "url"), "utf8") : "";
    if (url !== "") return url;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("PostgreSQL did not start");
}

/** Of all test processes one makes the folder, and starts the server. */
function takes(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch {
    return false;
  }
}
