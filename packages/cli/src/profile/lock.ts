import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { CliError } from "../frame/exit.ts";

const RETRY_MS = 25;
/** A holder of the lock makes a call or two at most. */
const TIMEOUT_MS = 30_000;

/** Runs `work` while no other process holds the lock `path`. A dead process's lock is taken over. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  for (const end = performance.now() + TIMEOUT_MS; !take(path); await after(RETRY_MS)) {
    if (performance.now() > end)
      throw new CliError(`Another process holds ${path}.`, {
        fix: "If none is running, remove that file.",
      });
    if (isAbandoned(path)) removeAbandoned(path);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** The file appears with its holder's number in it, or not at all. */
function take(path: string): boolean {
  const own = `${path}.${randomBytes(6).toString("hex")}`;
  writeFileSync(own, String(process.pid), { mode: 0o600, flag: "wx" });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(own);
  }
}

/** Whether the process that took the lock is gone. */
function isAbandoned(path: string): boolean {
  try {
    process.kill(Number(readFileSync(path, "utf8")), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** One process at a time: nobody else may take the lock between the check and the removal. */
function removeAbandoned(path: string): void {
  const removing = `${path}.removing`;
  if (!take(removing)) return;
  try {
    if (isAbandoned(path)) rmSync(path, { force: true });
  } finally {
    rmSync(removing, { force: true });
  }
}
