import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { freePort } from "../../../../test/support/free-port.ts";
import { until } from "../../../../test/support/until.ts";
import { startLetterslot } from "../../test/run-process.ts";
import { startInTerminal } from "../../test/run-terminal.ts";

let folder: string;
let env: Record<string, string>;
const undo: (() => unknown)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-operator-"));
  env = {
    HOME: folder,
    PORT: String(await freePort()),
    SMTP_PORT: String(await freePort()),
    DATA_DIR: "mail",
  };
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => startLetterslot(args, env, folder).ended;

describe("letterslot serve", () => {
  test("runs the server until a signal, in the folder that it was told", async () => {
    const server = startLetterslot(["serve"], env, folder);
    undo.push(() => server.kill("SIGKILL"));
    const answer = await until("the server", async () => {
      const response = await fetch(`http://127.0.0.1:${env["PORT"]}/readyz`).catch(() => undefined);
      return response?.ok === true ? response : undefined;
    });
    expect(await answer.json()).toEqual({ status: "ok" });
    expect(existsSync(join(folder, "mail/letterslot.db"))).toBe(true);
    const second = await run("serve");
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toMatch(/is in use by another Letterslot|is already in use/);
    expect(second.stderr).not.toMatch(/^ +at /m);
    server.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: 0 });
  });

  test("names its settings, and says which one is wrong", async () => {
    const settings = await run("serve", "--settings");
    expect(settings).toMatchObject({ code: 0 });
    expect(settings.stdout).toContain("MAIL_DOMAIN");
    env["PORT"] = "many";
    const wrong = await run("serve");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toContain('PORT is "many", which is not valid.');
  });
});

describe("the operator's commands", () => {
  test("are the server's own, under this program's name", async () => {
    const opened = await run("accounts", "create", "--owner", "mara@family.example");
    expect(opened.stderr).toBe("");
    const { account_id } = JSON.parse(opened.stdout) as { account_id: string };
    const listed = await run("accounts", "list");
    expect(JSON.parse(listed.stdout)).toMatchObject({ account_id });
    const help = await run("accounts", "--help");
    expect(help.stdout).toContain("Usage: letterslot accounts create --owner <email>");
    expect(help.stdout).not.toContain("letterslot-server");
    const copied = await run("migrate-storage", "--from", "sqlite:mail", "--to", "sqlite:copy");
    expect(copied.stdout).toContain("are identical in both storages");
    expect(existsSync(join(folder, "copy/letterslot.db"))).toBe(true);
  });

  test("end with codes that say what was wrong", async () => {
    expect(await run("accounts", "show", "acct_x")).toMatchObject({ code: 3, stdout: "" });
    const usage = await run("accounts", "frobnicate");
    expect(usage).toMatchObject({ code: 2, stdout: "" });
    expect(usage.stderr).toBe("error: The arguments are not complete.\nSee the same command with --help.\n");
    expect(await run("migrate-storage", "--from", "here")).toMatchObject({ code: 2 });
    expect(await run("migrate-storage", "--from", "sqlite:nowhere", "--to", "sqlite:copy")).toMatchObject({
      code: 1,
    });
  });

  test("the doctor prints lines of JSON when piped, and a list for people", async () => {
    const piped = await run("doctor");
    expect(piped).toMatchObject({ code: 0, stderr: "" });
    for (const line of piped.stdout.trim().split("\n"))
      expect(JSON.parse(line)).toMatchObject({ object: "check", status: "ok" });
    env["DATABASE_URL"] = `postgres://ada@127.0.0.1:${await freePort()}/mail`;
    env["ENCRYPTION_KEY"] = "ab".repeat(32);
    const terminal = startInTerminal(["doctor"], { env, cwd: folder, cols: 120 });
    expect(await terminal.ended).toBe(1);
    expect(terminal.shown()).toMatch(/^ok +data_dir +The folder /m);
    expect(terminal.shown()).toMatch(/^failed +storage +The database cannot be used/m);
    expect(terminal.shown()).toContain("1 failed");
    expect(terminal.shown()).not.toContain("letterslot-server");
  });
});
