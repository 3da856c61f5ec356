import { expect, test } from "vitest";
import { clientAddress, clientSource, isLocalClient } from "./client-source.ts";

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0DB8:0:0:ffff::2", "2001:db8:0:0::/64"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s is counted as %s", (address, source) => {
  expect(clientSource(address)).toBe(source);
});

test("an IPv4-mapped IPv6 address becomes plain IPv4", () => {
  expect(["::ffff:192.0.2.7", "::FFFF:127.0.0.1", "2001:db8::1"].map(clientAddress)).toEqual([
    "192.0.2.7",
    "127.0.0.1",
    "2001:db8::1",
  ]);
});

test("only loopback addresses are local", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "192.0.2.7", "::"].map(isLocalClient)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});
