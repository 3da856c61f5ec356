import { describe, expect, test } from "vitest";
import { isPublic, parseNetworks } from "./addresses.ts";
import { createDestinations } from "./destination.ts";

const NOT_PUBLIC = [
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "100.100.100.200",
  "127.0.0.1",
  "127.255.255.254",
  "168.63.129.16",
  "169.254.169.254",
  "172.16.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.1.1",
  "198.18.0.1",
  "198.51.100.7",
  "203.0.113.9",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::127.0.0.1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:0:10.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::a00:1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "5f00::1",
  "fc00::1",
  "fd00:ec2::254",
  "fe80::1",
  "fe80::1%eth0",
  "fec0::1",
  "ff02::1",
  "",
  "localhost",
  "127.1",
  "example.com",
];

describe("an address", () => {
  test.each(NOT_PUBLIC)("%s is not public", (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "100.128.0.1",
    "::ffff:8.8.8.8",
    "2606:4700::1111",
    "2a00:1450::1",
  ])("%s is public", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe("a webhook's URL", () => {
  const closed = createDestinations({});

  test.each([
    "https://example.com/hook",
    "https://example.com:8443/hook?token=a#part",
    "https://8.8.8.8/hook",
    "https://[2606:4700::1111]/hook",
    "https://xn--bcher-kva.example/",
  ])("%s is allowed", (url) => {
    expect(closed.refusal(url)).toBeNull();
  });

  test.each([
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.1/",
    "https://017700000001/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://①②⑦.0.0.1/",
    "https://0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[2002:7f00:1::]/",
    "https://169.254.169.254/latest/meta-data",
    "https://[fd00:ec2::254]/",
    "https://10.0.0.1/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://a.localhost/",
    "https://metadata.google.internal/",
    "https://printer/",
    "https://nas.local/",
    "http://example.com/hook",
    "http://127.0.0.1:8080/",
    "http://localhost/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "https://user@example.com/",
    "https://user:password@example.com/",
    "https://:password@example.com/",
    "example.com",
    "",
    "https://",
  ])("%s is refused with a reason", (url) => {
    expect(closed.refusal(url)).toMatch(/^The URL/);
  });

  test("a network that the operator allows is reachable over http and https, and no other", () => {
    const open = createDestinations({ allow: ["127.0.0.0/8", "fd12::/16"] });
    expect(open.refusal("http://127.0.0.1:3000/")).toBeNull();
    expect(open.refusal("https://127.0.0.1/")).toBeNull();
    expect(open.refusal("http://[::ffff:127.0.0.1]/")).toBeNull();
    expect(open.refusal("http://[fd12::1]/")).toBeNull();
    expect(open.refusal("http://localhost:3000/")).toBeNull();
    expect(open.refusal("http://10.0.0.1/")).not.toBeNull();
    expect(open.refusal("https://10.0.0.1/")).not.toBeNull();
    expect(open.refusal("http://[::1]/")).not.toBeNull();
    expect(open.refusal("http://example.com/")).not.toBeNull();
    expect(open.refusal("http://8.8.8.8/")).not.toBeNull();
    expect(open.refusal("https://user@127.0.0.1/")).not.toBeNull();
  });

  test("in development only localhost is reachable besides public addresses", () => {
    const development = createDestinations({ development: true });
    expect(development.refusal("http://localhost:3000/")).toBeNull();
    expect(development.refusal("http://127.0.0.1:3000/")).toBeNull();
    expect(development.refusal("http://[::1]:3000/")).toBeNull();
    expect(development.refusal("http://10.0.0.1/")).not.toBeNull();
    expect(development.refusal("http://printer/")).not.toBeNull();
    expect(development.refusal("http://example.com/")).not.toBeNull();
    expect(development.ruleFor("https:", "example.com")("127.0.0.1")).toBe(false);
    expect(development.ruleFor("http:", "localhost")("127.0.0.1")).toBe(true);
  });
});

test("a malformed network is an error that names it", () => {
  expect(() => parseNetworks(["10.0.0.0/8", "loopback"])).toThrow('"loopback"');
  expect(() => createDestinations({ allow: ["10.0.0.0/64"] })).toThrow('"10.0.0.0/64"');
  expect(createDestinations({ allow: ["10.0.0.1"] }).refusal("http://10.0.0.2/")).not.toBeNull();
});
