import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createSqliteBlobs, createSqliteStorage } from "@letterslot/adapter-sqlite";
import { createClient } from "@letterslot/client";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BARE_ENVIRONMENT, builtServer } from "../../../../../test/support/built-programs.ts";
import { startProcess } from "../../../testing/start-process.ts";
import { openDataDir } from "../data-dir.ts";
import { lockDataDir } from "../data-lock.ts";
import type { StorageAddress } from "./arguments.ts";
import { migrateStorage, type OpenedStore } from "./command.ts";

const main = await builtServer();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-move-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);

async function openStore(address: StorageAddress): Promise<OpenedStore> {
  if (address.kind !== "sqlite") throw new Error("unexpected PostgreSQL address");
  const storage = createSqliteStorage({ path: join(address.folder, "letterslot.db") });
  return {
    storage,
    blobs: createSqliteBlobs({ storage, folder: join(address.folder, "blobs") }),
    close: storage.close,
  };
}

/** Uses a service that stores its data in a folder. */
async function withService<T>(
  name: string,
  use: (service: ReturnType<typeof createTestService>) => Promise<T>,
): Promise<T> {
  mkdirSync(at(name), { recursive: true });
  const { close, ...store } = await openStore({ kind: "sqlite", folder: at(name) });
  try {
    return await use(createTestService(store));
  } finally {
    await close();
  }
}

/** Creates an account with mail and a large file. */
const populate = (name: string, username: string) =>
  withService(name, async (service) => {
    const account = await service.signUp(username);
    const inbox_id = account.inbox.id;
    for (const subject of ["Rechnung eins", "Rechnung zwei"])
      await service.receive({ from: "eve@sender.example", to: account.inbox.email, subject });
    const content_base64 = Buffer.alloc(200_000, "Anhang ").toString("base64");
    await account.as.drafts.create({
      inbox_id,
      text: "Later.",
      attachments: [{ filename: "large.txt", content_base64 }],
    });
    return account;
  });

/** Runs the command on two folders; returns its status and output. */
async function move(from: string, to: string, ...more: string[]) {
  const output = { stdout: "", stderr: "" };
  const words = ["--from", `sqlite:${at(from)}`, "--to", `sqlite:${at(to)}`, ...more];
  const code = await migrateStorage(words, {
    openStore,
    output: { write: (text) => void (output.stdout += text) },
    progress: { write: (text) => void (output.stderr += text) },
  });
  return { code, ...output };
}

describe("migrate-storage", () => {
  test("copies a server to another folder, where it continues with the same keys and mail", async () => {
    const started = await startProcess({ DATA_DIR: at("old"), SMTP_PORT: "off" }, folder);
    const opened = await createClient({ baseUrl: started.base_url }).accounts.onboard({ username: "ada" });
    await createClient({ baseUrl: started.base_url, apiKey: opened.api_key }).webhooks.create({
      url: "https://receiver.example.com/",
      secret: "a secret of my own",
      client_id: "hook",
    });
    await started.stop();
    const words = [main, "migrate-storage", "--from", "sqlite:old", "--to", "sqlite:new"];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, {
      cwd: folder,
      env: BARE_ENVIRONMENT,
    });
    expect(stdout).toMatch(/^\d+ records in \d+ tables and 0 blobs are identical in both storages\.\n$/);
    expect(stderr).toContain("copying accounts: 1\n");
    expect(stderr).toContain("verifying accounts: 1 of 1\n");
    expect(readFileSync(at("new/encryption.key"))).toEqual(readFileSync(at("old/encryption.key")));

    rmSync(at("old"), { recursive: true });
    const moved = await startProcess({ DATA_DIR: at("new"), SMTP_PORT: "off" }, folder);
    const client = createClient({ baseUrl: moved.base_url, apiKey: opened.api_key });
    const hook = await client.webhooks.create({ url: "https://x.example.com/", client_id: "hook" });
    expect(hook).toMatchObject({ idempotent: true });
    // Recognising the same secret as unchanged requires decrypting the stored one.
    expect(await client.webhooks.update({ webhook_id: hook.id, secret: "a secret of my own" })).toMatchObject(
      {
        previous_secret_active: false,
      },
    );
    await moved.stop();
  });

  test("copies mail, files and the search index; a second run changes nothing", async () => {
    const { api_key, inbox } = await populate("old", "ada");
    const moved = await move("old", "new");
    expect(moved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("are identical in both storages.\nSet the new server's"),
    });
    expect(await move("old", "new")).toMatchObject({ code: 0, stdout: moved.stdout });
    rmSync(at("old"), { recursive: true });
    await withService("new", async ({ letterslot }) => {
      const as = letterslot.as(await letterslot.authenticate(api_key, null));
      expect((await as.search.messages({ q: "rechnung zwei" })).data).toHaveLength(1);
      const [draft] = (await as.drafts.list({ inbox_id: inbox.id })).data;
      const attachment_id = draft?.attachments[0]?.id ?? "";
      const file = await as.drafts.attachment({
        inbox_id: inbox.id,
        draft_id: draft?.id ?? "",
        attachment_id,
      });
      expect(file.bytes.length).toBe(200_000);
    });
  });

  test("copies one account and leaves the others unchanged", async () => {
    const ada = await populate("old", "ada");
    const eve = await populate("old", "eve");
    const resident = await populate("new", "resident");
    expect(await move("old", "new", "--account", ada.account_id)).toMatchObject({ code: 0 });
    await withService("new", async ({ letterslot }) => {
      for (const { api_key } of [ada, resident])
        expect(await letterslot.authenticate(api_key, null)).toMatchObject({ type: "key" });
      await expect(letterslot.authenticate(eve.api_key, null)).rejects.toMatchObject({
        code: "invalid_api_key",
      });
    });
  });

  test("reports differences and exits with status 1", async () => {
    await populate("old", "ada");
    await populate("new", "eve");
    const moved = await move("old", "new");
    expect(moved.code).toBe(1);
    expect(moved.stdout).toContain("accounts differs: 1 records in the source, 2 in the destination.\n");
    expect(moved.stdout).toContain("The storages differ.");
  });

  test("rejects a folder in use, a different key, and a folder without data", async () => {
    await populate("old", "ada");
    const unlock = lockDataDir(openDataDir(at("old")));
    await expect(move("old", "new")).rejects.toThrow("is in use by another Letterslot");
    unlock();
    mkdirSync(at("new"));
    writeFileSync(at("old/encryption.key"), "one");
    writeFileSync(at("new/encryption.key"), "another");
    await expect(move("old", "new")).rejects.toThrow("differs from");
    copyFileSync(at("old/encryption.key"), at("new/encryption.key"));
    expect(await move("old", "new")).toMatchObject({ code: 0 });
    await expect(move("nowhere", "new")).rejects.toThrow("has no letterslot.db");
  });

  test("prints its help", async () => {
    const { stdout, code } = await move("a", "b", "--help");
    expect([stdout, code]).toEqual([expect.stringContaining("--from <storage> --to <storage>"), 0]);
  });
});
