import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";
import { openReader, openWriter } from "./connection.ts";

let path: string;
let remove: () => Promise<void>;

beforeEach(async () => {
  const temporary = await temporaryFolder();
  remove = temporary.remove;
  path = join(temporary.folder, "mail.db");
  const first = openWriter(path, 0);
  first.script("create table rows (text text)");
  first.close();
});

afterEach(() => remove());

/** Starts another process that locks the database exclusively; returns its output, and a promise of its end. */
async function lockInAnotherProcess(held_ms: number) {
  const script = fileURLToPath(new URL("../test/hold-database.ts", import.meta.url));
  const child = spawn(process.execPath, [script, path, String(held_ms)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const [printed] = (await once(child.stdout.setEncoding("utf8"), "data")) as [string];
  return { printed: printed.trim(), ended };
}

test("opening waits for another process that is opening or closing the file; later writes do not wait in SQLite", async () => {
  const { printed, ended } = await lockInAnotherProcess(300);
  expect(printed).toBe("held");
  const writer = openWriter(path, 0);
  expect(writer.row("pragma busy_timeout")).toEqual({ timeout: 0 });
  writer.close();
  await ended;
});

test("reopening the writer keeps the locks of this process's other connections", async () => {
  const reader = openReader(path, 0);
  expect(reader.row("select count(*) as n from rows")).toEqual({ n: 0 });
  const writer = openWriter(path, 0);
  const { printed, ended } = await lockInAnotherProcess(0);
  expect(printed).toBe("SQLITE_BUSY");
  await ended;
  writer.close();
  reader.close();
});
