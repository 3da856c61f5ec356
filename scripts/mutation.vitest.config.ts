import { defineConfig } from "vitest/config";

/** The tests that `pnpm mutate` expects to notice a changed rule: those of the rules, the gate, keys and a mail's sender. */
export default defineConfig({
  test: {
    include: [
      "packages/core/src/**/rules.test.ts",
      "packages/core/src/kernel/{gate,access/caller}.test.ts",
      "packages/core/src/account/accounts/keys/keys.test.ts",
      "packages/core/src/mail/sender/{authentication,proof}.test.ts",
    ],
    pool: "forks",
    testTimeout: 60_000,
  },
});
