import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "packages/*/{src,test,testing,conformance}/**/*.test.ts",
      "examples/**/*.test.ts",
      "test/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    globalSetup: "test/support/postgres-server.ts",
    pool: "forks",
    maxWorkers: 2,
    coverage: {
      provider: "v8",
      include: ["packages/*/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
      reporter: ["text-summary", "json-summary"],
      reportsDirectory: "coverage",
      // Rules decide; a branch of a rule that no test takes is a decision that nobody checked.
      thresholds: { "packages/core/src/**/rules.ts": { branches: 100 } },
    },
  },
});
