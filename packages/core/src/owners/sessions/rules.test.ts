import { expect, test } from "vitest";
import { isRecent, networkOf } from "./rules.ts";

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
])("a person at %s is known in the network %s", (ip, network) => {
  expect(networkOf(ip)).toContain(network);
});

test("two hosts of one IPv6 network are in one network", () => {
  expect(networkOf("2001:db8:1:2::1")).toBe(networkOf("2001:db8:1:2:ffff::2"));
});

test.each([
  ["2026-01-01T12:00:00.000Z", true],
  ["2026-01-01T11:50:00.001Z", true],
  ["2026-01-01T11:50:00.000Z", false],
])("a sign-in of %s is recent at noon: %s", (created_at, recent) => {
  expect(isRecent({ created_at }, new Date("2026-01-01T12:00:00.000Z"))).toBe(recent);
});
