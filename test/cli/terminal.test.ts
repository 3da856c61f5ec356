import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { showProgress } from "../../packages/cli/src/frame/progress.ts";
import { createTerminal } from "../../packages/cli/src/frame/terminal.ts";
import { builtCli } from "../support/built-programs.ts";
import { sendBySmtp } from "../support/smtp.ts";
import { startCliWorldWithAccount } from "./cli-world.ts";

const main = await builtCli();

const SUBJECT = `\u001b]0;owned\u0007\u001b[31mHello \u009b1m \u202etxt.exe ${"and on ".repeat(30)}`;

let world: Awaited<ReturnType<typeof startCliWorldWithAccount>>;
beforeAll(async () => {
  world = await startCliWorldWithAccount();
  // Over SMTP, as a stranger's mail comes.
  const status = await sendBySmtp(world.server.smtp_port ?? 0, {
    from: "mallory@evil.example",
    to: world.email,
    raw: Buffer.from(
      `From: mallory@evil.example\r\nTo: ${world.email}\r\nSubject: =?utf-8?B?${Buffer.from(SUBJECT).toString("base64")}?=\r\n\r\nHi.\r\n`,
    ),
  });
  if (status !== 250) throw new Error(`the mail was answered ${status}`);
});
afterAll(() => world?.close());

/** Runs a command in a terminal to its end; returns its output without colours, by line. */
async function shown(args: string[], options: { env?: Record<string, string>; cols?: number } = {}) {
  const running = world.terminal(args, options);
  const code = await running.ended;
  const raw = running.shown();
  return { code, raw, lines: raw.replace(/\u001b\[[0-9;]*m/g, "").split("\r\n") };
}

describe("in a terminal", () => {
  test("a list is a table with aligned columns that fits, and obeys nothing that a stranger wrote", async () => {
    const { code, raw, lines } = await shown(["messages", "list"], { cols: 90 });
    expect(code, raw).toBe(0);
    const [heading = "", row = ""] = lines;
    expect(heading).toMatch(/^ID +WHO +SUBJECT +STATUS +TIME$/);
    expect(row.indexOf("mallory@")).toBe(heading.indexOf("WHO"));
    expect(row).toContain("…");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
    expect(raw).toMatch(/^\u001b\[1mID/);
    expect(raw.replace(/\u001b\[(?:1|22)m/g, "")).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  test("NO_COLOR leaves colours out", async () => {
    const { raw } = await shown(["messages", "list"], { env: { NO_COLOR: "1" } });
    expect(raw).not.toContain("\u001b");
  });

  test("--json is JSON there too, and shows nothing raw", async () => {
    const { raw, lines } = await shown(["messages", "list", "--json"], { cols: 20_000 });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ from: "mallory@evil.example" });
    expect(raw).not.toMatch(/[\u001b\u0007\u202e]/);
  });

  test("a record is shown line by line", async () => {
    const { lines } = await shown(["inboxes", "get", "ada"]);
    expect(lines).toContainEqual(expect.stringMatching(/^email +ada@/));
  });

  test("an error is red, says what to do, and has no stack", async () => {
    const { code, raw } = await shown(["messages", "get", "msg_00000000000000000000"]);
    expect(code).toBe(3);
    expect(raw).toMatch(/^\u001b\[31merror:\u001b\[39m /);
    expect(raw).not.toMatch(/\.[jt]s:\d/);
  });

  test("init asks for what isn't given", async () => {
    const init = world.terminal(["init", "--profile", "asked"]);
    await init.shows("Username");
    init.type("grace\r");
    await init.shows("owner");
    init.type("\r");
    expect(await init.ended).toBe(0);
    expect(init.shown()).toContain("grace@");
    expect(init.shown()).not.toMatch(/ls_[a-z]+_[A-Za-z0-9]{10}/);
  });

  test("what deletes asks first, and does nothing unless the answer is yes", async () => {
    await world.run(["inboxes", "create", "gone-soon"]);
    const no = world.terminal(["inboxes", "delete", "gone-soon"]);
    await no.shows("[y/N]");
    no.type("n\r");
    expect(await no.ended).toBe(1);
    const yes = world.terminal(["inboxes", "delete", "gone-soon"]);
    await yes.shows("[y/N]");
    yes.type("y\r");
    expect(await yes.ended).toBe(0);
    expect(yes.shown()).toContain("Deleted");
  });

  test("Ctrl-C ends a question and a wait with 130, and leaves nothing behind on the line", async () => {
    const question = world.terminal(["init", "--profile", "never"]);
    await question.shows("Username");
    question.type("\x03");
    expect(await question.ended).toBe(130);
    const wait = world.terminal(["code", "wait", "--timeout", "300"]);
    await wait.shows("Waiting for code");
    wait.type("\x03");
    expect(await wait.ended).toBe(130);
    expect(wait.shown()).toMatch(/\r\u001b\[K(?:\^C)?$|\^C\r\u001b\[K$/);
  });

  test("a download isn't written to it", async () => {
    const { id } = (await world.client.messages.list({ inbox_id: world.inbox_id })).data[0] ?? { id: "" };
    const { code, raw } = await shown(["messages", "raw", id]);
    expect([code, raw]).toEqual([2, expect.stringContaining("-o")]);
  });

  test("the help of every level is shown, and fits", async () => {
    for (const args of [
      ["--help"],
      ["help", "inboxes"],
      ["inboxes", "list", "--help"],
      ["call", "messages.send", "--help"],
    ]) {
      const { code, lines } = await shown(args, { cols: 80 });
      expect(code, args.join(" ")).toBe(0);
      expect(lines.join("\n")).toMatch(/Usage: letterslot/);
    }
  });
});

test("progress is drawn on a terminal, over itself, and nowhere else", () => {
  const draw = (isTTY: boolean) => {
    let said = "";
    const stderr = {
      isTTY,
      write: (text: string | Uint8Array) => ((said += String(text)), true),
      on: () => undefined,
    };
    const env = { NO_COLOR: "1" };
    const terminal = createTerminal(
      { stdin: process.stdin, stdout: stderr, stderr, env },
      AbortSignal.timeout(1e6),
    );
    const progress = showProgress(terminal);
    progress.update({ what: "Mails", done: 5, total: 10 });
    progress.end();
    return said;
  };
  expect(draw(true)).toBe(`\r\u001b[KMails: ${"█".repeat(12)}${"░".repeat(12)} 5 of 10\r\u001b[K`);
  expect(draw(false)).toBe("");
});

/** The program as a process of its own, with its output in a pipe. */
const processOf = (args: string[]) =>
  spawn(process.execPath, [main, ...args], {
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });

describe("in a pipe", () => {
  test("a reader that goes away ends it in silence", async () => {
    const child = processOf(["call", "events.stream"]);
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdout.destroy();
    const mail = { inbox_id: world.inbox_id, from: "bob@example.com", subject: "Hi", text: "Hi" };
    const waiting = setInterval(() => void world.client.messages.inject(mail), 300);
    const [code] = (await once(child, "exit")) as [number | null];
    clearInterval(waiting);
    expect([code, said]).toEqual([0, ""]);
  });

  test("a disk that is full is said in a sentence", () => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [main, "inboxes", "list"], {
      env: world.env,
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, "error: The disk is full\n"]);
  });

  test("a configuration that others can write is refused, and its key sent nowhere", async () => {
    const file = join(world.home, "config/letterslot/config.json");
    chmodSync(file, 0o666);
    const refused = await world.run(["whoami"]);
    chmodSync(file, 0o600);
    expect([refused.code, refused.err]).toEqual([4, expect.stringContaining("chmod go-w")]);
  });

  test("a server that isn't there is 5, a wrong key 4", async () => {
    const nowhere = { LETTERSLOT_API_KEY: "ls_x", LETTERSLOT_URL: "http://127.0.0.1:9" };
    const [away, wrong] = [
      await world.run(["whoami"], { env: nowhere }),
      await world.run(["whoami"], { env: { LETTERSLOT_API_KEY: "ls_wrong" } }),
    ];
    expect([away.code, away.err]).toEqual([5, expect.stringContaining("letterslot serve")]);
    expect([wrong.code, wrong.err]).toEqual([4, expect.stringContaining("key")]);
    const json = await world.run(["whoami", "--json"], { env: nowhere });
    expect(JSON.parse(json.err)).toMatchObject({
      error: { code: "connection_failed", fix: expect.any(String) },
    });
  });
});
