import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { type PostgresPrograms, providePostgres } from "./postgres-programs.ts";

/**
 * Runs a PostgreSQL until it is stopped or its parent process has ended, then removes its folder. Writes its
 * URL to `<folder>/url` once it accepts connections, or to `<folder>/error` why it doesn't. Arguments: the
 * folder, the parent's process id, the data folder (may hold data already), and settings; the setting "durable"
 * makes commits wait for the disk.
 */
const [folder = "", parent = "", data = "", ...settings] = process.argv.slice(2);
const PASSWORD = "test";
/** The line that PostgreSQL prints once it accepts connections. */
const READY = "database system is ready to accept connections";
/** Its messages are read, so they have to be in English. */
const environment = { ...process.env, LC_MESSAGES: "C" };
const durable = settings.includes("durable");
// Most tests don't simulate power cuts, so nothing waits for the disk.
const flags = [
  ...(durable ? [] : ["fsync=off", "full_page_writes=off"]),
  ...settings.filter((setting) => setting !== "durable"),
];

let port = 0;
let programs: PostgresPrograms;
let server: ChildProcess | undefined;

try {
  port = await freePort();
  programs = providePostgres(folder);
  if (!existsSync(join(data, "PG_VERSION"))) await initialise();
  await start();
} catch (error) {
  writeFileSync(join(folder, "error"), adviceFor((error as Error).message));
  process.exit(1);
}
writeFileSync(join(folder, "url"), `postgres://postgres:${PASSWORD}@127.0.0.1:${port}`);

const watch = setInterval(() => {
  if (!isRunning(Number(parent))) void end();
}, 500);
process.on("SIGTERM", () => void end());
/** The requests of a test. */
const requests: Record<string, () => unknown> = {
  start,
  stop,
  pause: () => signalAll("SIGSTOP"),
  resume: () => signalAll("SIGCONT"),
};
process.on(
  "message",
  (request: string) => void Promise.resolve(requests[request]?.()).then(() => process.send?.(request)),
);

/** Names the part that doesn't start and the remedy, unless the message already does. */
function adviceFor(message: string): string {
  if (message.includes("DATABASE_URL")) return message;
  const why = message.trim().replace(/\.?$/, ".");
  return `PostgreSQL doesn't start: ${why} Mend that, or set DATABASE_URL to a PostgreSQL that runs.`;
}

/** Makes the data folder. */
async function initialise(): Promise<void> {
  const { initdb, as } = programs;
  mkdirSync(data, { recursive: true });
  if (as.uid !== undefined && as.gid !== undefined) chownSync(data, as.uid, as.gid);
  const password = join(folder, "password");
  writeFileSync(password, `${PASSWORD}\n`, { mode: 0o644 });
  const initialising = spawn(
    initdb,
    [
      ...[`--pgdata=${data}`, "--username=postgres", `--pwfile=${password}`, "--auth=password"],
      ...["--encoding=UTF8", "--locale=C", ...(durable ? ["--wal-segsize=1"] : ["--no-sync"])],
    ],
    { ...as, cwd: folder, env: environment, stdio: ["ignore", "ignore", "pipe"] },
  );
  let said = "";
  initialising.stderr.on("data", (text: Buffer) => {
    said += text.toString();
  });
  const [code] = await once(initialising, "close");
  if (code !== 0) throw new Error(`initdb failed. ${said}`);
}

/** Starts the server; resolves when it accepts connections. */
async function start(): Promise<void> {
  const { postgres, as } = programs;
  // Files written by a test belong to the test's user, so change their owner first.
  if (as.uid !== undefined) execFileSync("chown", ["-R", `${as.uid}:${as.gid}`, data]);
  const starting = spawn(
    postgres,
    [
      ...["-D", data, "-p", String(port), "-h", "127.0.0.1"],
      // No Unix socket: we connect by URL.
      ...["-k", "", ...["max_connections=200", ...flags].flatMap((flag) => ["-c", flag])],
    ],
    { ...as, cwd: folder, env: environment, stdio: ["ignore", "ignore", "pipe"] },
  );
  server = starting;
  let said = "";
  await new Promise<void>((resolve, reject) => {
    starting.stderr.on("data", (text: Buffer) => {
      // Read to the end, so that the server never waits for us; kept only until it is ready.
      if (said.includes(READY)) return;
      said += text.toString();
      if (said.includes(READY)) resolve();
    });
    starting.once("error", reject);
    starting.once("close", () => reject(new Error(said)));
  });
}

/** Stops immediately, as in a crash. */
async function stop(): Promise<void> {
  // Without a checkpoint or notice to clients.
  await stopWith("SIGQUIT");
}

async function stopWith(signal: "SIGQUIT" | "SIGINT"): Promise<void> {
  const stopping = server;
  server = undefined;
  if (stopping === undefined || stopping.exitCode !== null || stopping.signalCode !== null) return;
  const ended = once(stopping, "exit");
  stopping.kill(signal);
  await ended;
}

/** Signals every process of the server, the postmaster first. */
function signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
  const first = Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
  process.kill(first, signal);
  const others = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").split(" ").filter(Boolean);
  for (const pid of others) process.kill(Number(pid), signal);
}

let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  clearInterval(watch);
  await stopWith("SIGINT");
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
