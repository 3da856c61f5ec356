import type { Dns } from "@letterslot/core/ports";
import { expect, test } from "vitest";
import {
  createCachedDns,
  DNS_CACHE_MS,
  DNS_CACHE_NAMES,
  DNS_NEGATIVE_CACHE_MS,
  dnsError,
} from "./cached-dns.ts";

function countingDns(answer: (name: string) => Promise<string[][]>) {
  const asked: string[] = [];
  const resolve = (name: string, type: string) => {
    asked.push(`${type} ${name}`);
    return answer(name);
  };
  return { asked, dns: { resolve } as unknown as Dns };
}

test("an answer is cached for five minutes, per type", async () => {
  let now = 0;
  const { asked, dns } = countingDns(async () => [["x"]]);
  const cached = createCachedDns({ dns, timeoutMs: 1_000, now: () => now });
  await cached.resolve("a.test", "TXT");
  await cached.resolve("A.test.", "TXT");
  await cached.resolve("a.test", "A");
  expect(asked).toEqual(["TXT a.test", "A a.test"]);
  now = DNS_CACHE_MS;
  await cached.resolve("a.test", "TXT");
  expect(asked).toHaveLength(3);
});

test("concurrent lookups of a name are shared", async () => {
  const { asked, dns } = countingDns(async () => [["x"]]);
  const cached = createCachedDns({ dns, timeoutMs: 1_000 });
  await Promise.all([cached.resolve("a.test", "TXT"), cached.resolve("a.test", "TXT")]);
  expect(asked).toHaveLength(1);
});

test.each([
  ["ENOTFOUND", 1],
  ["ENODATA", 1],
  ["ESERVFAIL", 2],
  ["ETIMEOUT", 2],
])("%s is looked up %i times", async (code, times) => {
  const { asked, dns } = countingDns(() => Promise.reject(dnsError(code)));
  const cached = createCachedDns({ dns, timeoutMs: 1_000 });
  for (let round = 0; round < 2; round += 1)
    await expect(cached.resolve("a.test", "TXT")).rejects.toMatchObject({ code });
  expect(asked).toHaveLength(times);
});

test("a missing name is cached for a minute", async () => {
  let now = 0;
  const { asked, dns } = countingDns(() => Promise.reject(dnsError("ENOTFOUND")));
  const cached = createCachedDns({ dns, timeoutMs: 1_000, now: () => now });
  const ask = () => expect(cached.resolve("a.test", "TXT")).rejects.toMatchObject({ code: "ENOTFOUND" });
  await ask();
  now = DNS_NEGATIVE_CACHE_MS - 1;
  await ask();
  expect(asked).toHaveLength(1);
  now = DNS_NEGATIVE_CACHE_MS;
  await ask();
  expect(asked).toHaveLength(2);
});

test("a server that never answers times out", async () => {
  const { dns } = countingDns(() => new Promise(() => {}));
  await expect(createCachedDns({ dns, timeoutMs: 5 }).resolve("a.test", "TXT")).rejects.toMatchObject({
    code: "ETIMEOUT",
  });
});

test("the oldest of too many names is evicted", async () => {
  const { asked, dns } = countingDns(async () => [["x"]]);
  const cached = createCachedDns({ dns, timeoutMs: 1_000 });
  for (let index = 0; index <= DNS_CACHE_NAMES; index += 1) await cached.resolve(`n${index}.test`, "TXT");
  await cached.resolve(`n${DNS_CACHE_NAMES}.test`, "TXT");
  expect(asked).toHaveLength(DNS_CACHE_NAMES + 1);
  await cached.resolve("n0.test", "TXT");
  expect(asked).toHaveLength(DNS_CACHE_NAMES + 2);
});
