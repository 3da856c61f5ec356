import { execFile } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type Connection, openReader, openWriter } from "../connection.ts";
import { createCheckpoints } from "./checkpoints.ts";

const PAGES = 50;
const pages = { idle: PAGES, loaded: PAGES, load: 3 * PAGES };
/** A row of this size takes a few pages of the log. */
const ROW = "x".repeat(10_000);

let path: string;
let remove: () => Promise<void>;
let writer: Connection;

beforeEach(async () => {
  const temporary = await temporaryFolder();
  remove = temporary.remove;
  path = join(temporary.folder, "mail.db");
  writer = openWriter(path, 1_000);
  writer.script("create table rows (text text)");
});

afterEach(async () => {
  writer.close();
  await remove();
});

const put = () => writer.run("insert into rows values (?)", ROW);
const log = () => writer.row("pragma wal_checkpoint(noop)") as { log: number; checkpointed: number };

test("a thread copies committed pages into the database file, and the log restarts while writes go on", async () => {
  const checkpoints = createCheckpoints(path, { pages });
  const before = statSync(path).size;
  let longest = 0;
  await vi.waitFor(
    async () => {
      put();
      await checkpoints.follow(writer);
      const { log: length } = log();
      longest = Math.max(longest, length);
      expect(length).toBeLessThan(longest);
    },
    { timeout: 30_000, interval: 1 },
  );
  expect(longest).toBeGreaterThan(PAGES);
  expect(statSync(path).size).toBeGreaterThan(before + PAGES * 1_000);
  await checkpoints.close();
});

test("a short log is left alone", async () => {
  const checkpoints = createCheckpoints(path, { pages });
  put();
  await checkpoints.follow(writer);
  expect(log().checkpointed).toBe(0);
});

test("the log of a load grows longer before it is copied", async () => {
  const checkpoints = createCheckpoints(path, { pages });
  while (log().log < 2 * PAGES) put();
  await checkpoints.follow(writer, true);
  await checkpoints.close();
  expect(log().checkpointed).toBe(0);
  while (log().log < 3 * PAGES) put();
  await checkpoints.follow(writer, true);
  await vi.waitFor(() => expect(log().checkpointed).toBeGreaterThan(0), { timeout: 30_000 });
  await checkpoints.close();
});

test("an ended thread keeps no lock on the file: closing the last connection removes the log", async () => {
  const checkpoints = createCheckpoints(path, { pages });
  while (log().log < PAGES) put();
  await checkpoints.follow(writer);
  await vi.waitFor(() => expect(log().checkpointed).toBeGreaterThan(0), { timeout: 30_000 });
  await checkpoints.close();
  writer.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

test("an idle thread ends by itself", async () => {
  const checkpoints = createCheckpoints(path, { pages, idle_ms: 1 });
  while (log().log < PAGES) put();
  await checkpoints.follow(writer);
  await vi.waitFor(() => expect(log().checkpointed).toBeGreaterThan(0), { timeout: 30_000 });
  writer.close();
  await vi.waitFor(() => expect(existsSync(`${path}-wal`)).toBe(false), { timeout: 20_000 });
});

test("a checkpoint that fails does not stop the writer", async () => {
  const checkpoints = createCheckpoints(join(path, "nowhere"), { pages });
  while (log().log < PAGES) put();
  await checkpoints.follow(writer);
  await checkpoints.close();
  await checkpoints.follow(writer);
  put();
  expect(log().checkpointed).toBe(0);
});

test("a reader of older data that keeps a checkpoint from its end delays one commit, and no further ones", async () => {
  const checkpoints = createCheckpoints(path, { pages });
  put();
  const reader = openReader(path, 1_000);
  const held = reader.iterate({ sql: "select text from rows, (select 1 union select 2)", parameters: [] });
  held.next();
  while (log().log < PAGES) put();
  await checkpoints.follow(writer);
  const finishes = () => checkpoints.follow(writer) !== undefined;
  await vi.waitFor(() => expect(finishes()).toBe(true), { timeout: 30_000, interval: 1 });
  put();
  expect(finishes()).toBe(false);
  held.return?.();
  reader.close();
  await checkpoints.close();
});

test("a process with nothing else to do stays until a checkpoint has ended that a transaction waits for", async () => {
  const script = `
    import { setTimeout as after } from "node:timers/promises";
    import { createCheckpoints } from ${JSON.stringify(new URL("checkpoints.ts", import.meta.url).href)};
    import { openReader, openWriter } from ${JSON.stringify(new URL("../connection.ts", import.meta.url).href)};
    const path = ${JSON.stringify(path)};
    const writer = openWriter(path, 1_000);
    const checkpoints = createCheckpoints(path, { pages: ${JSON.stringify(pages)} });
    const put = () => writer.run("insert into rows values (?)", "x".repeat(10_000));
    put();
    const reader = openReader(path, 1_000);
    const held = reader.iterate({ sql: "select text from rows, (select 1 union select 2)", parameters: [] });
    held.next();
    for (let count = 0; count < ${PAGES}; count++) put();
    let ending = checkpoints.follow(writer);
    while (ending === undefined) {
      await after(5);
      ending = checkpoints.follow(writer);
    }
    await ending;
    console.log("ended");
    held.return();
    reader.close();`;
  const file = join(dirname(path), "program.mjs");
  writeFileSync(file, script);
  const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 60_000 });
  expect(stdout).toBe("ended\n");
});
