import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERROR_CATALOGUE, fail, isErrorCode, LetterslotError } from "./errors.ts";

const PACKAGES = join(import.meta.dirname, "../../..");

/** All source text of the packages, except the catalogue itself and tests. */
function sources(): string {
  const files = globSync("*/src/**/*.ts", { cwd: PACKAGES }).filter(
    (file) => !file.endsWith(".test.ts") && !file.endsWith("core/src/catalogue/errors.ts"),
  );
  return files.map((file) => readFileSync(join(PACKAGES, file), "utf8")).join("\n");
}

describe("the error catalogue", () => {
  test("has no code that nothing can throw", () => {
    const text = sources();
    expect(Object.keys(ERROR_CATALOGUE).filter((code) => !text.includes(`"${code}"`))).toEqual([]);
  });

  test.each(Object.entries(ERROR_CATALOGUE))("%s has a sentence and a fix", (code, { message, fix }) => {
    expect(code).toMatch(/^[a-z0-9_]+$/);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(fix).toMatch(/^[A-Z].*\.$/);
  });

  test("an error carries its code, kind, fix and whether a retry may help", () => {
    const error = fail("rate_limited", { retry_after_seconds: 3, param: "wait" });
    expect(error).toBeInstanceOf(LetterslotError);
    expect(error).toMatchObject({
      code: "rate_limited",
      kind: "rate",
      retryable: true,
      retry_after_seconds: 3,
      param: "wait",
    });
    expect(fail("inbox_not_found").retryable).toBe(false);
    expect(fail("idempotency_request_in_progress").retryable).toBe(true);
    expect(fail("storage_unavailable").retry_after_seconds).toBe(1);
  });

  test("tells its codes from other words", () => {
    expect(isErrorCode("inbox_not_found")).toBe(true);
    expect(isErrorCode("toString")).toBe(false);
  });
});
