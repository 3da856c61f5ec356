import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT, runProgram } from "../program.ts";
import type { Command, Field, Group } from "./command.ts";
import { createTerminal } from "./terminal.ts";

/** Colours, a title of the window, a cleared screen in one byte, turned text. */
const EVIL = "gnp\u001b[31m\u001b]0;owned\u0007\u009b2J\u202e\u2066\u000d\u0008!";
/** The sequences that we print ourselves: colours, and a line that is redrawn. */
const OURS = /\u001b\[\d{1,2}m|\r\u001b\[K/g;
const OBEYED =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

const record = Object.fromEntries(
  [
    "id",
    "email",
    "subject",
    "text",
    "status",
    "name",
    "domain",
    "code",
    "link",
    "api_key",
    "url",
    "type",
  ].map((field) => [field, EVIL]),
);
/** An answer that every operation may take for its own. */
const ANSWER = {
  ...record,
  [EVIL]: EVIL,
  data: [{ ...record, object: "message", from: EVIL, to: [EVIL] }],
  ...{ has_more: true, next_cursor: EVIL, records: [{ ...record, found: [EVIL], hint: EVIL }] },
  ...{ inbox: record, task: record, key: record, messages: [record] },
};
const ERROR = { error: { code: EVIL, type: EVIL, message: EVIL, param: EVIL, fix: EVIL, request_id: EVIL } };

let fails = false;
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(fails ? 400 : 200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(fails ? ERROR : ANSWER));
});
let url = "";
const home = mkdtempSync(join(tmpdir(), "letterslot-cli-"));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(home, { recursive: true, force: true });
  // The file that a command was told to write.
  rmSync("word@example.com", { force: true });
});

/** Commands that ask no server, are a server, or speak a protocol. */
const OTHERS = /^(?:serve|accounts|migrate-storage|doctor|completion|mcp|profiles|logout)\b/;

const valueOf = ({ kind, choices }: Field): string =>
  choices?.[0] ?? (kind === "json" ? "{}" : kind === "whole" || kind === "number" ? "1" : "word@example.com");

async function commandLines(group: Group, words: readonly string[] = []): Promise<string[][]> {
  const found: string[][] = [];
  for (const [name, entry] of Object.entries(group.commands)) {
    const path = [...words, name];
    const loaded: Command | Group = "load" in entry ? await entry.load() : entry;
    if ("commands" in loaded) found.push(...(await commandLines(loaded, path)));
    else {
      const args = Object.values(loaded.args ?? {}).map(valueOf);
      const options = Object.entries(loaded.options ?? {}).flatMap(([option, field]) =>
        field.required === true ? [`--${option.replaceAll("_", "-")}`, valueOf(field)] : [],
      );
      found.push([...path, ...args, ...options]);
    }
  }
  return found;
}

/** Returns the terminal output of a command line before it ends or is stopped. */
async function printed(args: readonly string[]): Promise<string> {
  let text = "";
  const out = {
    isTTY: true,
    columns: 120,
    write(data: string | Uint8Array, done?: (error?: Error | null) => void) {
      text += typeof data === "string" ? data : Buffer.from(data).toString("latin1");
      done?.();
      return true;
    },
    on: () => undefined,
  };
  let stop = () => {};
  const running = runProgram(args, {
    stdin: Readable.from([]) as never,
    ...{ stdout: out, stderr: out, version: "0" },
    env: { HOME: home, XDG_CONFIG_HOME: home, LETTERSLOT_URL: url, LETTERSLOT_API_KEY: "ls_live_x" },
    on: (_event, listener) => (stop = listener),
    exit: () => undefined,
  });
  const stopping = setTimeout(() => stop(), 700);
  await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 2_000))]);
  clearTimeout(stopping);
  return text;
}

test.each([false, true])(
  "no command prints what a terminal would obey; the server fails: %s",
  async (failing) => {
    fails = failing;
    let strangers = 0;
    const all = (await commandLines(ROOT)).filter((line) => !OTHERS.test(line.join(" ")));
    for (const line of all) {
      const text = await printed(line);
      expect(OBEYED.test(text.replace(OURS, "")), `${line.join(" ")}: ${JSON.stringify(text)}`).toBe(false);
      if (text.includes("gnp")) strangers++;
    }
    expect(all.length).toBeGreaterThan(50);
    expect(strangers).toBeGreaterThan(failing ? 40 : 20);
  },
  300_000,
);

test("what is styled keeps our own colours, and nobody else's", () => {
  let text = "";
  const out = {
    isTTY: true,
    write: (data: string | Uint8Array) => ((text += String(data)), true),
    on: () => {},
  };
  const { note, style, redraw } = createTerminal(
    { stdin: process.stdin, stdout: out, stderr: out, env: {} },
    AbortSignal.timeout(60_000),
  );
  note(`${style("red", `a${EVIL}`)} \u001b[32mb`);
  redraw(`\u001b[2Jc`);
  expect(text.startsWith("\u001b[31ma")).toBe(true);
  expect(text).toContain("\r\u001b[K [2Jc");
  expect(text.match(/\u001b/g)).toHaveLength(3);
});

test("bytes aren't written to a terminal", async () => {
  const out = { isTTY: true, write: () => true, on: () => {} };
  const streams = { stdin: process.stdin, stdout: out, stderr: out, env: {} };
  const { writeBytes } = createTerminal(streams, AbortSignal.timeout(60_000));
  expect(() => writeBytes(new Uint8Array(1))).toThrow("aren't written to a terminal");
});

/** The only files that may touch the streams: the terminal itself, the help, and protocols that run over them. */
const MAY_WRITE = ["frame/terminal.ts", "program.ts", "cli.ts", "main.js", "help.data.ts"];
const SPEAKS_OVER = ["commands/mcp.ts", "operator/run-server-command.ts"];

test("nobody prints past it", () => {
  const root = join(import.meta.dirname, "..");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.(?:ts|js)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(40);
  for (const name of files) {
    const source = readFileSync(join(root, name), "utf8");
    if (!MAY_WRITE.includes(name))
      expect(source, name).not.toMatch(/(?:stdout|stderr)\.write|console\.|process\.(?:stdout|stderr)/);
    if (!SPEAKS_OVER.includes(name))
      expect(source, name).not.toMatch(/terminal\.streams|\bstreams\b.*= context/);
  }
});
