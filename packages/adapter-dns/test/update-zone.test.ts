import { dnsZoneKit } from "@letterslot/core/conformance";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../../../test/support/free-port.ts";
import { type KnotServer, startKnot } from "../../../test/support/knot-server.ts";
import { createDnsZones, type DnsZonesOptions } from "../src/index.ts";
import { startNameServerProxy } from "./name-server-proxy.ts";

const ZONES = Array.from({ length: 60 }, (_, index) => `zone${index}.example.com`);
const ALLOW = ["127.0.0.0/8"];
/** The form of a key; no server knows it. */
const READER_FORM = {
  key_name: "key.example.com",
  algorithm: "hmac-sha256" as const,
  secret: Buffer.alloc(32).toString("base64"),
};

let knot: KnotServer;
let used = 0;
beforeAll(async () => {
  knot = await startKnot(ZONES);
});
afterAll(() => knot.close());

/** A zone that no other test writes to. */
const freshZone = () => ZONES[used++] ?? "";

interface Chosen {
  zone?: string | null;
  domain?: string;
  port?: number;
  key?: KnotServer["reader"];
}

const openWith = (
  { zone = null, domain = "example.com", port = knot.port, key = knot.writers[0] }: Chosen,
  options: DnsZonesOptions = {},
) => {
  if (key === undefined) throw new Error("the server has a key");
  const credentials = { server: "127.0.0.1", port, ...key };
  return createDnsZones({ allow: ALLOW, timeoutMs: 5_000, ...options }).open({
    provider: "rfc2136",
    zone,
    domain,
    credentials,
  });
};

describe.each([0, 1, 2])("a zone at a real name server, by its key number %i", (number) => {
  dnsZoneKit({
    test,
    async open() {
      const apex = freshZone();
      const key = knot.writers[number] ?? knot.reader;
      const stranger = { ...key, key_name: "nobody.letterslot" };
      return {
        zone: openWith({ domain: `mail.${apex}`, key }),
        apex,
        put: (...records) => knot.put(apex, records),
        stranger: openWith({ domain: apex, key: stranger }),
        reader: openWith({ domain: apex, key: knot.reader }),
        elsewhere: openWith({ domain: "example.org", key }),
        silent: openWith({ domain: apex, key, port: await freePort() }),
        secrets: [key.secret, Buffer.from(key.secret, "base64").toString()],
        async close() {},
      };
    },
  });
});

const txt = (name: string, value: string) => ({ name, type: "TXT", value, priority: null });

test("the longest zone that has the domain is found, or the one that is named", async () => {
  const apex = freshZone();
  await openWith({ domain: `deep.below.${apex}` }).upsert(txt(`x.${apex}`, "found"), null);
  await openWith({ domain: apex, zone: apex }).upsert(txt(`x.${apex}`, "named"), null);
  expect(await openWith({ domain: apex }).list([`x.${apex}`])).toHaveLength(2);
  const not_there = openWith({ domain: apex, zone: "example.com" }).list([apex]);
  await expect(not_there).rejects.toMatchObject({
    code: "dns_zone_not_found",
    message: "The name server doesn't have example.com.",
  });
});

test("a domain outside the named zone is told at once", () => {
  for (const zone of ["example.org", "ample.com", "a.example.com"])
    expect(() => openWith({ domain: "example.com", zone })).toThrow(
      expect.objectContaining({ code: "dns_zone_mismatch" }),
    );
});

test("a name outside the zone isn't written", async () => {
  const zone = openWith({ domain: freshZone() });
  await expect(zone.upsert(txt("example.org", "text"), null)).rejects.toMatchObject({
    code: "dns_zone_mismatch",
  });
  await expect(zone.remove(txt("example.org", "text"))).rejects.toMatchObject({ code: "dns_zone_mismatch" });
});

test("what is beside a record keeps its TTL", async () => {
  const apex = freshZone();
  await knot.put(apex, [txt(apex, "site-verification=1")]);
  await openWith({ domain: apex }).upsert(txt(apex, "v=spf1 -all"), null);
  await openWith({ domain: apex }).upsert(txt(`alone.${apex}`, "text"), null);
  const lines = (await knot.read(apex)).filter((line) => line.includes(" TXT "));
  expect(lines.map((line) => line.split(" ").slice(-4)[1])).toEqual(expect.arrayContaining(["60", "300"]));
  expect(lines.filter((line) => line.includes(" 60 "))).toHaveLength(2);
});

test("a text that its owner cut into other strings is the same text", async () => {
  const apex = freshZone();
  const zone = openWith({ domain: apex });
  await knot.put(apex, [{ ...txt(apex, "v=spf1 -all"), string_bytes: 4 }]);
  expect(await zone.list([apex])).toContainEqual(txt(apex, "v=spf1 -all"));
  expect(await zone.remove(txt(apex, "v=spf1 -all"))).toBe("removed");
  expect((await knot.read(apex)).filter((line) => line.includes(" TXT "))).toEqual([]);
});

describe("a key that the server doesn't take is told apart:", () => {
  afterEach(() => void vi.useRealTimers());

  test("another secret", async () => {
    const [key] = knot.writers;
    const secret = Buffer.alloc(32, "other").toString("base64");
    const zone = openWith({ domain: freshZone(), key: { ...(key ?? knot.reader), secret } });
    await expect(zone.list(["x.example.com"])).rejects.toMatchObject({
      code: "dns_credentials_refused",
      message: "The name server knows the key by another secret.",
    });
  });

  test("another algorithm", async () => {
    const [key] = knot.writers;
    const zone = openWith({
      domain: freshZone(),
      key: { ...(key ?? knot.reader), algorithm: "hmac-sha512" },
    });
    await expect(zone.list(["x.example.com"])).rejects.toMatchObject({ code: "dns_credentials_refused" });
  });

  test("a clock that is off", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3600_000 });
    await expect(openWith({ domain: freshZone() }).list(["x.example.com"])).rejects.toMatchObject({
      code: "dns_credentials_refused",
      message: expect.stringContaining("clock"),
    });
  });
});

describe("nothing but what the server signed is believed:", () => {
  test.each<[string, (answer: Buffer) => Buffer | null]>([
    ["an answer without its signature", (answer) => bareHeader(answer)],
    ["another result", (answer) => withByte(answer, 3, 8)],
    ["a signature that is off by a bit", (answer) => withByte(answer, answer.length - 10, 1)],
    ["an answer to another message", (answer) => withByte(answer, 0, 0xff)],
    ["a question as the answer", (answer) => withByte(answer, 2, 0x80)],
    ["no DNS", () => Buffer.from("HTTP/1.1 400 Bad Request")],
    ["nothing", () => Buffer.alloc(0)],
    ["a closed connection", () => null],
  ])("%s", async (_name, change) => {
    const apex = freshZone();
    const proxy = await startNameServerProxy(knot.port, (answer) =>
      answer.readUInt16BE(2) & 0x2800 ? change(answer) : answer,
    );
    const zone = openWith({ domain: apex, port: proxy.port });
    await expect(zone.upsert(txt(`x.${apex}`, "text"), null)).rejects.toMatchObject({
      code: "dns_provider_unreachable",
    });
    await proxy.close();
  });

  test("a refusal that is not signed, which only means that nothing was done", async () => {
    const apex = freshZone();
    const proxy = await startNameServerProxy(knot.port, (answer) =>
      answer.readUInt16BE(2) & 0x2800 ? withByte(bareHeader(answer), 3, 5) : answer,
    );
    const error = openWith({ domain: apex, port: proxy.port }).list([apex]);
    await expect(error).rejects.toMatchObject({ code: "dns_permission_missing" });
    await proxy.close();
  });
});

test("a server that says nothing, or no end of it, is given up at the deadline", async () => {
  const silent = await startNameServerProxy(knot.port, () => "silence");
  const endless = await startNameServerProxy(knot.port, () => "endless");
  for (const { port } of [silent, endless]) {
    const zone = openWith({ domain: "example.com", port }, { timeoutMs: 300 });
    await expect(zone.list(["example.com"])).rejects.toMatchObject({ code: "dns_provider_unreachable" });
  }
  expect(endless.sent()).toBeLessThan(16 * 1024 * 1024);
  await Promise.all([silent.close(), endless.close()]);
});

describe("no connection is made to", () => {
  const credentials = { ...READER_FORM, port: 53 };
  const openTo = (server: string, options: DnsZonesOptions = {}) =>
    createDnsZones(options).open({
      ...{ provider: "rfc2136" as const, zone: null, domain: "example.com" },
      credentials: { ...credentials, server },
    });

  test.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "192.168.1.1",
    "::1",
    "::ffff:127.0.0.1",
    "fd00::1",
  ])("%s, which is told at once", (server) => {
    expect(() => openTo(server)).toThrow(
      expect.objectContaining({ code: "invalid_dns_credentials", param: "dns.credentials.server" }),
    );
  });

  test("a name whose addresses are private", async () => {
    const proxy = await startNameServerProxy(knot.port, (answer) => answer);
    const dns = { resolve: async () => ["127.0.0.1"] as never };
    const zone = createDnsZones({ dns }).open({
      ...{ provider: "rfc2136" as const, zone: null, domain: "example.com" },
      credentials: { ...credentials, server: "ns.example.com", port: proxy.port },
    });
    await expect(zone.list(["example.com"])).rejects.toMatchObject({ code: "invalid_dns_credentials" });
    expect(proxy.connections()).toBe(0);
    await proxy.close();
  });

  test("a name without an address, which may have one later", async () => {
    const dns = { resolve: () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" })) };
    await expect(openTo("ns.example.com", { dns }).list(["example.com"])).rejects.toMatchObject({
      code: "dns_provider_unreachable",
      message: "The name server ns.example.com has no address.",
    });
  });
});

test("a name is looked up, and the first of its addresses that answers is taken", async () => {
  const apex = freshZone();
  const dns = {
    resolve: async (_name: string, type: string) =>
      (type === "AAAA" ? ["::1"] : ["127.0.0.2", "127.0.0.1", "8.8.8.8"]) as never,
  };
  const [key = knot.reader] = knot.writers;
  const zone = createDnsZones({ allow: ["127.0.0.0/8"], dns, timeoutMs: 5_000 }).open({
    ...{ provider: "rfc2136" as const, zone: null, domain: apex },
    credentials: { ...key, server: "ns.example.com", port: knot.port },
  });
  await zone.upsert(txt(`x.${apex}`, "text"), null);
  expect(await zone.list([`x.${apex}`])).toEqual([txt(`x.${apex}`, "text")]);
});

test("a network that is none is told to the operator", () => {
  expect(() => createDnsZones({ allow: ["10.0.0.0/33"] })).toThrow(RangeError);
});

/** The header of a message alone. */
function bareHeader(message: Buffer): Buffer {
  const header = Buffer.from(message.subarray(0, 12));
  header.fill(0, 4);
  return header;
}

/** A message of which some bits of a byte are the other way round. */
function withByte(message: Buffer, offset: number, bits: number): Buffer {
  const changed = Buffer.from(message);
  changed.writeUInt8(changed.readUInt8(offset) ^ bits, offset);
  return changed;
}
