import { expect, test } from "vitest";
import { addressGroup, isLoopbackClient } from "./client-address.ts";

test.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])("%s is a loopback address", (ip) => {
  expect(isLoopbackClient(ip)).toBe(true);
});

test.each(["128.0.0.1", "10.0.0.1", "::2", "::ffff:10.0.0.1", "127.example.com"])(
  "%s is not a loopback address",
  (ip) => {
    expect(isLoopbackClient(ip)).toBe(false);
  },
);

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s counts as %s", (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});
