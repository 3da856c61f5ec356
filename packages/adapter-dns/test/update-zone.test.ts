import { dnsZoneKit } from "@letterslot/core/conformance";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../../test/support/free-port.ts";
import { type KnotServer, startKnot } from "../../../test/support/knot-server.ts";
import { createDnsZones } from "../src/index.ts";

const ZONES = Array.from({ length: 60 }, (_, index) => `zone${index}.example.com`);
const ALLOW = ["127.0.0.0/8"];

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
  allow = ALLOW,
) => {
  if (key === undefined) throw new Error("the server has a key");
  const credentials = { server: "127.0.0.1", port, ...key };
  return createDnsZones({ allow, timeout_ms: 5_000 }).open({
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

test("the kit", () => expect(knot.port).toBeGreaterThan(0));
