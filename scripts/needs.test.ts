import { describe, expect, test } from "vitest";
import { testsFor } from "./needed-files.ts";
import { neededFor } from "./needs.ts";

/** What it is needed for exists on Linux alone. */
const COMPILER = process.platform === "linux" ? ["C compiler"] : [];

describe("what a run of tests needs", () => {
  test.each<[string, string[], string[]]>([
    ["a pure test needs nothing", ["packages/core/src/limits/plans/rules.test.ts"], []],
    ["core needs nothing", ["packages/core"], []],
    ["this test needs nothing", ["scripts/needs.test.ts"], []],
    ["pages need Chromium", ["./test/owner-pages.test.ts"], ["Chromium"]],
    [
      "the kits of the queue need Redis",
      ["packages/adapter-redis-queue/src/redis-kits.test.ts:12"],
      ["Redis"],
    ],
    ["writing DNS needs its server", ["test/automatic-dns.test.ts"], ["Knot DNS"]],
    [
      "checking receipts in three languages needs Python",
      ["examples/receipts"],
      ["Python with cryptography"],
    ],
    ["cutting the power needs a compiler", ["test/proofs/power-cut-disk.test.ts"], COMPILER],
    ["all tests need all", [], ["Chromium", "Redis", "Knot DNS", "Python with cryptography", ...COMPILER]],
  ])("%s", (_, filters, names) => {
    expect(neededFor(filters)).toEqual(names);
  });

  test("is that of the tests which vitest finds by parts of their paths", () => {
    expect(testsFor(["scripts/needs"])).toEqual(["scripts/needs.test.ts"]);
    expect(testsFor(["no such test"])).toEqual([]);
  });
});
