import { expect, test } from "vitest";
import { isInNetworks, isPublicAddress, networkList } from "./networks.ts";

test.each([
  ...["0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254"],
  ...["168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1"],
  ...["192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1"],
  ...["240.0.0.1", "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  ...["::ffff:0:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "100::1", "2001::1", "2001:db8::1"],
  ...["2002:7f00:1::", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0"],
  ...["fec0::1", "ff02::1", "2606:4700::1111%eth0", "", "localhost", "127.1", "example.com", "8.8.8.8/8"],
])("%j is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ...["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.128.0.1", "::ffff:8.8.8.8"],
  ...["2606:4700::1111", "2a00:1450::1"],
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test("networks hold their addresses, of their own family, and no others", () => {
  const networks = networkList(["10.0.0.0/8", "fd12::/16", "192.0.2.7", " ::1 "]);
  const inside = ["10.255.0.1", "::ffff:10.0.0.1", "fd12:9::1", "192.0.2.7", "::1"];
  const outside = ["11.0.0.1", "fd13::1", "192.0.2.8", "::2", "0.0.0.1", "localhost", ""];
  expect(inside.filter((address) => !isInNetworks(address, networks))).toEqual([]);
  expect(outside.filter((address) => isInNetworks(address, networks))).toEqual([]);
});

test.each(["10.0.0.0/33", "::1/129", "10.0.0.0/", "10.0.0.0/x", "10.0.0", "localhost", ""])(
  "%j is no network",
  (text) => {
    expect(() => networkList([text])).toThrow(RangeError);
  },
);
