import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { freePort } from "../../test/support/free-port.ts";

const RETRY_MS = 50;

/** Starts Mailpit, a non-durable peer, with its database in `folder`; undefined if it is not on the PATH. */
export async function startMailpit(
  folder: string,
): Promise<{ pid: number; port: number; end(): Promise<void> } | undefined> {
  if (spawnSync("mailpit", ["version", "--no-release-check"]).error !== undefined) return undefined;
  const [port, http] = [await freePort(), await freePort()];
  const args = [
    "--smtp",
    `127.0.0.1:${port}`,
    "--listen",
    `127.0.0.1:${http}`,
    "--database",
    join(folder, "mailpit.db"),
    "--quiet",
  ];
  const child = spawn("mailpit", [...args, "--max", "0", "--disable-version-check"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  while (!(await acceptsConnections(port))) {
    if (child.exitCode !== null) throw new Error(`mailpit ended with ${child.exitCode}`);
    await after(RETRY_MS);
  }
  return {
    pid: child.pid ?? 0,
    port,
    async end() {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
