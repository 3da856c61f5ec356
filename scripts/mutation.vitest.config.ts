import { defineConfig } from "vitest/config";

/** The tests that `pnpm mutate` expects to notice a changed rule: those of the rules, the gate and authentication. */
export default defineConfig({
  test: {
    include: [
      "packages/core/src/**/rules.test.ts",
      "packages/core/src/kernel/{gate,caller}.test.ts",
      "packages/core/src/accounts/keys/keys.test.ts",
    ],
    pool: "forks",
    testTimeout: 60_000,
  },
});
