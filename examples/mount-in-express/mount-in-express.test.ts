import { test } from "vitest";
import { expectMountedExample } from "../../test/support/mounted-example.ts";

test("the mail API is served beside the application's own routes", () =>
  expectMountedExample(import.meta.dirname));
