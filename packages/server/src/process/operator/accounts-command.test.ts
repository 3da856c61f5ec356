import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Plans } from "@letterslot/core";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BARE_ENVIRONMENT, builtServer } from "../../../../../test/support/built-programs.ts";
import { runAccountsCommand } from "./accounts-command.ts";
import { runPlanVerb } from "./accounts-plans.ts";

const main = await builtServer();

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
      ...BARE_ENVIRONMENT,
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

test("accounts get a plan of the file, which the next command knows", async () => {
  const [opened] = await printed("create", "--owner", "grace@example.com");
  const account = opened?.["account_id"] ?? "";
  writeFileSync(plans(), '{"default": "free", "plans": {"free": {"inboxes": 3}, "pro": {}}}');
  expect(await printed("set-plan", account, "pro")).toMatchObject([{ account_id: account, plan: "pro" }]);
  expect(await printed("list")).toMatchObject([{ account_id: account, plan: "pro", suspended_at: null }]);
}, 120_000);

const inService = async () => {
  const given = Plans.parse({ default: "free", plans: { free: { inboxes: 3 }, pro: {} } });
  const service = createTestService({ plans: given });
  const { account_id } = await service.signUp();
  const run = async (...args: string[]) => {
    const lines: string[] = [];
    const output = { write: (text: string) => void lines.push(text) };
    await runAccountsCommand(args, service.letterslot, output, output);
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  return { ...service, account_id, run };
};

test("the operator lists accounts, shows one, sets its plan, suspends and resumes it", async () => {
  const { run, account_id, signUp } = await inService();
  const other = await signUp("other");
  expect(await run("list")).toMatchObject([{ account_id }, { account_id: other.account_id }]);
  expect(await run("show", account_id)).toMatchObject([
    {
      plan: "free",
      first_owner_email: null,
      usage: { inboxes: { used: 1, limit: 3 }, monthly_sends: { used: 0, limit: null } },
    },
  ]);
  expect(await run("set-plan", account_id, "pro")).toMatchObject([{ plan: "pro" }]);
  expect(await run("set-plan", account_id, "default")).toMatchObject([{ plan: "free" }]);
  expect(await run("suspend", account_id)).toMatchObject([
    { suspended_at: expect.stringMatching(/^\d{4}-/) },
  ]);
  expect(await run("resume", account_id, "--json")).toMatchObject([{ suspended_at: null }]);
});

test("an unknown account ends the command with status 2, another mistake with status 1", async () => {
  const { run, account_id } = await inService();
  for (const words of [["show"], ["suspend"], ["resume"], ["set-plan", "pro"]]) {
    const [verb = "", ...more] = words;
    await expect(run(verb, "acct_other", ...more)).rejects.toMatchObject({
      status: 2,
      message: expect.stringMatching(/^There is no such account/),
    });
  }
  await expect(run("set-plan", account_id, "gold")).rejects.toMatchObject({
    status: 1,
    message: "There is no plan gold. The plans are: free, pro.",
  });
  for (const words of [
    ["show"],
    ["show", account_id, "more"],
    ["set-plan", account_id],
    ["list", account_id],
  ])
    await expect(run(...words)).rejects.toMatchObject({
      status: 1,
      message: expect.stringContaining("Usage: letterslot-server accounts"),
    });
});

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

test("an account is deleted when it is meant", async () => {
  const { run, account_id } = await inService();
  await expect(run("delete", account_id)).rejects.toThrow("Add --yes");
  expect(await run("show", account_id, "--json")).toMatchObject([{ deleted_at: null }]);
  expect(await run("delete", account_id, "--yes")).toMatchObject([{ account_id, keys_revoked: 1 }]);
  expect(await run("show", account_id, "--json")).toMatchObject([
    { deleted_at: expect.stringMatching(/^\d{4}-/) },
  ]);
  await expect(run("delete", account_id, "--yes")).rejects.toMatchObject({ status: 2 });
});
