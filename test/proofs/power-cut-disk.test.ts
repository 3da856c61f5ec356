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

const syncRoot = `fs.fsyncSync(fs.openSync(root, "r"));`;
const sync = "fs.fdatasyncSync(file);";
/** Writes a file's own name into it. */
const write = (name: string, more = "") =>
  `{ const file = fs.openSync(root + "/${name}", "a"); fs.writeSync(file, "${name}"); ${more} }`;

/** Runs a program that writes in the folder `root`, and answers how files read after a power cut. */
function after(program: string) {
  const disk = cuttableDisk(() => 0);
  running.push(() => disk.remove());
  const script = `const fs = require("node:fs"); const root = process.argv[1]; ${program}`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", script, disk.folder], { env: disk.environment });
  expect(status, stderr.toString()).toBe(0);
  expect(disk.unnoted()).toEqual([]);
  /** Without a seed nothing is on the disk that was not synced. */
  return (name: string, seed?: number) => {
    const folder = mkdtempSync(join(tmpdir(), "letterslot-cut-"));
    running.push(() => rmSync(folder, { recursive: true }));
    disk.leave(disk.moment(), folder, { random: seed === undefined ? () => 0 : seeded(seed) });
    return existsSync(join(folder, name)) ? readFileSync(join(folder, name), "utf8") : undefined;
  };
}

describe("a disk whose power is cut", () => {
  test("keeps what was synced together with its name, and nothing else that must be kept", () => {
    const unsyncedEnd = `${sync} fs.writeSync(file, "lost");`;
    const read = after(`${write("kept", unsyncedEnd)} ${write("lost")} ${syncRoot} ${write("nameless", sync)}`);
    expect([read("kept"), read("lost"), read("nameless")]).toEqual(["kept", "", undefined]);
  });

  test("has the names as they were when their folder was synced", () => {
    const changed = `fs.rmSync(root + "/one"); fs.renameSync(root + "/two", root + "/three");`;
    const read = after(`${write("one", sync)} ${write("two", sync)} ${syncRoot} ${changed}`);
    expect([read("one"), read("two"), read("three")]).toEqual(["one", "two", undefined]);
  });

  test("tears what was not synced where its sectors end", () => {
    const read = after(`const file = fs.openSync(root + "/torn", "w"); ${syncRoot} fs.writeSync(file, "x".repeat(64 * 512));`);
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

  test("has no more of what a sync failed on, whatever is synced later", () => {
    const disk = cuttableDisk(() => 0);
    running.push(() => disk.remove());
    disk.fault({ syncs: "EIO", every: 2 });
    const script = `const fs = require("node:fs"); const root = process.argv[1];
      const file = fs.openSync(root + "/file", "w"); ${syncRoot}
      fs.writeSync(file, "lost"); try { ${sync} } catch {} ${sync}`;
    expect(spawnSync(process.execPath, ["-e", script, disk.folder], { env: disk.environment }).status).toBe(0);
    disk.cut();
    expect(readFileSync(join(disk.folder, "file"), "utf8")).toBe("");
  });
});
