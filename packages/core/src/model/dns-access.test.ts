import { describe, expect, test } from "vitest";
import { LIMITS } from "../catalogue/limits.ts";
import { DnsProviderInput } from "./dns-access.ts";

const SECRET = Buffer.alloc(32, 1).toString("base64");
const cloudflare = { mode: "automatic", provider: "cloudflare", credentials: { api_token: "abc_DEF-123" } };
const rfc2136 = {
  mode: "automatic",
  provider: "rfc2136",
  credentials: { server: "ns1.example.com", key_name: "key.example.com", secret: SECRET },
};

describe("what lets us in at a provider", () => {
  test("is taken with its defaults, names in lower case", () => {
    expect(DnsProviderInput.parse(cloudflare)).toEqual({ ...cloudflare, zone: null });
    const credentials = { ...rfc2136.credentials, key_name: "Key.Example.COM." };
    expect(DnsProviderInput.parse({ ...rfc2136, zone: "Bücher.example.", credentials })).toEqual({
      ...rfc2136,
      zone: "xn--bcher-kva.example",
      credentials: { ...rfc2136.credentials, port: 53, algorithm: "hmac-sha256" },
    });
  });

  test.each<[string, object]>([
    ["a token with a line break", { api_token: "abc\r\nx-other: 1" }],
    ["an empty token", { api_token: "" }],
    ["a token beyond the limit", { api_token: "x".repeat(LIMITS.dns_token_chars + 1) }],
    ["no token", {}],
    ["a token that is no text", { api_token: 1 }],
  ])("is refused for Cloudflare with %s", (_name, credentials) => {
    const { error } = DnsProviderInput.safeParse({ ...cloudflare, credentials });
    expect(error?.issues[0]?.message).toBe("invalid_dns_credentials");
  });

  test.each<[string, object]>([
    ["no server", { server: undefined }],
    ["a server with a path", { server: "ns.example.com/x" }],
    ["a server beyond the limit", { server: "x".repeat(LIMITS.dns_name_chars + 1) }],
    ["port 0", { port: 0 }],
    ["port 65536", { port: 65_536 }],
    ["a port that is no number", { port: "53" }],
    ["an empty key name", { key_name: "" }],
    ["a key name with a space", { key_name: "a b" }],
    ["a label of 64 characters", { key_name: "x".repeat(64) }],
    ["an algorithm that is broken", { algorithm: "hmac-md5" }],
    ["a secret that isn't Base64", { secret: "no Base64!" }],
    ["an empty secret", { secret: "" }],
    ["a secret beyond the limit", { secret: "A".repeat(LIMITS.dns_secret_chars + 4) }],
  ])("is refused for a name server with %s", (_name, wrong) => {
    const credentials = { ...rfc2136.credentials, ...wrong };
    const { error } = DnsProviderInput.safeParse({ ...rfc2136, credentials });
    expect(error?.issues[0]?.message).toBe("invalid_dns_credentials");
  });

  test.each(["", "no domain", "192.0.2.1", "x".repeat(LIMITS.dns_name_chars + 1), 1])(
    "is refused with the zone %j",
    (zone) => {
      const { error } = DnsProviderInput.safeParse({ ...cloudflare, zone });
      expect(error?.issues[0]?.message).toBe("invalid_dns_zone");
    },
  );

  test("is refused of a provider that nobody knows", () => {
    const { error } = DnsProviderInput.safeParse({ ...cloudflare, provider: "other" });
    expect(error?.issues[0]?.message).toBe("dns_provider_unavailable");
  });
});
