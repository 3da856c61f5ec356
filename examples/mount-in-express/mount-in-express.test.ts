import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@letterslot/client";
import { afterEach, expect, test } from "vitest";
import { startExample } from "../../test/support/example-program.ts";

const cleanups: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start() {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-express-"));
  const program = startExample(import.meta.dirname, { PORT: "0", DATA_DIR: folder });
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }), program.kill);
  const [base_url = ""] = /http:\/\/\S+/.exec(await program.line()) ?? [];
  return { base_url, program };
}

test("the mail API is served beside the application's own routes", async () => {
  const { base_url, program } = await start();
  expect(await (await fetch(base_url)).text()).toContain("own page");

  const { api_key, inbox } = await createClient({ base_url: `${base_url}/mail` }).accounts.onboard({
    username: "ada",
  });
  const client = createClient({ base_url: `${base_url}/mail`, api_key });
  expect((await client.inboxes.list()).data).toMatchObject([{ id: inbox.id, username: "ada" }]);
  expect((await fetch(`${base_url}/mail/docs`)).status).toBe(200);
  expect((await fetch(`${base_url}/mail/api/v1/inboxes`)).status).toBe(401);
  expect((await fetch(`${base_url}/api/v1/inboxes`)).status).toBe(404);

  expect(await program.stop()).toEqual([0, null]);
});
