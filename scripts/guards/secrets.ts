import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";

/**
 * What stays secret. That comparing takes the same time for every guess can't be shown by a test;
 * `sameSecret` says how it is done.
 */
export const secrets: Guard[] = [
  guard(
    "no log line holds a secret",
    [
      "packages/server/src/process/log.ts",
      "SECRET_FIELDS.has(name) ? REDACTED : shown(value)",
      "shown(value)",
    ],
    ["packages/server/src/process/log.test.ts", "is redacted"],
  ),
  guard(
    "no log line holds what a library hung on its error",
    [
      "packages/server/src/process/log.ts",
      "  return {\n    name,\n    message,",
      "  return {\n    ...error,\n    name,\n    message,",
    ],
    ["packages/server/src/process/log.test.ts", "an error shows its code"],
  ),
  guard(
    "a sealed text that was changed is not opened",
    [
      `${core}/kernel/secrets.ts`,
      "decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));",
      'decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));\n      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)).toString("utf8");',
    ],
    [`${core}/kernel/secrets.test.ts`],
  ),
  guard(
    "a request's query, where tokens stand, is not logged",
    ["packages/server/src/http/app.ts", "method, path, status", "method, path: c.req.url, status"],
    ["packages/server/src/http/app.test.ts", "the log contains requests without their query"],
  ),
];
