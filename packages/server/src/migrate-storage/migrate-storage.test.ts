import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@letterslot/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../../testing/start-process.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

let folder: string;
let running: ServerProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-move-"));
  running = undefined;
});
afterEach(async () => {
  if (running?.child.exitCode === null && running.child.signalCode === null) await running.stop("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const serve = async (name: string) => {
  running = await startProcess({ DATA_DIR: at(name), SMTP_PORT: "off" }, folder);
  return running;
};

/** Runs the command; a failure is what it said and its status, as its success is. */
async function migrate(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const run = promisify(execFile)(process.execPath, [main, "migrate-storage", ...words], { cwd: folder, env: {} });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      stdout: error.stdout,
      stderr: error.stderr,
    }),
  );
}
const move = (from: string, to: string, ...more: string[]) =>
  migrate("--from", `sqlite:${at(from)}`, "--to", `sqlite:${at(to)}`, ...more);

/** A folder in which a server has worked: an account with some mail, small and large. */
async function livedIn(name: string, username: string) {
  const server = await serve(name);
  const opened = await createClient({ base_url: server.base_url }).accounts.onboard({ username });
  const client = createClient({ base_url: server.base_url, api_key: opened.api_key });
  const inbox_id = opened.inbox.id;
  for (const subject of ["Rechnung eins", "Rechnung zwei"])
    await client.messages.inject({ inbox_id, from: "eve@example.com", subject, text: `${subject} liegt bei.` } as never);
  const large = Buffer.alloc(200_000, "Anhang ").toString("base64");
  await client.drafts.create({
    inbox_id,
    to: ["eve@example.com"],
    text: "Later.",
    attachments: [{ filename: "large.txt", content_base64: large }],
  });
  await client.webhooks.create({ url: "https://receiver.example.com/", secret: "a secret of my own", client_id: "hook" });
  await server.stop();
  return { api_key: opened.api_key, account_id: opened.account_id, inbox_id };
}

describe("migrate-storage", { timeout: 120_000 }, () => {
  test("moves a server to another folder, where it goes on with the same key, mail and search", async () => {
    const { api_key, inbox_id } = await livedIn("old", "ada");
    const moved = await move("old", "new");
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+ records in \d+ tables and [1-9]\d* blobs are the same on both sides\.\n$/),
    });
    expect(moved.stderr).toContain("copying messages: 2\n");
    expect(moved.stderr).toContain("verifying messages: 2\n");
    expect(readFileSync(at("new/encryption.key"))).toEqual(readFileSync(at("old/encryption.key")));
    expect((await move("old", "new")).stdout).toBe(moved.stdout);

    rmSync(at("old"), { recursive: true });
    const server = await serve("new");
    const client = createClient({ base_url: server.base_url, api_key });
    expect((await client.search.messages({ q: "rechnung zwei" })).data).toHaveLength(1);
    const [message] = (await client.messages.list({ inbox_id })).data;
    expect((await client.messages.raw({ inbox_id, message_id: message?.id ?? "" })).bytes.length).toBeGreaterThan(0);
    const [draft] = (await client.drafts.list({ inbox_id })).data;
    const attachment_id = draft?.attachments[0]?.id ?? "";
    const download = await client.drafts.attachment({ inbox_id, draft_id: draft?.id ?? "", attachment_id });
    expect(download.bytes.length).toBe(200_000);
    expect(await client.webhooks.create({ url: "https://x.example.com/", client_id: "hook" })).toMatchObject({
      idempotent: true,
    });
  });

  test("moves one account and leaves the others where they are", async () => {
    const ada = await livedIn("old", "ada");
    const eve = await livedIn("old", "eve");
    expect(await move("old", "new", "--account", ada.account_id)).toMatchObject({ code: 0 });
    const server = await serve("new");
    expect((await createClient({ base_url: server.base_url, api_key: ada.api_key }).inboxes.list()).data).toHaveLength(1);
    await expect(createClient({ base_url: server.base_url, api_key: eve.api_key }).me.get()).rejects.toMatchObject({
      status: 401,
    });
  });

  test("is refused while a server works in one of the folders, and for another key", async () => {
    await livedIn("old", "ada");
    const server = await serve("old");
    expect(await move("old", "new")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is in use by another Letterslot"),
    });
    await server.stop();
    await (await serve("new")).stop();
    const other = await move("old", "new");
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("is another key than") });
    expect(existsSync(at("old/letterslot.db"))).toBe(true);
  });

  test("says with status 1 what is not the same", async () => {
    await livedIn("old", "ada");
    await livedIn("new", "eve");
    copyFileSync(at("old/encryption.key"), at("new/encryption.key"));
    const moved = await move("old", "new");
    expect(moved).toMatchObject({ code: 1, stderr: expect.stringContaining("copying accounts: 1") });
    expect(moved.stdout).toContain("accounts differs: 1 records in the source, 2 in the destination.");
  });

  test.each([
    [[], "--from and --to are needed."],
    [["--from", "sqlite:a"], "--from and --to are needed."],
    [["--from", "sqlite:a", "--to", "sqlite:./a"], "--from and --to are the same storage."],
    [["--from", "sqlite:nowhere", "--to", "sqlite:b"], "nowhere holds no letterslot.db."],
    [["--from", "mysql://ada:hidden@db/x", "--to", "sqlite:b"], "A storage is sqlite:<DATA_DIR> or postgres://"],
    [["--from", "sqlite:a", "--to", "sqlite:b", "--fast"], "Unknown option '--fast'"],
  ])("%j is refused", async (words, said) => {
    const refused = await migrate(...words);
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(said) });
    expect(refused.stderr).not.toMatch(/hidden|\bat .*\.ts/);
  });

  test("prints its help", async () => {
    expect(await migrate("--help")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("--from <storage> --to <storage>"),
    });
  });
});
