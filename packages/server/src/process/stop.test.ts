import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, expect, test } from "vitest";

const module = new URL("stop.ts", import.meta.url).href;
let child: ReturnType<typeof spawnWith> | undefined;
afterEach(() => void child?.kill("SIGKILL"));

/** Starts a process that stops like the server; `finish` is source code. */
function spawnWith(finish: string) {
  const source = `
    import { stopOnSignal } from ${JSON.stringify(module)};
    const say = (_, words) => console.log(words);
    setInterval(() => {}, 1_000_000);
    stopOnSignal({ info: say, warn: say, error: say }, ${finish}, 200);
    console.log("ready");`;
  return spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Returns the process's output after SIGTERM, and its exit code. */
async function stopped(finish: string): Promise<{ said: string[]; code: unknown }> {
  child = spawnWith(finish);
  const ended = once(child, "close");
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    said.push(line);
    if (line === "ready") child.kill("SIGTERM");
  }
  const [code] = await ended;
  return { said, code };
}

test("a process that can finish exits with 0", async () => {
  const { said, code } = await stopped("async () => {}");
  expect([said.at(-1), code]).toEqual(["stopped", 0]);
});

test("a process that cannot finish says so and exits with 1", async () => {
  const { said, code } = await stopped('async () => { throw new Error("no"); }');
  expect([said.at(-1), code]).toEqual(["stopped, but some work could not be finished", 1]);
});

test("a process whose work does not end exits all the same", async () => {
  const { said, code } = await stopped("() => new Promise(() => {})");
  expect([said.at(-1), code]).toEqual([
    "stopped before all work was finished; the next start continues it",
    1,
  ]);
});
