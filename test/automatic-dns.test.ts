import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createDnsZones } from "../packages/adapter-dns/src/index.ts";
import { createDns } from "../packages/adapter-smtp/src/index.ts";
import { createTestService } from "../packages/core/testing/index.ts";
import { type KnotServer, startKnot } from "./support/knot-server.ts";
import { createServerHome } from "./support/server-process.ts";
import { until } from "./support/until.ts";

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
    mailDomain: MAIL_DOMAIN,
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

test("the ready-made server writes records where it may, and shows and logs no credentials", async () => {
  const home = await createServerHome({
    MAIL_DOMAIN,
    DNS_SERVER: `127.0.0.1:${knot.port}`,
    AUTOMATIC_DNS: "on",
    AUTOMATIC_DNS_ALLOW: "127.0.0.0/8",
    LOG_LEVEL: "debug",
  });
  const server = await home.start();
  onTestFinished(async () => {
    await server.end("SIGTERM");
    home.remove();
  });
  const before = await recordsOf(ZONE);
  const call = async (method: string, path: string, body?: object, api_key = "") => {
    const response = await fetch(`${home.base_url}/api/v1${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(api_key === "" ? {} : { authorization: `Bearer ${api_key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const { api_key: given } = await call("POST", "/onboard", { username: "ada" });
  const api_key = String(given);
  const [{ secret, ...key } = knot.reader] = knot.writers;
  const dns = { mode: "automatic", provider: "rfc2136" };
  const credentials = { server: "127.0.0.1", port: knot.port, ...key, secret };

  const wrong = { ...dns, credentials: { ...credentials, secret: "not Base64" } };
  expect(await call("POST", "/domains", { domain: DOMAIN, dns: wrong }, api_key)).toMatchObject({
    error: { code: "invalid_dns_credentials" },
  });
  const elsewhere = { ...dns, credentials: { ...credentials, server: "10.0.0.1" } };
  expect(await call("POST", "/domains", { domain: DOMAIN, dns: elsewhere }, api_key)).toMatchObject({
    error: { code: "invalid_dns_credentials" },
  });
  const asked = { domain: DOMAIN, dns: { ...dns, credentials } };
  const { id } = await call("POST", "/domains", asked, api_key);
  const shown = await until("the domain to be verified", async () => {
    const domain = await call("GET", `/domains/${String(id)}`, undefined, api_key);
    return domain["status"] === "verified" && domain;
  });
  const deleted = await call("DELETE", `/domains/${String(id)}`, undefined, api_key);
  expect(deleted).toMatchObject({ deleted: true, dns_cleanup: { errors: [] } });
  expect(await recordsOf(ZONE)).toEqual(before);
  expect(`${JSON.stringify(shown)}${server.output()}`).not.toContain(secret);
});
