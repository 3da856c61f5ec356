import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDataDir } from "./data-dir.ts";
import { lockDataDir } from "./data-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const modeOf = (name: string) => statSync(join(folder, name)).mode & 0o777;

test("the files of the lock are this user's alone, also those of an earlier version", () => {
  writeFileSync(join(folder, "lock.db"), "", { mode: 0o644 });
  const unlock = lockDataDir(openDataDir(folder));
  expect([modeOf("lock.db"), modeOf("lock.pid")]).toEqual([0o600, 0o600]);
  unlock();
});
