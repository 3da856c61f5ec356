import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { freshDatabase } from "../packages/adapter-postgres/test/fresh-database.ts";
import { startDnsServer, type Zone } from "../packages/adapter-smtp/test/dns-server.ts";
import { casesOf } from "./support/case-count.ts";
import { createServerHome, type ServerHome } from "./support/server-process.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

interface Verbose {
  status: string;
  mail_domain: {
    domain: string;
    records: { purpose: string; name: string; value: string; status: string; hint: string | null }[];
  };
}

async function homeOf(zone: Zone, environment: Record<string, string> = {}): Promise<ServerHome> {
  const dns = await startDnsServer(zone);
  undo.push(dns.close);
  const home = await createServerHome({
    MAIL_DOMAIN: "agents.example.com",
    DNS_SERVER: dns.server,
    ONBOARDING: "closed",
    SMTP_URL: "mx:",
    ...environment,
  });
  undo.push(home.remove);
  return home;
}

async function start(home: ServerHome, environment: Record<string, string> = {}) {
  const server = await home.start(environment);
  undo.push(() => server.end("SIGKILL"));
  return server;
}

const verbose = async ({ base_url }: ServerHome): Promise<Verbose> =>
  (await fetch(`${base_url}/readyz?verbose`)).json() as Promise<Verbose>;

const publishedBy = async (home: ServerHome): Promise<string> =>
  (await verbose(home)).mail_domain.records.find(({ purpose }) => purpose === "dkim")?.value ?? "";

const recordOf = (pem: string): string => {
  const der = createPublicKey(createPrivateKey(pem)).export({ type: "spki", format: "der" });
  return `v=DKIM1; k=rsa; p=${der.toString("base64")}`;
};

const newPem = (): string =>
  generateKeyPairSync("rsa", { modulusLength: 2048 })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();

test("the server shows the records of MAIL_DOMAIN when it starts and when it is asked", async () => {
  const zone: Zone = {};
  const home = await homeOf(zone);
  const server = await start(home);
  const missing = await verbose(home);
  expect(missing).toMatchObject({ status: "ok", mail_domain: { domain: "agents.example.com" } });
  expect(missing.mail_domain.records.map(({ purpose, status }) => [purpose, status])).toEqual([
    ["dkim", "missing"],
    ["mx", "missing"],
    ["spf", "missing"],
    ["dmarc", "missing"],
    ["report_consent", "missing"],
  ]);
  await expect.poll(() => server.output()).toContain("letterslot._domainkey.agents.example.com");
  expect(await (await fetch(`${home.base_url}/readyz`)).json()).toEqual({ status: "ok" });
  for (const { name, value, purpose } of missing.mail_domain.records)
    zone[`${purpose === "mx" ? "MX" : "TXT"} ${name}`] = [purpose === "mx" ? `10 ${value}` : value];
  zone["A agents.example.com"] = ["192.0.2.7"];
  await server.end("SIGTERM");
  const again = await start(home);
  const found = await verbose(home);
  expect(found.mail_domain.records.map(({ status, hint }) => [status, hint])).toEqual(
    Array.from({ length: 5 }, () => ["valid", null]),
  );
  await expect.poll(() => again.output()).toContain("DNS record of MAIL_DOMAIN is in place");
});

test("a key that an earlier version kept in DATA_DIR is taken over, also without its file", async () => {
  const home = await homeOf({});
  const pem = newPem();
  mkdirSync(home.data_dir, { recursive: true });
  const path = join(home.data_dir, "dkim.pem");
  writeFileSync(path, pem, { mode: 0o600 });
  const first = await start(home);
  expect(await publishedBy(home)).toBe(recordOf(pem));
  await first.end("SIGTERM");
  writeFileSync(path, newPem());
  const second = await start(home);
  expect(await publishedBy(home)).toBe(recordOf(pem));
  await second.end("SIGTERM");
  const named = join(home.data_dir, "named.pem");
  const other = newPem();
  writeFileSync(named, other);
  await start(home, { DKIM_KEY: named });
  expect(await publishedBy(home)).toBe(recordOf(other));
});

test("a server with another ENCRYPTION_KEY than the one that sealed the key doesn't start", async () => {
  const home = await homeOf({}, { ENCRYPTION_KEY: "11".repeat(32) });
  const server = await start(home);
  await publishedBy(home);
  await server.end("SIGTERM");
  await expect(home.start({ ENCRYPTION_KEY: "22".repeat(32) })).rejects.toThrow(
    /ENCRYPTION_KEY is not the key that the stored secrets were encrypted with/,
  );
});

test("processes that share PostgreSQL and start at once sign with one key, without any PEM file", async () => {
  const database = await freshDatabase();
  undo.push(() => database.drop());
  const shared = {
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: "11".repeat(32),
    SMTP_PORT: "off",
  };
  const homes = await Promise.all([1, 2, 3].map(() => homeOf({}, shared)));
  await Promise.all(homes.map((home) => start(home)));
  const published = await Promise.all(homes.map(publishedBy));
  expect(published[0]).toMatch(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/=]{300,}$/);
  expect(new Set(published).size).toBe(1);
});

test.each(casesOf(["mx:?port=0"], ["mx:?port=0", "mx:?allow=10.0.0.0/40", "mx:?verify=false"]))(
  "SMTP_URL=%s is refused with what to set",
  async (url) => {
    const home = await homeOf({}, { SMTP_URL: url });
    await expect(home.start()).rejects.toThrow(/SMTP_URL is not valid\. /);
  },
);
