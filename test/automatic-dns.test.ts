import { afterAll, beforeAll, expect, test } from "vitest";
import { createDnsZones } from "../packages/adapter-dns/src/index.ts";
import { createDns } from "../packages/adapter-smtp/src/index.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { type KnotServer, startKnot } from "./support/knot-server.ts";

const ZONE = "example.com";
const DOMAIN = `mail.${ZONE}`;
const MAIL_DOMAIN = "agents.example.net";
const HOUR_MS = 3600_000;
const DAYS = 3;

let knot: KnotServer;
beforeAll(async () => {
  knot = await startKnot([ZONE, MAIL_DOMAIN]);
  const own = { name: MAIL_DOMAIN, priority: null };
  await knot.put(MAIL_DOMAIN, [
    { ...own, type: "TXT", value: "v=spf1 ip4:192.0.2.1 -all" },
    { ...own, type: "MX", value: `ns.${MAIL_DOMAIN}`, priority: 10 },
  ]);
});
afterAll(() => knot.close());

/** The records of the zone without its SOA, whose serial each change moves on. */
const recordsOf = async (zone: string) =>
  (await knot.read(zone)).filter((line) => !line.includes(" SOA ")).toSorted();

test("a domain is verified at a real name server, mended there, and leaves it as it was", async () => {
  const server = `127.0.0.1:${knot.port}`;
  const service = createTestService({
    dns: createDns({ server }),
    dnsZones: createDnsZones({ allow: ["127.0.0.0/8"] }),
    options: { mail_domain: MAIL_DOMAIN },
  });
  const pass = async (ms: number) => {
    for (let hours = 0; hours < ms / HOUR_MS; hours++) {
      await service.clock.advance(HOUR_MS);
      await service.work();
    }
  };
  const account = await service.signUp();
  await knot.put(ZONE, [
    { name: DOMAIN, type: "TXT", value: "site-verification=1", priority: null },
    { name: ZONE, type: "MX", value: "mx.elsewhere.example", priority: 5 },
  ]);
  const before = await recordsOf(ZONE);

  const [key = knot.reader] = knot.writers;
  const made = await account.as.domains.create({
    domain: DOMAIN,
    dns: {
      mode: "automatic",
      provider: "rfc2136",
      credentials: { server: "127.0.0.1", port: knot.port, ...key },
    },
  });
  await service.work();
  const get = () => account.as.domains.get({ domain_id: made.id });
  await pass(HOUR_MS);
  expect(await get()).toMatchObject({
    status: "verified",
    dns: { mode: "automatic", provider: "rfc2136", last_error: null },
    mail: { receiving: true, sending: true },
    warnings: [],
  });
  expect((await recordsOf(ZONE)).length).toBe(before.length + made.records.length);

  const dkim = made.records.find(({ purpose }) => purpose === "dkim");
  await knot.remove(ZONE, dkim?.name ?? "", "TXT");
  await pass(DAYS * 24 * HOUR_MS);
  expect(await get()).toMatchObject({ status: "verified" });
  expect((await recordsOf(ZONE)).filter((line) => line.includes("_domainkey"))).toHaveLength(1);

  const deleted = await account.as.domains.delete({ domain_id: made.id });
  expect(deleted.dns_cleanup.errors).toEqual([]);
  expect(deleted.dns_cleanup.removed).toHaveLength(made.records.length);
  expect(await recordsOf(ZONE)).toEqual(before);
});
