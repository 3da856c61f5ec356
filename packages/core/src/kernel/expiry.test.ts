import { expect, test } from "vitest";
import { expiryOf } from "./expiry.ts";

const now = new Date("2026-01-01T00:00:00.000Z");

test.each([
  [{}, undefined],
  [{ expires_at: null }, null],
  [{ ttl_hours: 2 }, "2026-01-01T02:00:00.000Z"],
  [{ expires_at: "2026-01-01T00:00:00.001Z" }, "2026-01-01T00:00:00.001Z"],
])("%j ends at %s", (asked, end) => {
  expect(expiryOf(asked, now)).toBe(end);
});

test("a past expiry, or two expiries, are refused", () => {
  expect(() => expiryOf({ expires_at: "2026-01-01T00:00:00.000Z" }, now)).toThrow(
    expect.objectContaining({ code: "invalid_expiry" }),
  );
  expect(() => expiryOf({ ttl_hours: 1, expires_at: null }, now)).toThrow(
    expect.objectContaining({ code: "invalid_request" }),
  );
});
