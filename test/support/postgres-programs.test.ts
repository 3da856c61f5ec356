import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { linkTree, nativePostgres, providePostgres } from "./postgres-programs.ts";
import { startSeparatePostgres } from "./postgres-server.ts";

const isRoot = process.getuid?.() === 0;
/** Time limit for telling a tester that a part doesn't start. */
const HEARS_WITHIN_MS = 5_000;

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "letterslot-programs-"));
  chmodSync(home, 0o755);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("in a clone that other users can't enter", () => {
  test("PostgreSQL's programs are where their user can run them: for root, who can't, in another folder", async () => {
    const clone = join(home, "clone");
    mkdirSync(clone);
    linkTree(nativePostgres() ?? "", join(clone, "native"));
    chmodSync(clone, 0o700);
    const { initdb, as } = providePostgres(home, join(clone, "native"));
    expect(initdb).toBe(join(isRoot ? home : clone, "native/bin/initdb"));
    expect(as).toEqual(isRoot ? { uid: expect.any(Number), gid: expect.any(Number) } : {});
    expect(as.uid).not.toBe(0);
    const data = join(home, "data");
    mkdirSync(data, { mode: 0o777 });
    chmodSync(data, 0o777);
    const { stdout } = await promisify(execFile)(initdb, ["--no-sync", "-D", join(data, "db")], {
      ...as,
      cwd: home,
    });
    expect(stdout).toContain("Success");
  });
});

test("nothing is copied for a clone that every user can enter", () => {
  const { initdb } = providePostgres(home, reachableCopy());
  expect(initdb.startsWith(join(home, "reachable"))).toBe(true);
  expect(existsSync(join(home, "native"))).toBe(false);
});

function reachableCopy(): string {
  linkTree(nativePostgres() ?? "", join(home, "reachable"));
  return join(home, "reachable");
}

describe("when PostgreSQL can't start", () => {
  test("its programs are named, with why and what to do", () => {
    expect(() => providePostgres(home, join(home, "absent"))).toThrow(
      /^PostgreSQL can't be run in .*: .*ENOENT.*Set TMPDIR .*DATABASE_URL to a PostgreSQL\.$/,
    );
  });

  test.each([
    ["its data folder is a file", { "": "file" }, /^PostgreSQL doesn't start: .*EEXIST.*data/],
    ["its data is no database", { PG_VERSION: "9" }, /^PostgreSQL doesn't start: .*postgresql\.conf/],
  ])("a test hears why at once: %s", async (_, files, why) => {
    const data = join(home, "data");
    for (const [name, text] of Object.entries(files)) {
      if (name !== "") mkdirSync(data, { mode: 0o700 });
      writeFileSync(join(data, name), text);
    }
    const start = performance.now();
    const failed = startSeparatePostgres({ data }).then(
      () => "started",
      (error: Error) => error.message,
    );
    expect(await failed).toMatch(why);
    expect(await failed).toMatch(/set DATABASE_URL to a PostgreSQL that runs\.$/);
    expect(performance.now() - start).toBeLessThan(HEARS_WITHIN_MS);
  });
});
