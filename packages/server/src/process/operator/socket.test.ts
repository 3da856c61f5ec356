import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@letterslot/client";
import { createTestService } from "@letterslot/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BARE_ENVIRONMENT, builtServer } from "../../../../../test/support/built-programs.ts";
import { startProcess } from "../../../testing/start-process.ts";
import { openDataDir } from "../data-dir.ts";
import { AccountsCommandError } from "./accounts-command.ts";
import { runOperatorCommand } from "./commands.ts";
import { askRunningServer, listenForOperator } from "./socket.ts";

const main = await builtServer();
const silent = { debug() {}, info() {}, warn() {}, error() {} };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-operator-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const data = () => join(folder, "data");
const socket = () => join(data(), "operator.sock");

const typed = async (...args: string[]) => {
  const env = { ...BARE_ENVIRONMENT, DATA_DIR: data() };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...args], { cwd: folder, env });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

test("a server that runs does its operator's commands; once it has stopped they open the data themselves", async () => {
  const server = await startProcess({ DATA_DIR: data() }, folder);
  try {
    const { account_id, api_key } = await createClient({ baseUrl: server.base_url }).accounts.onboard({
      username: "ada",
    });
    expect(statSync(socket()).mode & 0o777).toBe(0o600);
    expect(await typed("accounts", "list")).toMatchObject([{ account_id }]);
    expect(await typed("accounts", "suspend", account_id)).toMatchObject([{ account_id }]);
    const agent = createClient({ baseUrl: server.base_url, apiKey: api_key });
    await expect(agent.inboxes.list()).rejects.toMatchObject({ code: "account_suspended" });
    expect(await typed("accounts", "export", account_id, "--to", "backups")).toEqual([
      { account_id, path: join(folder, "backups", `${account_id}.zip`) },
    ]);
    expect(existsSync(join(folder, "backups", `${account_id}.zip`))).toBe(true);
    expect(await typed("approval-keys", "list")).toHaveLength(1);
    await expect(typed("accounts", "show", `acct_${"0".repeat(26)}`)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("account"),
    });
    expect(await server.stop()).toEqual({ code: 0, signal: null });
    expect(existsSync(socket())).toBe(false);
    expect(await typed("accounts", "list")).toMatchObject([{ account_id }]);
  } finally {
    if (server.child.exitCode === null) await server.stop("SIGKILL");
  }
}, 60_000);

describe("the socket", () => {
  const listening = async (run?: Parameters<typeof listenForOperator>[1]) => {
    const service = createTestService();
    const { account_id } = await service.signUp();
    const listener = await listenForOperator(
      openDataDir(data()),
      run ?? ((command, streams) => runOperatorCommand(command, service.letterslot, streams)),
      silent,
    );
    return { account_id, close: (timeout_ms = 1_000) => listener?.close(timeout_ms) };
  };
  const ask = async (words: string[], isTTY = false) => {
    let said = "";
    const stream = { isTTY, write: (text: string) => void (said += text) };
    const command = { name: "accounts" as const, words, cwd: folder };
    const asked = await askRunningServer(data(), command, { stdout: stream, stderr: stream });
    return asked ? said : undefined;
  };

  test("prints tables where the operator's output is a terminal, and JSON elsewhere", async () => {
    const { account_id, close } = await listening();
    expect(await ask(["list"], true)).toMatch(/^ACCOUNT +OPENED/);
    expect(JSON.parse((await ask(["list"])) ?? "")).toMatchObject({ account_id });
    await close();
  });

  test("that a killed server left behind is nobody's, and the next one replaces it", async () => {
    mkdirSync(data(), { mode: 0o700 });
    expect(await ask(["list"])).toBeUndefined();
    const listen =
      "require('node:net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))";
    await expect(promisify(execFile)(process.execPath, ["-e", listen, socket()])).rejects.toMatchObject({
      signal: "SIGKILL",
    });
    expect(existsSync(socket())).toBe(true);
    expect(await ask(["list"])).toBeUndefined();
    const { account_id, close } = await listening();
    expect(await ask(["list"])).toContain(account_id);
    await close();
    expect(existsSync(socket())).toBe(false);
  });

  test("closes in its time though a command goes on, and whoever asked is told to look first", async () => {
    const begun = Promise.withResolvers<void>();
    const { close } = await listening(() => {
      begun.resolve();
      return new Promise(() => undefined);
    });
    const asked = ask(["import", "account.zip"]).catch((error: unknown) => error);
    await begun.promise;
    await close(50);
    expect(await asked).toMatchObject({
      message:
        "The server stopped before the command had ended. Look at what it did (list, show) before you run it again.",
    });
  });

  test("does a command to its end, though whoever asked reads nothing and goes", async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<true>()];
    const { close } = await listening(async (_, { stdout }) => {
      const written = stdout.write("x".repeat(20_000_000));
      begun.resolve();
      await written;
      await stdout.write("more");
      ended.resolve(true);
    });
    const stranger = connect(socket()).pause();
    const command = { name: "accounts", words: ["list"], cwd: "/" };
    stranger.write(`${JSON.stringify({ command, terminals: { stdout: false, stderr: false } })}\n`);
    await begun.promise;
    stranger.destroy();
    expect(await ended.promise).toBe(true);
    await close();
  });

  test("refuses what isn't a command, and goes on", async () => {
    const { account_id, close } = await listening();
    for (const line of [
      "nonsense\n",
      '{"command":{"name":"rm","words":[],"cwd":"/"}}\n',
      "x".repeat(2_000_000),
    ]) {
      const stranger = connect(socket());
      let said = "";
      stranger.on("data", (chunk) => (said += String(chunk))).on("error", () => undefined);
      stranger.end(line);
      await once(stranger, "close");
      expect(said).toMatch(/"status":1/);
    }
    await expect(ask(["give"])).rejects.toBeInstanceOf(AccountsCommandError);
    await expect(ask(["show", account_id, "more", "words"])).rejects.toThrow(
      "The arguments are not complete.",
    );
    expect(await ask(["list"])).toContain(account_id);
    await close();
  });
});
