import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Starts a thread in a process that has a secret in its environment, and prints what the thread has. */
const program = (cache: string | undefined) => `
  import { enableCompileCache } from "node:module";
  import { Worker } from "node:worker_threads";
  import { workerEnvironment } from ${JSON.stringify(new URL("worker-environment.ts", import.meta.url).href)};
  ${cache === undefined ? "" : `enableCompileCache(${JSON.stringify(cache)});`}
  const code = "import { getCompileCacheDir } from 'node:module'; import { parentPort } from 'node:worker_threads';" +
    "parentPort.postMessage([getCompileCacheDir() !== undefined, process.env.SECRET ?? null])";
  const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(code)), { env: workerEnvironment() });
  worker.on("message", (seen) => console.log(JSON.stringify(seen)));`;

async function seenIn(cache: string | undefined): Promise<unknown> {
  const args = ["--input-type=module", "--eval", program(cache)];
  const { PATH = "" } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH, SECRET: "s3cret" } });
  return JSON.parse(stdout);
}

test("a thread has its process's compile cache, if there is one, and nothing else of its environment", async () => {
  const folder = mkdtempSync(join(tmpdir(), "compile-cache-"));
  try {
    expect(await Promise.all([seenIn(folder), seenIn(undefined)])).toEqual([
      [true, null],
      [false, null],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
