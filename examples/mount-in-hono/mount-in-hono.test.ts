import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createClient } from "@letterslot/client";
import { afterEach, expect, test } from "vitest";

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-mounted-"));
  const child = spawn(process.execPath, [join(import.meta.dirname, "index.ts")], {
    env: { ...process.env, PORT: "0", DATA_DIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const ended = exited.then(([code]) => Promise.reject(new Error(`the program ended with ${code}`)));
  ended.catch(() => undefined);
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  cleanups.push(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), ended])) as [
    string,
  ];
  const [base_url = ""] = /http:\/\/\S+/.exec(line) ?? [];
  return { base_url, child, exited };
}

test("the mail API lives beside the application's own routes", async () => {
  const { base_url, child, exited } = await start();
  expect(await (await fetch(base_url)).text()).toContain("own page");

  const { api_key, inbox } = await createClient({ base_url: `${base_url}/mail` }).accounts.onboard({
    username: "ada",
  });
  const client = createClient({ base_url: `${base_url}/mail`, api_key });
  expect((await client.inboxes.list()).data).toMatchObject([{ id: inbox.id, username: "ada" }]);
  expect((await fetch(`${base_url}/mail/docs`)).status).toBe(200);
  expect((await fetch(`${base_url}/mail/api/v1/inboxes`)).status).toBe(401);
  expect((await fetch(`${base_url}/api/v1/inboxes`)).status).toBe(404);

  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
});
