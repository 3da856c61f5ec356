import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeWholeFile } from "./write-file.ts";

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "letterslot-write-"));
  path = join(folder, "mail");
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (to: string, ...pieces: string[]) =>
  writeWholeFile(to, async (add) => {
    for (const piece of pieces) add(Buffer.from(piece));
    return "answer";
  });

test("a new file has every piece, for this user alone", async () => {
  expect(await write(path, "one ", "two")).toBe("answer");
  expect(readFileSync(path, "utf8")).toBe("one two");
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a file that fails in the middle leaves the one before, and nothing else", async () => {
  writeFileSync(path, "before");
  const failing = writeWholeFile(path, async (add) => {
    add(Buffer.from("half"));
    throw new Error("broken off");
  });
  await expect(failing).rejects.toThrow("broken off");
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["before", ["mail"]]);
});

test("what a link leads to is replaced, and the link stays", async () => {
  const link = join(folder, "link");
  writeFileSync(path, "before");
  symlinkSync(path, link);
  await write(link, "after");
  expect([readFileSync(path, "utf8"), lstatSync(link).isSymbolicLink()]).toEqual(["after", true]);
});

test("a pipe gets the bytes and stays a pipe", async () => {
  execFileSync("mkfifo", [path]);
  const reader = spawn("cat", [path], { stdio: ["ignore", "pipe", "inherit"] });
  let read = "";
  reader.stdout.setEncoding("utf8").on("data", (text: string) => (read += text));
  await write(path, "one ", "two");
  await once(reader, "close");
  expect([read, statSync(path).isFIFO()]).toEqual(["one two", true]);
});
