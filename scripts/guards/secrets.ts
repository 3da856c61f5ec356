import { type Guard, guard } from "./guard.ts";

const core = "packages/core/src";

/** What stays secret. No test can show that comparing takes constant time; see `sameSecret`. */
export const secrets: Guard[] = [
  guard(
    "no log line contains a secret",
    [
      "packages/server/src/process/log.ts",
      "SECRET_FIELDS.has(name) ? REDACTED : shown(value)",
      "shown(value)",
    ],
    ["packages/server/src/process/log.test.ts", "is redacted"],
  ),
  guard(
    "no log line contains extra fields of a library's error",
    [
      "packages/server/src/process/log.ts",
      "  return {\n    name,\n    message,",
      "  return {\n    ...error,\n    name,\n    message,",
    ],
    ["packages/server/src/process/log.test.ts", "an error shows its code"],
  ),
  guard(
    "a modified ciphertext is not decrypted",
    [
      `${core}/kernel/secrets.ts`,
      "decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));",
      'decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));\n      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)).toString("utf8");',
    ],
    [`${core}/kernel/secrets.test.ts`],
  ),
  guard(
    "a request's query, which contains tokens, is not logged",
    ["packages/server/src/http/app.ts", "method, path, status", "method, path: c.req.url, status"],
    ["packages/server/src/http/app.test.ts", "the log contains requests without their query"],
  ),
];
