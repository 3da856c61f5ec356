import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../run-command.ts";
import { GUARDS } from "./all.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("every guard", () => {
  test("occurs in its file exactly once", () => {
    const found = GUARDS.flatMap(({ name, out }) =>
      out.map(({ file, text }) => ({ name, text, times: read(file).split(text).length - 1 })),
    );
    expect(found.filter(({ times }) => times !== 1)).toEqual([]);
  });

  test("has an existing test file and a unique name", () => {
    expect(GUARDS.map(({ test: { file } }) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual(
      [],
    );
    expect(new Set(GUARDS.map(({ name }) => name)).size).toBe(GUARDS.length);
  });
});

test("every test that SECURITY.md names exists", () => {
  const rows = read("SECURITY.md")
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const proofs = [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+\.test\.ts)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(proofs, row).not.toEqual([]);
    for (const path of proofs) {
      expect(globSync(`{.,packages,packages/core/src}/${path}`, { cwd: ROOT }), path).not.toEqual([]);
    }
  }
});
