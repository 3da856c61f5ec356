import { globSync, readFileSync } from "node:fs";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

/**
 * Where the services of core's feature tests store. In memory all tests run; on a database those that use a
 * service run once more.
 */
const databases: Record<string, string> = {
  sqlite: "packages/adapter-sqlite/test/features-on-sqlite.ts",
  postgres: "packages/adapter-postgres/test/features-on-postgres.ts",
};

const all = [
  "packages/*/{src,test,testing,conformance}/**/*.test.ts",
  "examples/**/*.test.ts",
  "test/**/*.test.ts",
  "scripts/**/*.test.ts",
  "bench/**/*.test.ts",
];

/** `LETTERSLOT_TEST_STORAGE=sqlite,postgres` runs the feature tests there; unset, all tests run in memory. */
const storages = (process.env["LETTERSLOT_TEST_STORAGE"] ?? "memory").split(",");

type Project = NonNullable<TestProjectInlineConfiguration["test"]>;

const CORE = "packages/core/**/*.test.ts";
const OTHER_PACKAGES = "packages/!(core)/**/*.test.ts";

const filesWith = (pattern: RegExp, paths: string | string[]): string[] =>
  globSync(paths).filter((path) => pattern.test(readFileSync(path, "utf8")));

/** Tests of how long processes and threads take, or what they hold: after all others. */
const measured = [
  ...filesWith(/watched-server\.ts|anonymous-memory\.ts|RssAnon/, "test/proofs/*.test.ts"),
  "packages/adapter-smtp/src/reading/mail-parser.test.ts",
];

/** Tests of features over HTTP: of the mail surface, of apps, and of the page on which an owner decides. */
const HTTP_FEATURES = [
  "packages/server/src/{http/{mail-surface,deliverability,attachment-text,feed,oauth,exports},pages/approvals}.test.ts",
];

/** They allow for how much slower the machine is, which two of them at a time make little. */
const measuring: Project = { name: "measured", maxWorkers: 2, sequence: { groupOrder: 1 } };

const inMemory: Project[] = [
  // They keep nothing in their modules that others could notice, and loading these for each file would take minutes.
  { name: "core", include: [CORE], isolate: false },
  {
    name: "packages",
    include: [OTHER_PACKAGES],
    exclude: ["**/node_modules/**", ...measured],
    isolate: false,
  },
  {
    name: "memory",
    include: all,
    exclude: ["**/node_modules/**", CORE, OTHER_PACKAGES, ...measured],
    isolate: false,
  },
  { ...measuring, include: measured },
];

const projects = storages.flatMap((name): Project[] => {
  const setup = databases[name];
  if (setup === undefined) return inMemory;
  const setupFiles = [setup];
  return [
    { name, include: featureTests(), setupFiles, isolate: false },
    { name: `${name} over HTTP`, include: HTTP_FEATURES, setupFiles, isolate: false },
  ];
});

/** Tests that do less beside all others: on one storage, or with some of their cases. All of it where the storages are named. */
if (storages.length > 1) {
  const whole = filesWith(/\b(?:proofStorageNames|casesOf)\b/, [
    "{packages/*/src,examples/*,test}/**/*.test.ts",
  ]);
  projects.push(
    { name: "all cases", include: whole.filter((path) => !measured.includes(path)), isolate: false },
    { ...measuring, include: whole.filter((path) => measured.includes(path)) },
  );
}

export default defineConfig({
  test: {
    projects: projects.map((test) => ({ extends: true, test })),
    globalSetup: [
      "test/support/postgres-server.ts",
      "packages/adapter-postgres/test/fresh-database.ts",
      "test/support/built-programs.ts",
    ],
    setupFiles: ["test/support/same-cases.ts"],
    pool: "forks",
    // More than the cores of a small machine: many tests wait for a process, a clock or a disk.
    maxWorkers: 4,
    // No test is slow, but a machine may be busy: only what hangs meets these.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      // It counts in the rules alone, which costs next to nothing; V8 would count in everything that runs.
      provider: "istanbul",
      include: ["packages/core/src/**/rules.ts"],
      reporter: [["text", { skipFull: true }], "text-summary"],
      reportsDirectory: "coverage",
      // Rules decide; a branch of a rule that no test takes is a decision that nobody checked.
      thresholds: { "packages/core/src/**/rules.ts": { branches: 100 } },
    },
  },
});

/** Core's tests of a whole service. */
function featureTests(): string[] {
  return filesWith(/createTestService|\.fixture\.ts/, "packages/core/src/**/*.test.ts");
}
