import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../run-command.ts";
import { GUARDS } from "./all.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

describe("every guard", () => {
  test("occurs in its file exactly once", () => {
    const found = GUARDS.flatMap(({ name, out }) =>
      out.map(([file, text]) => ({ name, text, times: read(file).split(text).length - 1 })),
    );
    expect(found.filter(({ times }) => times !== 1)).toEqual([]);
  });

  test("has an existing test file and a unique name", () => {
    expect(GUARDS.map(({ test: [file] }) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual(
      [],
    );
    expect(new Set(GUARDS.map(({ name }) => name)).size).toBe(GUARDS.length);
  });
});

describe("every threat in docs/threats", () => {
  const threats = globSync("docs/threats/*.md", { cwd: ROOT }).flatMap((page) =>
    read(page)
      .split("\n## ")
      .slice(1)
      .map((section) => ({ threat: `${page}: ${section.split("\n", 1)[0]}`, section })),
  );

  test("says who tries what, what stops it, and which existing tests prove it", () => {
    expect(threats.length).toBeGreaterThan(80);
    for (const { threat, section } of threats) {
      expect(section, threat).toMatch(/^\*Tries\* \(.+\): .+\.$/m);
      expect(section, threat).toMatch(/^\*Stopped by\*: .+\.$/m);
      const proved = /^\*Proved by\*: (.+)$/m.exec(section)?.[1] ?? "";
      const proofs = [...proved.matchAll(/`([^`]+\.test\.ts)`/g)].map(([, path = ""]) => path);
      expect(proofs, threat).not.toEqual([]);
      for (const path of proofs)
        expect(globSync(`{.,packages,packages/core/src}/${path}`, { cwd: ROOT }), path).not.toEqual([]);
    }
  });

  test("is on a page that SECURITY.md links to", () => {
    const security = read("SECURITY.md");
    for (const page of globSync("docs/threats/*.md", { cwd: ROOT })) expect(security).toContain(`](${page})`);
  });
});
