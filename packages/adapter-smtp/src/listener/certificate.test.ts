import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { describe, expect, test } from "vitest";
import { CERTIFICATE_DAYS, type Certificate, generateCertificate } from "./certificate.ts";

const DAY_MS = 86_400_000;
const LONG_HOST = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.example`;

/** The certificate as a peer gets it that trusts it alone, checks the name and greets. */
async function shaken({ cert, key }: Certificate, host: string): Promise<X509Certificate | undefined> {
  const server = createServer({ cert, key }, (socket) => socket.end("220 hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: "127.0.0.1", servername: host, ca: cert });
  try {
    const [greeting] = await once(socket, "data");
    expect(String(greeting)).toBe("220 hello");
    expect(socket.authorized).toBe(true);
    return socket.getPeerX509Certificate();
  } finally {
    socket.destroy();
    server.close();
  }
}

describe("a generated certificate", () => {
  test.each([
    ["a host", "mx.example.com"],
    ["a host of one label", "localhost"],
    ["a host too long for a common name", LONG_HOST],
  ])("is taken by a TLS client that trusts it and checks the name, for %s", async (_, host) => {
    const peer = await shaken(await generateCertificate({ host, now: new Date() }), host);
    expect(peer?.checkHost(host)).toBe(host);
    expect(peer?.checkHost("other.example.com")).toBeUndefined();
  });

  test.each([
    ["2026-11-20T10:00:00.000Z"],
    // It ends in 2050 or later, or begins then, where years have four digits.
    ["2045-06-01T00:00:00.500Z"],
    ["2061-01-01T00:00:00.000Z"],
  ])("begins a day before %s and lasts ten years", async (now) => {
    const { cert } = await generateCertificate({ host: "mx.example.com", now: new Date(now) });
    const seconds = (days: number) => Math.floor((Date.parse(now) + days * DAY_MS) / 1000) * 1000;
    const { validFromDate, validToDate } = new X509Certificate(cert);
    expect(validFromDate.getTime()).toBe(seconds(-1));
    expect(validToDate.getTime()).toBe(seconds(CERTIFICATE_DAYS));
  });

  test("signs itself with its own P-256 key, is no authority, and is for servers", async () => {
    const { cert, key } = await generateCertificate({ host: "mx.example.com", now: new Date() });
    const parsed = new X509Certificate(cert);
    expect(parsed.verify(parsed.publicKey)).toBe(true);
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true);
    expect(parsed.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: "prime256v1" });
    expect(parsed).toMatchObject({
      ca: false,
      subject: "CN=mx.example.com",
      issuer: "CN=mx.example.com",
      subjectAltName: "DNS:mx.example.com",
      keyUsage: ["1.3.6.1.5.5.7.3.1"],
    });
    expect(parsed.serialNumber).toMatch(/^[0-9A-F]{20,32}$/);
  });

  test("is another one each time", async () => {
    const made = await Promise.all(
      [1, 2].map(() => generateCertificate({ host: "mx.example.com", now: new Date() })),
    );
    const [first, second] = made.map(({ cert }) => new X509Certificate(cert));
    expect(first?.serialNumber).not.toBe(second?.serialNumber);
    expect(made[0]?.key).not.toBe(made[1]?.key);
  });
});
