import { afterEach, beforeEach, expect, test } from "vitest";
import { createDns, createZoneDns } from "../packages/adapter-smtp/src/index.ts";
import type { Domain } from "../packages/core/src/index.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { type KnotServer, startKnot } from "./support/knot-server.ts";

const HOUR_MS = 3600_000;
const NAME = "agents.example.com";
const SERVICE = "service.example";

let knot: KnotServer;
beforeEach(async () => {
  knot = await startKnot(["example.com", SERVICE]);
  await knot.put(SERVICE, [
    { name: SERVICE, type: "MX", value: `mx.${SERVICE}`, priority: 10 },
    { name: SERVICE, type: "TXT", value: "v=spf1 ip4:192.0.2.1 -all", priority: null },
  ]);
});
afterEach(() => knot.close());

/** An account of a service that asks a zone's own name server, which is Knot for every zone. */
async function startService() {
  const system = createDns({ server: `127.0.0.1:${knot.port}` });
  const dns = createZoneDns({ system, allow: ["127.0.0.0/8"], port: knot.port });
  const service = createTestService({ dns, mailDomain: SERVICE });
  const account = await service.signUp();
  const domain_id = (await account.as.domains.create({ domain: NAME })).id;
  return {
    domain: () => account.as.domains.get({ domain_id }),
    zoneFile: async () => {
      const { bytes } = await account.as.domains.zoneFile({ domain_id });
      return new TextDecoder().decode(bytes);
    },
    /** Lets time pass an hour at a time, and runs the work due in it. */
    async pass(hours: number) {
      await service.work();
      for (let hour = 0; hour < hours; hour += 1) {
        await service.clock.advance(HOUR_MS);
        await service.work();
      }
    },
    events: async () =>
      (await account.as.events.list({ types: ["domain.verified", "domain.degraded"] })).data.map(
        ({ type }) => type,
      ),
  };
}

const found = ({ records }: Domain) => records.map(({ purpose, status }) => `${purpose} ${status}`);

test("a domain is verified, degraded and verified again by what its name server says, without a hand on it", async () => {
  const { domain, zoneFile, pass, events } = await startService();
  await pass(1);
  expect(await domain()).toMatchObject({ status: "pending", mail: { receiving: false, sending: false } });

  await knot.load("example.com", await zoneFile());
  await pass(1);
  const verified = await domain();
  expect(found(verified).filter((record) => !record.endsWith(" valid"))).toEqual([]);
  expect(verified).toMatchObject({
    status: "verified",
    mail: { receiving: true, sending: true },
    warnings: [],
  });
  expect(await zoneFile()).toContain("; Nothing is missing");

  const key = verified.records.find(({ purpose }) => purpose === "dkim");
  if (key === undefined) throw new Error("a domain has a key");
  await knot.remove("example.com", key.name, "TXT");
  await pass(50);
  expect(await domain()).toMatchObject({ status: "degraded", mail: { receiving: true, sending: false } });

  await knot.load("example.com", await zoneFile());
  await pass(25);
  expect(await domain()).toMatchObject({ status: "verified", mail: { receiving: true, sending: true } });
  expect(await events()).toEqual(["domain.verified", "domain.degraded"]);
});
