import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BARE_ENVIRONMENT } from "../../testing/start-process.ts";

const main = fileURLToPath(new URL("../main.js", import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-accounts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const accounts = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, "accounts", ...args], {
    cwd: folder,
    env: { ...BARE_ENVIRONMENT, DATA_DIR: join(folder, "data"), ONBOARDING: "closed" },
  });

const printed = async (...args: string[]) => {
  const { stdout } = await accounts(...args);
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, string>);
};

test("the operator opens an account, and gives, lists and ends authority", async () => {
  const [opened] = await printed("create", "--owner", "grace@example.com");
  expect(opened?.["api_key"]).toMatch(/^ls_live_\w{40}$/);
  const account = opened?.["account_id"] ?? "";
  const [given] = await printed("authority", "give", account, "heidi@example.org");
  const listed = await printed("authority", "list", account);
  expect(listed.map(({ email, given_by }) => [email, given_by])).toEqual([
    ["grace@example.com", "operator"],
    ["heidi@example.org", "operator"],
  ]);
  expect(await printed("authority", "end", given?.["id"] ?? "")).toEqual([
    { id: given?.["id"], deleted: true },
  ]);
  expect(await printed("authority", "list", account)).toHaveLength(1);
}, 60_000);

test("what doesn't fit is said in a sentence", async () => {
  await expect(accounts("create")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Usage: letterslot-server accounts create"),
  });
  await expect(accounts("authority", "list", "acct_other")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no such account/),
  });
}, 60_000);
