import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { createSqliteBlobs, createSqliteStorage } from "../packages/adapter-sqlite/src/index.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { openZip } from "../packages/server/src/process/archive/zip.ts";
import { builtServer } from "./support/built-programs.ts";
import { casesOf } from "./support/case-count.ts";
import { furnish } from "./support/furnished-account.ts";
import { proofStorageNames } from "./support/proof-storages.ts";

const MAILS = 300;
const main = await builtServer();

let folder: string;
const closing: (() => unknown)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-kills-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const at = (name: string) => join(folder, name);

/** The environment for an `accounts` command on the storage of a data folder, or on a database. */
const how = (data: string, database_url?: string) => ({
  cwd: folder,
  env: {
    ...{ DATA_DIR: at(data), MAIL_DOMAIN: "letterslot.localhost", ONBOARDING: "closed" },
    ...(database_url !== undefined && { DATABASE_URL: database_url, ENCRYPTION_KEY: "ab".repeat(32) }),
  },
});
type How = ReturnType<typeof how>;

/** A furnished account with some more mail, in a data folder. */
async function populate(data: string) {
  mkdirSync(at(data));
  const storage = createSqliteStorage({ path: at(`${data}/letterslot.db`) });
  const blobs = createSqliteBlobs({ storage, folder: at(`${data}/blobs`) });
  const service = createTestService({ storage, blobs });
  const account = await furnish(service, "ada");
  const text = `From here\n${"long ".repeat(2_000)}`;
  for (let number = 0; number < MAILS; number++)
    await service.receive({ from: account.friend, to: account.email, subject: `Mail ${number}`, text });
  await storage.close();
  return account;
}

async function filesOf(path: string): Promise<Map<string, string>> {
  const archive = await openZip(path);
  closing.push(archive.close);
  const files = new Map<string, string>();
  for await (const file of archive.files()) {
    const pieces: Uint8Array[] = [];
    for await (const piece of await file.read()) pieces.push(piece);
    files.set(file.name, Buffer.concat(pieces).toString("latin1"));
  }
  return files;
}

/** Imported approvals say so, and no imported mail proves its sender, so no thread with one is trusted. */
const asImported = (text: string | undefined): string | undefined =>
  text
    ?.replaceAll('"imported":false', '"imported":true')
    .replaceAll(/"claimed_until":"[^"]*"/g, '"claimed_until":null')
    .replaceAll(
      /"untrusted":false((?:,"[a-z_]*":(?:null|"[^"]*")){3},"received_at":")/g,
      '"untrusted":true$1',
    );

/** When a command is killed: so long after it has said this in its progress. */
type Kill = readonly [said: string, after_ms: number];

const EXPORT_KILLS = casesOf<Kill[]>(
  [["exporting messages", 0]],
  [
    ["exporting inboxes", 0],
    ["exporting threads", 20],
    ["exporting messages", 0],
  ],
);
/** Twice while messages are written, then behind them, and behind the mail; in the gate once in the midst of them and once behind. */
const IMPORT_KILLS = casesOf<Kill[]>(
  [
    ["importing threads", 150],
    ["importing mail", 0],
  ],
  [
    ["checking messages", 0],
    ["importing threads", 30],
    ["importing threads", 150],
    ["importing messages", 0],
    ["importing mail", 0],
  ],
);

/** Runs a command that is killed at each of these moments, and then to its end. */
async function runUnderKills(kills: Kill[], options: How, ...args: string[]): Promise<void> {
  for (const kill of kills) expect(await runOnce(kill, options, args), `killed at ${kill[0]}`).toBeNull();
  expect(await runOnce(undefined, options, args)).toBe(0);
}

/** Resolves to the exit status; null if it was killed. */
function runOnce(kill: Kill | undefined, options: How, args: string[]): Promise<number | null> {
  const child = spawn(process.execPath, [main, "accounts", ...args], { ...options, stdio: "pipe" });
  let said = "";
  child.stderr.on("data", (text: Buffer) => {
    said += text.toString();
    if (kill !== undefined && said.includes(kill[0])) setTimeout(() => child.kill("SIGKILL"), kill[1]);
  });
  return new Promise((resolve) => child.once("exit", resolve));
}

test.each(proofStorageNames.filter((name) => name !== "memory"))(
  "export and import into %s are whole and doubled nowhere, however often they are killed",
  async (storage) => {
    const database = storage === "PostgreSQL" ? await freshDatabase() : undefined;
    if (database !== undefined) closing.push(database.drop);
    const into = how("new", database?.url);
    const ada = await populate("old");
    await runUnderKills(EXPORT_KILLS, how("old"), "export", ada.account_id, "--to", at("out"));
    const path = at(`out/${ada.account_id}.zip`);
    await runUnderKills(IMPORT_KILLS, into, "import", path);
    const again = ["accounts", "export", ada.account_id, "--to", at("again")];
    await promisify(execFile)(process.execPath, [main, ...again], into);
    const [first, second] = [await filesOf(path), await filesOf(at(`again/${ada.account_id}.zip`))];
    for (const name of ["inboxes.jsonl", "threads.jsonl", "events.jsonl", `mail/${ada.email}.mbox`])
      expect(second.get(name), name).toBe(asImported(first.get(name)));
    const lines = (files: Map<string, string>) => files.get("messages.jsonl")?.split("\n").length;
    expect(lines(second)).toBe(lines(first));
    expect(lines(second)).toBeGreaterThan(MAILS);
  },
  600_000,
);
