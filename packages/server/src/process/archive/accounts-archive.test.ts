import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createSqliteBlobs, createSqliteStorage } from "@letterslot/adapter-sqlite";
import { zipOf } from "@letterslot/core/internal";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtServer } from "../../../../../test/support/built-programs.ts";
import { casesOf } from "../../../../../test/support/case-count.ts";
import { furnish } from "../../../../../test/support/furnished-account.ts";
import { openZip } from "./zip.ts";

const main = await builtServer();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-archive-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
/** The domain of the test services. */
const environment = (data: string) => ({
  DATA_DIR: at(data),
  MAIL_DOMAIN: "letterslot.localhost",
  ONBOARDING: "closed",
});

/** The newest command's standard error. */
let said = "";

async function run(data: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, "accounts", ...args], {
    cwd: folder,
    env: environment(data),
  });
  said = stderr;
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** The storage of a service in a folder, as the server would use it. */
function openFolder(data: string) {
  mkdirSync(at(data), { recursive: true });
  const storage = createSqliteStorage({ path: at(`${data}/letterslot.db`) });
  const blobs = createSqliteBlobs({ storage, folder: at(`${data}/blobs`) });
  return createTestService({ storage, blobs });
}

/** A furnished account in a folder. */
async function populate(data: string) {
  const service = openFolder(data);
  const account = await furnish(service, "ada");
  await service.letterslot.services.storage.close();
  return account;
}

async function contentOf(path: string): Promise<Map<string, string>> {
  const archive = await openZip(path);
  const files = new Map<string, string>();
  try {
    for await (const file of archive.files()) {
      const pieces: Uint8Array[] = [];
      for await (const piece of await file.read()) pieces.push(piece);
      files.set(file.name, Buffer.concat(pieces).toString("latin1"));
    }
  } finally {
    await archive.close();
  }
  return files;
}

test("an account is exported into a zip and imported elsewhere, with the same ids", async () => {
  const ada = await populate("old");
  const { path } = await run("old", "export", ada.account_id, "--to", at("out"));
  expect(path).toBe(at(`out/${ada.account_id}.zip`));
  const files = await contentOf(String(path));
  expect(files.get(`mail/${ada.email}.mbox`)).toContain("Subject: ada mail");
  const imported = await run("new", "import", String(path), "--owner", "grace@example.com");
  expect(imported).toMatchObject({ account_id: ada.account_id, missing_files: 0 });
  expect(said).toMatch(/^ada-guarded@\S+ came in with send mode approval: its mail waits/m);

  const { letterslot } = openFolder("new");
  const as = letterslot.as(await letterslot.authenticate(String(imported["api_key"]), null));
  const { data } = await as.messages.list({ inbox_id: ada.inbox_id, limit: 200 });
  expect(data.map(({ id }) => id)).toContain(ada.message_id);
  expect(await letterslot.operator.accounts.authority.list(ada.account_id)).toMatchObject([
    { email: "grace@example.com", given_by: "operator" },
  ]);
  await letterslot.services.storage.close();

  await run("new", "export", ada.account_id, "--to", at("again"));
  const again = await contentOf(at(`again/${ada.account_id}.zip`));
  // Trust and decisions from elsewhere are marked; all else is the same.
  const marks = /"(?:untrusted|imported)":(?:true|false)|"claimed_until":(?:null|"[^"]*")/g;
  for (const name of ["inboxes.jsonl", "threads.jsonl", "events.jsonl", `mail/${ada.email}.mbox`])
    expect(again.get(name)?.replaceAll(marks, ""), name).toBe(files.get(name)?.replaceAll(marks, ""));
});

test("what can't be exported or imported is said in a sentence", async () => {
  const refused = (...args: string[]) =>
    run("data", ...args).then(
      () => "",
      ({ stderr }: { stderr: string }) => stderr,
    );
  expect(await refused("export", "acct_none", "--to", at("out"))).toMatch(/^There is no such account/);
  expect(existsSync(at("out/account.zip"))).toBe(false);
  writeFileSync(at("not.zip"), "not a zip");
  expect(await refused("import", at("not.zip"))).toContain("can't be read as a zip file");
  if (!casesOf(false, true)) return;
  expect(await refused("import", at("nowhere.zip"))).toContain("no such file");
  expect(await refused("import")).toContain("Usage: letterslot-server accounts");
});

/** A zip with this file, as bytes that may be changed. */
async function zipWith(name: string, content: string): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const files = (async function* () {
    yield { name, content: Readable.from([Buffer.from(content)]) };
  })();
  for await (const piece of zipOf(files, new Date("2026-01-01"))) pieces.push(piece);
  return Buffer.concat(pieces);
}

const readAll = async (bytes: Buffer) => {
  writeFileSync(at("hostile.zip"), bytes);
  return contentOf(at("hostile.zip"));
};

test.each([10_000, 300_000])(
  "a zip of %d bytes that lies about sizes, names paths, or is cut is refused",
  async (length) => {
    const content = "x".repeat(length);
    const good = await zipWith("a.jsonl", content);
    expect((await readAll(good)).get("a.jsonl")).toBe(content);
    await expect(readAll(good.subarray(0, good.length - 30))).rejects.toThrow("can't be read as a zip file");
    const directory = good.indexOf(Buffer.from("PK\u0001\u0002"));
    for (const size of [10, 1_000_000]) {
      const lying = Buffer.from(good);
      lying.writeUInt32LE(size, directory + 24);
      await expect(readAll(lying), `${size}`).rejects.toThrow("can't be read as a zip file");
    }
    const climbing = Buffer.from(
      (await zipWith("ab/cd.txt", "x")).toString("latin1").replaceAll("ab/cd.txt", "../cd.txt"),
      "latin1",
    );
    await expect(readAll(climbing)).rejects.toThrow("can't be read as a zip file");
  },
);
