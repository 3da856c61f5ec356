import { isAbsent } from "@letterslot/core/ports";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startDnsServer, type Zone } from "../../test/dns-server.ts";
import { createDns } from "./dns.ts";
import { createZoneDns } from "./zone-dns.ts";

type Server = Awaited<ReturnType<typeof startDnsServer>>;

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map(({ close }) => close()));
});

/** The system's resolver: old answers, and the addresses of the zones' own name servers. */
let known: Zone;
let system: Server;
let port: number;
beforeEach(async () => {
  known = {
    "NS example.test": ["ns.example.test"],
    "A ns.example.test": ["127.0.0.2"],
    "TXT example.test": ["old"],
  };
  system = await start(known);
});

async function start(zone: Zone, at?: { address: string; port?: number }): Promise<Server> {
  const server = await startDnsServer(zone, at);
  servers.push(server);
  return server;
}

/** Starts a zone's own name server. All of them have one port, as in the world. */
async function startZone(zone: Zone, address = "127.0.0.2"): Promise<Server> {
  const server = await start(zone, { address, ...(port > 0 ? { port } : {}) });
  port = Number(server.server.split(":")[1]);
  return server;
}
beforeEach(() => {
  port = 0;
});

const dns = (allow = ["127.0.0.0/8"]) =>
  createZoneDns({ system: createDns({ server: system.server, timeoutMs: 300 }), allow, port });

test("the zone's own name server is asked, and not a cache with an older answer", async () => {
  const own = await startZone({ "TXT example.test": ["new"], "MX a.example.test": ["10 mx.example.test"] });
  expect(await dns().resolve("Example.TEST.", "TXT")).toEqual([["new"]]);
  expect(await dns().resolve("a.example.test", "MX")).toMatchObject([
    { exchange: "mx.example.test", priority: 10 },
  ]);
  expect(own.asked).toEqual(["TXT example.test", "MX a.example.test"]);
  expect(system.asked.filter((query) => /^(?:TXT|MX) /.test(query))).toEqual([]);
});

test("what the zone doesn't have isn't there, whatever a cache remembers", async () => {
  await startZone({ "TXT other.example.test": ["x"] });
  const looking = dns().resolve("example.test", "TXT");
  await expect(looking).rejects.toMatchObject({ code: "ENOTFOUND" });
  await expect(looking.catch(isAbsent)).resolves.toBe(true);
});

test("a delegated zone is asked and not the one above it", async () => {
  known["NS sub.example.test"] = ["ns.sub.example.test"];
  known["A ns.sub.example.test"] = ["127.0.0.3"];
  const above = await startZone({ "TXT a.sub.example.test": ["above"] });
  await startZone({ "TXT a.sub.example.test": ["below"] }, "127.0.0.3");
  expect(await dns().resolve("a.sub.example.test", "TXT")).toEqual([["below"]]);
  expect(above.asked).toEqual([]);
});

test("an alias of another zone is followed to that zone's name server", async () => {
  known["NS provider.test"] = ["ns.provider.test"];
  known["A ns.provider.test"] = ["127.0.0.3"];
  await startZone({ "CNAME key.example.test": ["Key.Provider.test"] });
  await startZone({ "TXT key.provider.test": ["the key"] }, "127.0.0.3");
  expect(await dns().resolve("key.example.test", "TXT")).toEqual([["the key"]]);
  expect(await dns().resolve("key.example.test", "CNAME")).toEqual(["Key.Provider.test"]);
});

test("aliases that lead in a circle are trouble", async () => {
  await startZone({ "CNAME a.example.test": ["b.example.test"], "CNAME b.example.test": ["a.example.test"] });
  known["TXT a.example.test"] = "servfail";
  await expect(dns().resolve("a.example.test", "TXT")).rejects.toMatchObject({ code: "ESERVFAIL" });
});

test("the next name server is asked when one is down", async () => {
  known["NS example.test"] = ["ns.example.test", "ns2.example.test"];
  known["A ns2.example.test"] = ["127.0.0.3"];
  const down = await startZone({ "TXT example.test": "timeout" });
  await startZone({ "TXT example.test": ["new"] }, "127.0.0.3");
  expect(await dns().resolve("example.test", "TXT")).toEqual([["new"]]);
  expect(down.asked).toEqual(["TXT example.test"]);
});

test.each(["timeout", "servfail"] as const)(
  "where a zone's name server says nothing (%s) the system's resolver is asked",
  async (trouble) => {
    await startZone({ "TXT example.test": trouble });
    expect(await dns().resolve("example.test", "TXT")).toEqual([["old"]]);
  },
);

test.each(["timeout", "servfail"] as const)(
  "trouble of the system's resolver is trouble, and no absence: %s",
  async (trouble) => {
    known["NS example.test"] = trouble;
    known["TXT example.test"] = trouble;
    const error: unknown = await dns()
      .resolve("example.test", "TXT")
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: trouble === "timeout" ? "ETIMEOUT" : "ESERVFAIL" });
    expect(isAbsent(error)).toBe(false);
  },
);

test("a name that nobody registered isn't there", async () => {
  await expect(dns().resolve("nobody.test", "TXT")).rejects.toMatchObject({ code: "ENOTFOUND" });
});

test.each([
  ["A", "127.0.0.2"],
  ["A", "10.1.2.3"],
  ["A", "169.254.169.254"],
  ["AAAA", "::1"],
  ["AAAA", "fd00::1"],
  ["AAAA", "::ffff:127.0.0.2"],
])("a name server at a private address isn't asked: %s %s", async (type, address) => {
  known["A ns.example.test"] = [];
  known[`${type} ns.example.test`] = [address];
  const own = await startZone({ "TXT example.test": ["new"] });
  expect(await dns([]).resolve("example.test", "TXT")).toEqual([["old"]]);
  expect(own.asked).toEqual([]);
});

test("at most four addresses of four name servers are asked", async () => {
  known["NS example.test"] = Array.from({ length: 9 }, (_, index) => `ns${index}.example.test`);
  for (let index = 0; index < 9; index += 1)
    known[`A ns${index}.example.test`] = Array.from(
      { length: 3 },
      (_none, part) => `127.0.1.${index * 3 + part + 1}`,
    );
  await startZone({ "TXT example.test": ["new"] });
  await dns().resolve("example.test", "TXT");
  expect(system.asked.filter((query) => query.startsWith("A ns"))).toHaveLength(4);
});

test("where a zone's name servers are is remembered for a minute", async () => {
  await startZone({ "TXT example.test": ["new"] });
  const resolver = dns();
  await resolver.resolve("example.test", "TXT");
  await resolver.resolve("example.test", "TXT");
  expect(system.asked.filter((query) => query === "NS example.test")).toHaveLength(1);
});
