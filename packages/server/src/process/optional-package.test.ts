import { describe, expect, test } from "vitest";
import { optionalPackage, PackageMissing } from "./optional-package.ts";

const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /somewhere.js`), {
    code: "ERR_MODULE_NOT_FOUND",
  });
const load = (error: Error) =>
  optionalPackage("@letterslot/backend", "BACKEND_URL", async () => {
    throw error;
  });

describe("an optional package", () => {
  test("is what its import gives", async () => {
    expect(
      await optionalPackage("@letterslot/backend", "BACKEND_URL", async () => ({ ready: true })),
    ).toEqual({
      ready: true,
    });
  });

  test("is asked for by its name and the setting that needs it", async () => {
    const failed = load(missing("@letterslot/backend"));
    await expect(failed).rejects.toThrow(PackageMissing);
    await expect(failed).rejects.toThrow(
      "BACKEND_URL needs the package @letterslot/backend. Install it: npm install @letterslot/backend",
    );
  });

  test.each([
    ["lacks a package of its own", missing("some-driver")],
    ["fails to load", new SyntaxError("Unexpected token")],
  ])("that %s fails with that", async (_, error) => {
    await expect(load(error)).rejects.toBe(error);
  });
});
