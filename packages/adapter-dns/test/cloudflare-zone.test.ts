import { dnsZoneKit } from "@letterslot/core/conformance";
import type { DnsZone } from "@letterslot/core/ports";
import Cloudflare from "cloudflare";
import { afterEach, describe, expect, test } from "vitest";
import { freePort } from "../../../test/support/free-port.ts";
import { createDnsZones } from "../src/index.ts";
import { type FakeCloudflare, startFakeCloudflare } from "./fake-cloudflare.ts";

const APEX = "example.com";
const WRITER = "writer-token-1234567890";
const READER = "reader-token-1234567890";
const STRANGER = "stranger-token-1234567890";
const TIMEOUT_MS = 2_000;

const started: FakeCloudflare[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((fake) => fake.close()));
});

async function startWithZone(): Promise<FakeCloudflare> {
  const fake = await startFakeCloudflare();
  started.push(fake);
  fake.addZone("example.net");
  fake.addZone(APEX);
  fake.addToken(WRITER, true);
  fake.addToken(READER, false);
  return fake;
}

const openAt = (
  cloudflare_url: string,
  { api_token = WRITER, domain = APEX, zone = null as string | null, timeout_ms = TIMEOUT_MS } = {},
): DnsZone =>
  createDnsZones({ cloudflareUrl: cloudflare_url, timeoutMs: timeout_ms }).open({
    provider: "cloudflare",
    domain,
    zone,
    credentials: { api_token },
  });

const txt = (name: string, value: string) => ({ name, type: "TXT", value, priority: null });

describe("a zone at Cloudflare", () => {
  dnsZoneKit({
    test,
    async open() {
      const fake = await startWithZone();
      return {
        zone: openAt(fake.url, { domain: `mail.${APEX}` }),
        apex: APEX,
        put: async (...records) => fake.put(APEX, records),
        stranger: openAt(fake.url, { api_token: STRANGER }),
        reader: openAt(fake.url, { api_token: READER }),
        elsewhere: openAt(fake.url, { domain: "example.org" }),
        silent: openAt(`http://127.0.0.1:${await freePort()}`),
        secrets: [WRITER, READER, STRANGER],
        async close() {},
      };
    },
  });
});

test("the fake answers Cloudflare's own client as its types say", async () => {
  const fake = await startWithZone();
  const client = new Cloudflare({ apiToken: WRITER, baseURL: fake.url, maxRetries: 0 });
  const [zone] = (await client.zones.list({ name: APEX })).result;
  const zone_id = zone?.id ?? "";
  const numbers = Array.from({ length: 130 }, (_, index) => index);
  fake.put(
    APEX,
    numbers.map((number) => txt(`many.${APEX}`, `number ${number}`)),
  );
  fake.put(APEX, [txt(APEX, "another name")]);

  const contents: (string | undefined)[] = [];
  for await (const record of client.dns.records.list({ zone_id, name: { exact: `many.${APEX}` } }))
    contents.push("content" in record ? record.content : undefined);
  expect(contents).toEqual(numbers.map((number) => `"number ${number}"`));

  const made = await client.dns.records.create({
    ...{ zone_id, type: "MX", name: APEX, content: "mail.example.net", priority: 10, ttl: 300 },
  });
  const changed = await client.dns.records.edit(made.id, {
    ...{ zone_id, type: "MX", name: APEX, content: "mail.example.net", priority: 20, ttl: 300 },
  });
  expect(changed).toMatchObject({ id: made.id, priority: 20 });
  expect(await client.dns.records.delete(made.id, { zone_id })).toEqual({ id: made.id });
  const gone = client.dns.records.delete(made.id, { zone_id });
  await expect(gone).rejects.toMatchObject({ status: 404, errors: [{ code: 81_044 }] });
  const stranger = new Cloudflare({ apiToken: STRANGER, baseURL: fake.url, maxRetries: 0 });
  await expect(stranger.zones.list()).rejects.toMatchObject({ status: 403, errors: [{ code: 9109 }] });
});

test("a record is written with a comment for people, short-lived, and not behind Cloudflare's proxy", async () => {
  const fake = await startWithZone();
  const record = { name: `ls-bounce.${APEX}`, type: "CNAME", value: "mail.example.net", priority: null };
  await openAt(fake.url).upsert(record, null);
  expect(fake.asked.findLast(({ method }) => method === "POST")?.body).toEqual({
    type: "CNAME",
    name: `ls-bounce.${APEX}`,
    content: "mail.example.net",
    ttl: 300,
    proxied: false,
    comment: "Written by Letterslot",
  });
});

test("the longest zone that has the domain is found, or the one that is named", async () => {
  const fake = await startWithZone();
  fake.addZone(`eu.${APEX}`);
  const domain = `mail.eu.${APEX}`;
  await openAt(fake.url, { domain }).upsert(txt(domain, "longest"), null);
  await openAt(fake.url, { domain, zone: APEX }).upsert(txt(domain, "named"), null);
  expect(await openAt(fake.url, { domain }).list([domain])).toEqual([txt(domain, "longest")]);
  expect(await openAt(fake.url, { domain, zone: APEX }).list([domain])).toEqual([txt(domain, "named")]);
});

test("a text that Cloudflare shows without quotes is the same text", async () => {
  const fake = await startWithZone();
  const zone = openAt(fake.url);
  const record = { id: "r1", name: APEX, type: "TXT", content: "v=spf1 -all" };
  await zone.list([]);
  fake.answerNext("GET", 200, JSON.stringify({ success: true, result: [record] }));
  expect(await zone.list([APEX])).toEqual([txt(APEX, "v=spf1 -all")]);
});

test("a record that somebody wrote or removed in between is as good", async () => {
  const fake = await startWithZone();
  const zone = openAt(fake.url);
  const refuse = (method: string, status: number, code: number) =>
    fake.answerNext(
      method,
      status,
      JSON.stringify({ success: false, errors: [{ code, message: "Sorry" }], result: null }),
    );
  refuse("POST", 400, 81_058);
  await zone.upsert(txt(APEX, "text"), null);
  await zone.upsert(txt(APEX, "text"), null);
  refuse("DELETE", 404, 81_044);
  expect(await zone.remove(txt(APEX, "text"))).toBe("absent");
});

const refusal = (code: number, message: string) =>
  JSON.stringify({ success: false, errors: [{ code, message }], result: null });

test.each<[string, number, string, object]>([
  ["too many requests", 429, "", { code: "dns_provider_rate_limited", retry_after_seconds: 7 }],
  ["a failure of its own", 502, "<html>", { code: "dns_provider_unreachable" }],
  ["no JSON", 200, "<html>", { code: "dns_provider_unreachable" }],
  ["JSON of another kind", 200, "null", { code: "dns_provider_unreachable" }],
  ["more than is read", 200, `"${"x".repeat(9 * 1024 * 1024)}"`, { code: "dns_provider_unreachable" }],
  [
    "a refusal without a reason",
    400,
    "{}",
    { code: "dns_record_refused", message: "Cloudflare does not take the record: no reason." },
  ],
  [
    "a refusal with control characters, as long as a book",
    400,
    refusal(1004, `Bad\u001b[31m ${"x".repeat(5000)}`),
    { code: "dns_record_refused", message: expect.stringMatching(/^[\x20-\x7e]{1,400}$/) },
  ],
  [
    "a refusal of the token",
    403,
    refusal(10_000, "Authentication error"),
    { code: "dns_permission_missing" },
  ],
])(
  "when Cloudflare answers a change with %s, it fails with a code",
  async (_name, status, body, expected) => {
    const fake = await startWithZone();
    fake.answerNext("POST", status, body, status === 429 ? { "retry-after": "7" } : {});
    const error = openAt(fake.url).upsert(txt(APEX, "text"), null);
    await expect(error).rejects.toMatchObject(expected);
    expect(await openAt(fake.url).list([APEX])).toEqual([]);
  },
);

test.each([
  [400, refusal(6003, "Invalid request headers")],
  [401, refusal(10_000, "Authentication error")],
  [403, refusal(9109, "Invalid access token")],
])("a token that may not look for zones (%i) is refused, and why is told", async (status, body) => {
  const fake = await startWithZone();
  fake.answerNext("GET", status, body);
  const { errors } = JSON.parse(body) as { errors: { message: string }[] };
  await expect(openAt(fake.url).list([APEX])).rejects.toMatchObject({
    code: "dns_credentials_refused",
    message: expect.stringContaining(errors[0]?.message ?? "-"),
  });
});

test("the zone is looked for again after that failed", async () => {
  const fake = await startWithZone();
  const zone = openAt(fake.url);
  fake.answerNext("GET", 500, "");
  await expect(zone.list([APEX])).rejects.toMatchObject({ code: "dns_provider_unreachable" });
  expect(await zone.list([APEX])).toEqual([]);
});

test("a redirect isn't followed: the token goes to Cloudflare alone", async () => {
  const [fake, other] = [await startWithZone(), await startWithZone()];
  fake.answerNext("GET", 307, "", { location: `${other.url}/zones` });
  await expect(openAt(fake.url).list([APEX])).rejects.toMatchObject({ code: "dns_provider_unreachable" });
  expect(other.asked).toEqual([]);
});

test("a request ends at its deadline", async () => {
  const fake = await startWithZone();
  fake.hang();
  const error = openAt(fake.url, { timeout_ms: 100 }).list([APEX]);
  await expect(error).rejects.toMatchObject({ code: "dns_provider_unreachable" });
});

test("pages without an end aren't followed without an end", async () => {
  const fake = await startWithZone();
  const zone = openAt(fake.url);
  await zone.list([]);
  const endless = JSON.stringify({ success: true, result: [], result_info: { total_pages: 1_000_000 } });
  for (let page = 0; page < 100; page++) fake.answerNext("GET", 200, endless);
  await expect(zone.list([APEX])).rejects.toMatchObject({ code: "dns_record_refused" });
  expect(fake.asked.length).toBeLessThan(60);
});
