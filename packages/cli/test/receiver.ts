import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../test/support/free-port.ts";

const PROGRAM = fileURLToPath(new URL("./receiver-program.js", import.meta.url));

/** A delivery as it arrived. */
export interface Arrival {
  headers: Record<string, string>;
  body: string;
}

/** A receiver in a process of its own, at a URL that stays the same over restarts. */
export interface KillableReceiver {
  url: string;
  arrived(): Arrival[];
  /** Starts it; each delivery is answered with the status. */
  start(status?: number): Promise<void>;
  kill(): Promise<void>;
  remove(): Promise<void>;
}

/** A receiver that doesn't run yet. */
export async function createReceiver(): Promise<KillableReceiver> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-receiver-"));
  const file = join(folder, "arrived");
  const port = await freePort();
  let child: ReturnType<typeof spawn> | undefined;
  const kill = async () => {
    if (child === undefined) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
    child = undefined;
  };
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrived: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as Arrival)
        : [],
    async start(status = 204) {
      const started = spawn(process.execPath, [PROGRAM, String(port), file, String(status)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      child = started;
      await once(started.stdout, "data");
    },
    kill,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
