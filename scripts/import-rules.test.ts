import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CommandFailed, ROOT, run } from "./run-command.ts";

/** A small tree in which each file breaks one rule of `.dependency-cruiser.mjs`, or is an allowed neighbour. */
const FILES: Record<string, string> = {
  "packages/core/src/index.ts": "export const core = 1; export type Core = number;",
  "packages/core/src/asks-client.ts": 'import "../../client/src/index.ts";',
  "packages/core/src/ports/clock.ts": "export const clock = 1; export type Clock = number;",
  "packages/core/src/owners/tasks/rules.ts":
    'import { clock } from "../../ports/clock.ts"; export const rule = clock;',
  "packages/core/src/owners/owners/rules.ts":
    'import type { Clock } from "../../ports/clock.ts"; export const rule: Clock = 1;',
  "packages/core/src/owners/tasks/operations.ts": "export const tasks = 1;",
  "packages/core/src/operations.ts": 'export * from "./owners/tasks/operations.ts";',
  "packages/core/src/events/feed/reach.ts": 'export * from "../../owners/tasks/operations.ts";',
  "packages/core/src/model/shape.ts":
    'import type { Task } from "../owners/tasks/index.ts"; export type Shape = Task;',
  "packages/core/src/mail/read.ts":
    'import type { Clock } from "../ports/clock.ts"; export type Read = Clock;',
  "packages/core/src/kernel/gate.ts":
    'import type { Assembled } from "../letterslot.ts"; export type Gate = Assembled;',
  "packages/core/src/letterslot.ts": "export type Assembled = 1;",
  "packages/core/src/owners/tasks/index.ts": "export type Task = 1;",
  "packages/core/src/owners/tasks/inner.ts": "export const inner = 1;",
  "packages/core/src/events/feed/ask.ts":
    'import { inner } from "../../owners/tasks/inner.ts"; export const ask = inner;',
  "packages/core/src/owners/approvals/good.ts":
    'import { inner } from "../tasks/inner.ts"; export const good = inner;',
  "packages/core/src/owners/tasks/early.ts":
    'import type { Owner } from "../owners/index.ts"; export type Early = Owner;',
  "packages/core/src/owners/owners/index.ts": "export type Owner = 1;",
  "packages/core/src/limits/plans/up.ts":
    'import type { Task } from "../../owners/tasks/index.ts"; export type Up = Task;',
  "packages/core/src/novelty/new.ts": 'import { core } from "../index.ts"; export const novelty = core;',
  "packages/server/src/request/up.ts": 'import { app } from "../http/app.ts"; export const up = app;',
  "packages/core/src/one.ts": 'import { two } from "./two.ts"; export const one = two;',
  "packages/core/src/two.ts": 'import { one } from "./one.ts"; export const two = one;',
  "packages/client/src/index.ts":
    'import type { Core } from "../../core/src/index.ts"; export const client: Core = 1;',
  "packages/client/src/value.ts":
    'import { core } from "../../core/src/index.ts"; export const value = core;',
  "packages/client/src/path.ts": 'import { join } from "node:path"; export const path = join;',
  "packages/client/src/outside.ts":
    'import { outside } from "../../../outside.ts"; export const inside = outside;',
  "outside.ts": "export const outside = 1;",
  "packages/adapter-sqlite/src/index.ts": 'import "../../sql/src/index.ts"; export const sqlite = 1;',
  "packages/adapter-http/src/index.ts": 'import "../../sql/src/index.ts";',
  "packages/core/internal/index.ts": "export const inner = 1;",
  "packages/adapter-s3/src/index.ts": 'import "../../core/internal/index.ts";',
  "packages/oauth/src/index.ts": 'import "../../core/internal/index.ts";',
  "packages/sql/src/index.ts": 'import "../../core/src/index.ts"; import "./nowhere.ts";',
  "packages/sql/src/upward.ts": 'import "../../adapter-sqlite/src/index.ts";',
  "packages/server/src/process/adapters.ts": 'import "../../../adapter-sqlite/src/index.ts";',
  "packages/server/src/http/app.ts": 'import "../../../adapter-sqlite/src/index.ts";',
};

interface Violation {
  rule: { name: string };
  from: string;
}

describe("the import rules", () => {
  const directory = mkdtempSync(join(tmpdir(), "letterslot-imports-"));
  let violations: Violation[] = [];

  beforeAll(async () => {
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), text);
    }
    writeFileSync(join(directory, "package.json"), "{}");
    cpSync(join(ROOT, "tsconfig.json"), join(directory, "tsconfig.json"));
    const rules = join(ROOT, ".dependency-cruiser.mjs");
    const output = await run("depcruise", ["packages", "--config", rules, "-T", "json"], {
      cwd: directory,
      quiet: true,
    }).catch((error: unknown) => {
      if (error instanceof CommandFailed) return error.output;
      throw error;
    });
    violations = (JSON.parse(output) as { summary: { violations: Violation[] } }).summary.violations;
  }, 30_000);

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  const findViolators = (rule: string): string[] => [
    ...new Set(
      violations.filter((violation) => violation.rule.name === rule).map((violation) => violation.from),
    ),
  ];

  test.each([
    ["core-stands-alone", "packages/core/src/asks-client.ts"],
    ["client-takes-types-only-from-core", "packages/client/src/value.ts"],
    ["client-has-no-dependencies", "packages/client/src/outside.ts"],
    ["client-knows-no-node", "packages/client/src/path.ts"],
    ["sql-knows-core-only", "packages/sql/src/upward.ts"],
    ["adapters-know-core-only", "packages/adapter-http/src/index.ts"],
    ["adapters-need-no-internals", "packages/adapter-s3/src/index.ts"],
    ["only-main-names-adapters", "packages/server/src/http/app.ts"],
    ["rules-are-pure", "packages/core/src/owners/tasks/rules.ts"],
    ["operations-go-through-the-catalogue", "packages/core/src/events/feed/reach.ts"],
    ["every-import-resolves", "packages/sql/src/index.ts"],
    ["every-folder-has-its-place", "packages/core/src/novelty/new.ts"],
    ["folders-import-downwards", "packages/server/src/request/up.ts"],
  ])("%s stops %s and nothing else", (rule, file) => {
    expect(findViolators(rule)).toEqual([file]);
  });

  test("core-imports-downwards stops an area, a wing, a feature and a port where they may not be seen, also for a type", () => {
    expect(findViolators("core-imports-downwards").toSorted()).toEqual([
      "packages/core/src/limits/plans/up.ts",
      "packages/core/src/mail/read.ts",
      "packages/core/src/model/shape.ts",
      "packages/core/src/owners/tasks/early.ts",
    ]);
  });

  test("features-have-a-face stops whoever reaches past the index.ts of a feature of another wing", () => {
    expect(findViolators("features-have-a-face").toSorted()).toEqual([
      "packages/core/src/events/feed/ask.ts",
      "packages/core/src/events/feed/reach.ts",
    ]);
  });

  test("root-is-above stops a folder that imports a file at the root", () => {
    expect(findViolators("root-is-above").toSorted()).toEqual([
      "packages/core/src/kernel/gate.ts",
      "packages/core/src/novelty/new.ts",
    ]);
  });

  test("core/src has at most six files of code at its root", () => {
    const files = readdirSync(join(ROOT, "packages/core/src")).filter((name) =>
      /(?<!\.test)\.ts$/.test(name),
    );
    expect(files.length).toBeLessThanOrEqual(6);
  });

  test("no-cycles stops files that import each other", () => {
    expect(findViolators("no-cycles")).toContain("packages/core/src/one.ts");
  });

  test("packages-meet-at-their-exports stops a path into another package", () => {
    expect(findViolators("packages-meet-at-their-exports")).toContain("packages/core/src/asks-client.ts");
  });
});
