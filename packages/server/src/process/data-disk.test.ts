import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { canMount } from "../../../../test/support/full-disk.ts";
import { openDataDir } from "./data-dir.ts";
import { doubtOf, doubtOfDisk, tryDisk, whyUnusable } from "./data-disk.ts";

const home = mkdtempSync(join(tmpdir(), "data-disk-"));
const mounted: string[] = [];
afterAll(() => {
  for (const path of mounted.toReversed()) execFileSync("umount", [path]);
  rmSync(home, { recursive: true });
});

/** A folder on a file system of its own. */
function mount(name: string, ...args: string[]): string {
  const path = join(home, name);
  mkdirSync(path);
  execFileSync("mount", [...args, path]);
  mounted.push(path);
  return path;
}

test("a local disk holds the data, and nothing of the trial stays", () => {
  const dataDir = openDataDir(join(home, "data"));
  tryDisk(dataDir);
  expect(readdirSync(dataDir.path)).toEqual([]);
});

// Where this user may not mount, the tables below are what there is.
describe.runIf(canMount)("on file systems of their own", () => {
  test("what is in memory works, and is gone with a restart", () => {
    const dataDir = openDataDir(mount("memory", "-t", "tmpfs", "none"));
    tryDisk(dataDir);
    expect(doubtOfDisk(dataDir.path)?.says).toMatch(/in memory: .* gone when this machine restarts/);
    expect(doubtOfDisk(mount("ram", "-t", "ramfs", "none"))?.says).toMatch(/in memory/);
  });

  test("a full one is named, before and while it fills", () => {
    const path = mount("full", "-t", "tmpfs", "-o", "size=64k", "none");
    const dataDir = openDataDir(path);
    expect(() => tryDisk(dataDir)).toThrow(/which is on a full file system\. Free space on it/);
    const { bavail, bsize } = statfsSync(path);
    writeFileSync(join(path, "filling"), Buffer.alloc(bavail * bsize));
    expect(() => tryDisk(dataDir)).toThrow(/which is on a full file system\. Free space on it/);
    expect(readdirSync(path)).toEqual(["filling"]);
  });

  test("a read-only one is named, also if it became so", () => {
    const path = mount("read-only", "-t", "tmpfs", "none");
    const dataDir = openDataDir(path);
    execFileSync("mount", ["-o", "remount,ro", path]);
    expect(() => tryDisk(dataDir)).toThrow(/which is on a read-only file system\. Set it to/);
    expect(() => openDataDir(join(path, "data"))).toThrow(/which is on a read-only file system\. Set it to/);
  });

  test("one on which no program can be started is good enough", () => {
    const dataDir = openDataDir(mount("noexec", "-t", "tmpfs", "-o", "noexec,nosuid,nodev", "none"));
    expect(() => tryDisk(dataDir)).not.toThrow();
  });

  test("one that can't take files is named with its error", () => {
    const path = mount("pages", "-t", "hugetlbfs", "none");
    chmodSync(path, 0o700);
    expect(() => tryDisk(openDataDir(path))).toThrow(
      /^DATA_DIR is ".*", which .*\. Set DATA_DIR to a folder on/,
    );
  });
});

test.each([
  ["SQLITE_IOERR_SHMOPEN", /SQLite can't keep its log/],
  ["SQLITE_IOERR_SHMMAP", /SQLite can't keep its log/],
  ["SQLITE_IOERR_LOCK", /SQLite can't keep its log/],
  ["SQLITE_PROTOCOL", /SQLite can't keep its log/],
  ["NO_WAL", /SQLite can't keep its log/],
  ["SQLITE_FULL", /full file system/],
  ["EDQUOT", /full file system/],
  ["SQLITE_READONLY_DIRECTORY", /read-only file system/],
  ["EOPNOTSUPP", /without hard links \(EOPNOTSUPP\)/],
  ["EIO", /can't hold the data \(EIO\)/],
  ["", /can't hold the data \(odd\)/],
])("the error %j means that it %s", (code, said) => {
  expect(whyUnusable({ code, message: "odd" }).why).toMatch(said);
});

test.each([
  [0x6969, /network/],
  [0xff534d42, /network/],
  [0x65735546, /FUSE/],
  [0x794c7630, /gone with the container/],
  [0x01021994, /in memory/],
])("of the kind %i one says so", (kind, said) => {
  expect(doubtOf(kind)?.says).toMatch(said);
  expect(doubtOf(kind)?.fix).toMatch(/\.$/);
});

test("of ext4, XFS and btrfs there is nothing to say", () => {
  expect([0xef53, 0x58465342, 0x9123683e].map(doubtOf)).toEqual([undefined, undefined, undefined]);
});
