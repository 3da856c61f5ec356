import { expect, test } from "vitest";
import { preferredType } from "./accepts.ts";

test.each([
  [undefined, "either"],
  ["", "either"],
  ["*/*", "either"],
  ["image/png", "either"],
  ["text/html", "html"],
  ["TEXT/HTML; charset=utf-8", "html"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "html"],
  ["text/*, */*;q=0.1", "html"],
  ["text/html, application/json;q=0.9", "html"],
  ["application/json", "json"],
  ["application/json, text/plain, */*", "json"],
  ["application/json, */*;q=0.5", "json"],
  ["text/html;q=0, */*", "json"],
  ["text/html;q=0.5, application/json", "json"],
  ["text/html, application/json", "either"],
] as const)("Accept: %s prefers %s", (accept, preferred) => {
  expect(preferredType(accept)).toBe(preferred);
});
