import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runPlanVerb } from "./accounts-plans.ts";

const main = fileURLToPath(new URL("../main.js", import.meta.url));

let folder: string;
const plans = () => join(folder, "plans.json");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-accounts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const accounts = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, "accounts", ...args], {
    cwd: folder,
    env: {
      DATA_DIR: join(folder, "data"),
      ONBOARDING: "closed",
      ...(existsSync(plans()) ? { PLANS: plans() } : {}),
    },
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

test("the operator lists accounts, shows one, sets its plan, suspends and resumes it", async () => {
  const [opened] = await printed("create", "--owner", "grace@example.com");
  const account = opened?.["account_id"] ?? "";
  writeFileSync(plans(), '{"default": "free", "plans": {"free": {"inboxes": 3}, "pro": {}}}');
  const [listed, ...others] = await printed("list");
  expect(others).toEqual([]);
  expect(listed).toMatchObject({ account_id: account, plan: "free", suspended_at: null });
  const [shown] = await printed("show", account);
  expect(shown).toMatchObject({
    first_owner_email: "grace@example.com",
    usage: { inboxes: { used: 0, limit: 3 }, monthly_sends: { used: 0, limit: null } },
  });
  expect(await printed("set-plan", account, "pro")).toMatchObject([{ plan: "pro" }]);
  expect(await printed("set-plan", account, "default")).toMatchObject([{ plan: "free" }]);
  const [suspended] = await printed("suspend", account);
  expect(suspended?.["suspended_at"]).toMatch(/^\d{4}-/);
  expect(await printed("resume", account, "--json")).toMatchObject([{ suspended_at: null }]);
  await expect(accounts("set-plan", account, "gold")).rejects.toMatchObject({
    code: 1,
    stderr: "There is no plan gold. The plans are: free, pro.\n",
  });
  await expect(accounts("suspend", "acct_other")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no such account/),
  });
  await expect(accounts("show", account, "more")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Usage: letterslot-server accounts"),
  });
}, 120_000);

test("on a terminal accounts are a table", async () => {
  const { letterslot, signUp } = createTestService();
  const { account_id } = await signUp();
  const { accounts: verbs } = letterslot.operator;
  const lines: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => void lines.push(text) };
  await runPlanVerb(["list"], verbs, terminal, false);
  expect(lines[0]).toMatch(/^ACCOUNT +OPENED +PLAN +STATE +STORED +PARENT\n$/);
  expect(lines[1]).toMatch(new RegExp(`^${account_id} +\\d{4}-\\d\\d-\\d\\d +- +active +0\\.0 MB +-\\n$`));
  lines.length = 0;
  await runPlanVerb(["suspend", account_id], verbs, terminal, false);
  expect(lines.join("")).toMatch(/^State +suspended since /m);
  expect(lines.join("")).toMatch(/^inboxes +1 of any number$/m);
  lines.length = 0;
  await runPlanVerb(["show", account_id], verbs, terminal, true);
  expect(JSON.parse(lines.join(""))).toMatchObject({ account_id });
});

test("what doesn't fit is said in a sentence", async () => {
  await expect(accounts("create")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Usage: letterslot-server accounts create"),
  });
  await expect(accounts("authority", "list", "acct_other")).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no such account/),
  });
}, 60_000);
