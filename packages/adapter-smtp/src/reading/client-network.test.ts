import { expect, test } from "vitest";
import { clientAddress, clientNetwork, clientSource, isLocalClient } from "./client-network.ts";

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

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["192.0.20.255", "192.0.20.0/24"],
  ["127.0.0.2", "127.0.0.0/24"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["127.0.0.1", null],
  ["::1", null],
  [null, null],
])("%s sends from the network %s", (address, network) => {
  expect(clientNetwork(address)).toBe(network);
});

test("only 127.0.0.1 and ::1 are local, not the rest of 127.0.0.0/8", () => {
  expect(["127.0.0.1", "127.9.9.9", "::1", "192.0.2.7", "::"].map(isLocalClient)).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
});
