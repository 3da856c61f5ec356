import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { storageKit } from "@letterslot/core/conformance";
import { expect, test } from "vitest";
import { openFileStorage } from "./file-storage.ts";

async function open() {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-custom-"));
  const path = join(folder, "storage.jsonl");
  const opened = [await openFileStorage(path)];
  return {
    storage: opened[0] as (typeof opened)[0],
    path,
    async reopen() {
      const again = await openFileStorage(path);
      opened.push(again);
      return again;
    },
    async close() {
      await Promise.all(opened.map((storage) => storage.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

storageKit({ test, open });

test("a line truncated by a crash is dropped, and the next one is intact", async () => {
  const { storage, path, reopen, close } = await open();
  const counter = (name: string) => ({ name, count: 1, expires_at: "2026-01-01T00:00:00.000Z" });
  await storage.insert("counters", counter("first"));
  await storage.close();
  appendFileSync(path, '[["counters","[\\"half\\"]",{"name":"ha');
  const again = await reopen();
  expect(await again.find("counters", { where: {}, limit: 10 })).toEqual([counter("first")]);
  await again.insert("counters", counter("second"));
  await again.close();
  expect(await (await reopen()).count("counters", {}, 10)).toBe(2);
  await close();
});

test("the program finds its mail again after reopening", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, "index.ts")], {
    timeout: 100_000,
  });
  expect(stdout).toBe("found after reopening: Kept in a file\n");
});
