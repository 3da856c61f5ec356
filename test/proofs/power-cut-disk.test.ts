import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { cuttableDisk } from "../support/cuttable-disk.ts";
import { seeded } from "../support/seeded.ts";

const running: (() => unknown)[] = [];
afterEach(() => {
  for (const stop of running.splice(0)) stop();
});

const SYNC_ROOT = `fs.fsyncSync(fs.openSync(root, "r"));`;
const SYNC = "fs.fdatasyncSync(file);";
/** Writes a file's own name to it. */
const write = (name: string, more = "") =>
  `{ const file = fs.openSync(root + "/${name}", "a"); fs.writeSync(file, "${name}"); ${more} }`;

/** Four processes write to one file, then one of them to another. */
const WRITERS = `#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char **arguments) {
  if (count != 2 || chdir(arguments[1]) != 0) return 1;
  for (int child = 0; child < 4; child++) {
    if (fork() != 0) continue;
    int file = open("sides", O_WRONLY | O_CREAT | O_APPEND, 0600);
    for (int times = 0; times < 500; times++) if (write(file, &"abcd"[child], 1) != 1) _exit(1);
    _exit(0);
  }
  for (int status = 0; wait(&status) > 0;) if (status != 0) return 1;
  FILE *stream = fopen("stream", "w");
  fputs("stream", stream);
  fclose(stream);
  int file = open("stream", O_WRONLY);
  return truncate("stream", 3) || posix_fallocate(file, 0, 5);
}
`;

/** Compiles a C program and returns its path. */
function compiled(source: string): string {
  const folder = mkdtempSync(join(tmpdir(), "letterslot-program-"));
  running.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "program");
  const { status, stderr } = spawnSync(process.env["CC"] ?? "cc", ["-x", "c", "-o", path, "-"], {
    input: source,
  });
  expect(status, stderr.toString()).toBe(0);
  return path;
}

/** Runs a program that writes in the folder `root`, and returns the files' contents after a power cut. */
function after(program: string) {
  const disk = cuttableDisk({ random: () => 0 });
  running.push(() => disk.remove());
  const script = `const fs = require("node:fs"); const root = process.argv[1]; ${program}`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", script, disk.folder], {
    env: disk.environment,
  });
  expect(status, stderr.toString()).toBe(0);
  expect(disk.findUnnoted()).toEqual([]);
  /** Without a seed only synced data is on disk. */
  return (name: string, seed?: number, names_with_files = false) => {
    const folder = mkdtempSync(join(tmpdir(), "letterslot-cut-"));
    running.push(() => rmSync(folder, { recursive: true }));
    disk.leave(disk.moment(), folder, {
      random: seed === undefined ? () => 0 : seeded(seed),
      names_with_files,
    });
    return existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined;
  };
}

describe("a disk whose power is cut", () => {
  test("keeps data that was synced together with its name, and nothing else", () => {
    const unsyncedEnd = `${SYNC} fs.writeSync(file, "lost");`;
    const read = after(
      `${write("kept", unsyncedEnd)} ${write("lost")} ${SYNC_ROOT} ${write("nameless", SYNC)}`,
    );
    expect([read("kept"), read("lost"), read("nameless")]).toEqual(["kept", "", undefined]);
  });

  test("keeps the names as of their folder's last sync", () => {
    const changed = `fs.rmSync(root + "/one"); fs.renameSync(root + "/two", root + "/three");`;
    const read = after(`${write("one", SYNC)} ${write("two", SYNC)} ${SYNC_ROOT} ${changed}`);
    expect([read("one"), read("two"), read("three")]).toEqual(["one", "two", undefined]);
  });

  test("keeps a synced file's name and the names before it on file systems that promise more than POSIX", () => {
    const read = after(`${write("before")} ${write("kept", SYNC)} ${write("behind")}`);
    expect(["before", "kept", "behind"].map((name) => read(name))).toEqual([undefined, undefined, undefined]);
    expect(["before", "kept", "behind"].map((name) => read(name, undefined, true))).toEqual([
      "",
      "kept",
      undefined,
    ]);
  });

  test("sees writes of concurrent processes, to streams, by path and by allocation", () => {
    const run = `require("node:child_process").execFileSync("${compiled(WRITERS)}", [root]);`;
    const read = after(`${run} ${write("sides", SYNC)} ${write("stream", SYNC)} ${SYNC_ROOT}`);
    expect(read("sides")).toMatch(/^[abcd]{2000}sides$/);
    expect(read("stream")).toBe("str\0\0stream");
  });

  test("tears unsynced data at sector boundaries", () => {
    const read = after(
      `const file = fs.openSync(root + "/torn", "w"); ${SYNC_ROOT} fs.writeSync(file, "x".repeat(64 * 512));`,
    );
    const pieces = Array.from(
      { length: 9 },
      (_, seed) =>
        read("torn", seed)
          ?.match(/(x+|\0+)/g)
          ?.map(({ length }) => length) ?? [],
    );
    expect(pieces.flat().filter((length) => length % 512 !== 0)).toEqual([]);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeGreaterThan(2);
  });

  test("keeps no more of the data of a failed sync, whatever is synced later", () => {
    const disk = cuttableDisk({ random: () => 0 });
    running.push(() => disk.remove());
    disk.fault({ syncs: "EIO", every: 2 });
    const script = `const fs = require("node:fs"); const root = process.argv[1];
      const file = fs.openSync(root + "/file", "w"); ${SYNC_ROOT}
      fs.writeSync(file, "lost"); try { ${SYNC} } catch {} ${SYNC}`;
    expect(spawnSync(process.execPath, ["-e", script, disk.folder], { env: disk.environment }).status).toBe(
      0,
    );
    disk.cut();
    expect(readFileSync(join(disk.folder, "file"), "utf8")).toBe("");
  });
});
