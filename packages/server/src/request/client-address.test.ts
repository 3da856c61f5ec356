import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { clientAddressBehind } from "./client-address.ts";

/** The client address found for a request from `peer`. */
async function addressOf(
  peer: string | undefined,
  forwarded: string | undefined,
  networks: string[],
): Promise<string> {
  const find = clientAddressBehind(networks);
  const app = new Hono().get("/", (c) => c.text(String(find(c))));
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const env = peer === undefined ? {} : { incoming: { socket: { remoteAddress: peer } } };
  return (await app.request("/", { headers }, env)).text();
}

describe("the client's address", () => {
  test.each([
    ["the socket's", "203.0.113.7", undefined, [], "203.0.113.7"],
    ["the socket's, without the IPv4-in-IPv6 prefix", "::ffff:203.0.113.7", undefined, [], "203.0.113.7"],
    [
      "the socket's if the peer is not a trusted proxy",
      "203.0.113.7",
      "198.51.100.1",
      ["10.0.0.0/8"],
      "203.0.113.7",
    ],
    ["the forwarded one from a trusted proxy", "10.0.0.1", "198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"],
    ["the forwarded one from a trusted IPv6 proxy", "::1", "2001:db8::7", ["::1"], "2001:db8::7"],
    [
      "the nearest that is not a proxy, whatever the client sent",
      "10.0.0.1",
      "127.0.0.1, 198.51.100.1, 10.2.3.4",
      ["10.0.0.0/8"],
      "198.51.100.1",
    ],
    ["the forwarded one without a port", "10.0.0.1", "198.51.100.1:5123", ["10.0.0.0/8"], "198.51.100.1"],
    [
      "the last valid hop if the next is not an address",
      "10.0.0.1",
      "unknown, 10.2.3.4",
      ["10.0.0.0/8"],
      "10.2.3.4",
    ],
    ["the proxy's own without the header", "10.0.0.1", undefined, ["10.0.0.0/8"], "10.0.0.1"],
    ["a program on this machine", "127.0.0.1", undefined, [], "127.0.0.1"],
    [
      "nobody's in particular behind a proxy here that isn't trusted",
      "127.0.0.1",
      "198.51.100.1",
      [],
      "0.0.0.0",
    ],
    ["nobody's in particular behind one that is, and says nothing", "::1", "", ["::1"], "0.0.0.0"],
    ["nobody's in particular if the client is one here", "10.0.0.1", "127.0.0.1", ["10.0.0.0/8"], "0.0.0.0"],
    ["null if the runtime does not provide it", undefined, "198.51.100.1", ["0.0.0.0/0"], "null"],
  ])("is %s", async (_, peer, forwarded, networks, expected) => {
    expect(await addressOf(peer, forwarded, networks)).toBe(expected);
  });
});

describe("a request on this machine came through a proxy", () => {
  test.each(["forwarded", "via", "x-real-ip", "x-forwarded-for", "x-forwarded-proto"])(
    "if it has %s",
    async (name) => {
      const find = clientAddressBehind([]);
      const app = new Hono().get("/", (c) => c.text(String(find(c))));
      const env = { incoming: { socket: { remoteAddress: "::ffff:127.0.0.1" } } };
      const from = async (headers: Record<string, string>) =>
        (await app.request("/", { headers }, env)).text();
      expect(await from({ [name]: "x" })).toBe("0.0.0.0");
      expect(await from({ "x-request-id": "x" })).toBe("127.0.0.1");
    },
  );
});
