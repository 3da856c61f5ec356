import { test } from "vitest";
import { checkMountedExample } from "../../test/support/mounted-example.ts";

test("the mail API is served beside the application's own routes", () =>
  checkMountedExample(import.meta.dirname));
