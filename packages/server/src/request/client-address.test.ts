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
    ["null if the runtime does not provide it", undefined, "198.51.100.1", ["0.0.0.0/0"], "null"],
  ])("is %s", async (_, peer, forwarded, networks, expected) => {
    expect(await addressOf(peer, forwarded, networks)).toBe(expected);
  });
});
