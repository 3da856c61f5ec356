import { Hono } from "hono";
import { describe, expect, test } from "vitest";
import { clientAddressBehind } from "./client-address.ts";

/** The address found for a request from `peer`. */
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
    ["the socket's without the IPv6 form of IPv4", "::ffff:203.0.113.7", undefined, [], "203.0.113.7"],
    [
      "the socket's when the header comes from a stranger",
      "203.0.113.7",
      "198.51.100.1",
      ["10.0.0.0/8"],
      "203.0.113.7",
    ],
    ["what a trusted proxy says", "10.0.0.1", "198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"],
    ["what a trusted proxy says in IPv6", "::1", "2001:db8::7", ["::1"], "2001:db8::7"],
    [
      "the nearest that is no proxy, whatever the client wrote before",
      "10.0.0.1",
      "127.0.0.1, 198.51.100.1, 10.2.3.4",
      ["10.0.0.0/8"],
      "198.51.100.1",
    ],
    [
      "without the port that some proxies add",
      "10.0.0.1",
      "198.51.100.1:5123",
      ["10.0.0.0/8"],
      "198.51.100.1",
    ],
    [
      "the last good hop when the next is no address",
      "10.0.0.1",
      "unknown, 10.2.3.4",
      ["10.0.0.0/8"],
      "10.2.3.4",
    ],
    ["the proxy's own without a header", "10.0.0.1", undefined, ["10.0.0.0/8"], "10.0.0.1"],
    ["nobody's where the runtime doesn't tell", undefined, "198.51.100.1", ["0.0.0.0/0"], "null"],
  ])("is %s", async (_, peer, forwarded, networks, expected) => {
    expect(await addressOf(peer, forwarded, networks)).toBe(expected);
  });
});
