import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@letterslot/client";
import { expect, onTestFinished } from "vitest";
import { startExample } from "./example-program.ts";

/** Checks that the program of an example's folder serves the mail API below /mail, beside its own routes. */
export async function expectMountedExample(example: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-mounted-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = startExample(example, { PORT: "0", DATA_DIR: folder });
  onTestFinished(program.kill);
  const [base_url = ""] = /http:\/\/\S+/.exec(await program.line()) ?? [];
  expect(await (await fetch(base_url)).text()).toContain("own page");

  const { api_key, inbox } = await createClient({ baseUrl: `${base_url}/mail` }).accounts.onboard({
    username: "ada",
  });
  const client = createClient({ baseUrl: `${base_url}/mail`, apiKey: api_key });
  expect((await client.inboxes.list()).data).toMatchObject([{ id: inbox.id, username: "ada" }]);
  expect((await fetch(`${base_url}/mail/docs`)).status).toBe(200);
  expect((await fetch(`${base_url}/mail/api/v1/inboxes`)).status).toBe(401);
  expect((await fetch(`${base_url}/api/v1/inboxes`)).status).toBe(404);

  expect(await program.stop()).toEqual([0, null]);
}
