import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

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
];

/** `LETTERSLOT_TEST_STORAGE=sqlite,postgres` runs the feature tests there; `pnpm test` runs all three. */
const storages = (process.env["LETTERSLOT_TEST_STORAGE"] ?? "memory").split(",");

/** Tests of how much time something takes: alone on the machine, after all others. */
const measured = all
  .flatMap((pattern) => globSync(pattern, { exclude: ["**/node_modules/**"] }))
  .filter((path) => /processor-time\.ts|watched-server\.ts|puUsage\(/.test(readFileSync(path, "utf8")));

export default defineConfig({
  test: {
    projects: [
      ...storages.map((name) => {
        const setup = databases[name];
        const test =
          setup === undefined
            ? { name, include: all, exclude: ["**/node_modules/**", ...measured] }
            : { name, include: featureTests(), setupFiles: [setup] };
        return { extends: true, test };
      }),
      ...(storages.includes("memory")
        ? [
            {
              extends: true as const,
              test: { name: "measured", include: measured, maxWorkers: 1, sequence: { groupOrder: 1 } },
            },
          ]
        : []),
    ],
    globalSetup: "test/support/postgres-server.ts",
    pool: "forks",
    // More than the cores of a small machine: many tests wait for a process, a clock or a disk.
    maxWorkers: 3,
    // No test is slow, but a machine may be busy: only what hangs meets these.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      provider: "v8",
      include: ["packages/core/src/**/rules.ts"],
      reporter: [["text", { skipFull: true }], "text-summary"],
      reportsDirectory: "coverage",
      // Rules decide; a branch of a rule that no test takes is a decision that nobody checked.
      thresholds: { "packages/core/src/**/rules.ts": { branches: 100 } },
    },
  },
});

/**
 * Core's tests of a whole service, and those over HTTP of the mail surface and of the page on which an owner
 * decides.
 */
function featureTests(): string[] {
  const tests = globSync("packages/core/src/**/*.test.ts");
  const features = tests.filter((path) => /createTestService|\.fixture\.ts/.test(readFileSync(path, "utf8")));
  return [
    ...features,
    "packages/server/src/{http/{mail-surface,deliverability,attachment-text,feed},pages/approvals}.test.ts",
  ];
}
