import type { Dns } from "@letterslot/core";
import { expect, test } from "vitest";
import {
  createCachedDns,
  DNS_CACHE_MS,
  DNS_CACHE_NAMES,
  DNS_NEGATIVE_CACHE_MS,
  dnsError,
} from "./cached-dns.ts";

function counted(answer: (name: string) => Promise<string[][]>) {
  const asked: string[] = [];
  const resolve = (name: string, type: string) => {
    asked.push(`${type} ${name}`);
    return answer(name);
  };
  return { asked, dns: { resolve } as unknown as Dns };
}

test("an answer is kept for five minutes, and each type has its own", async () => {
  let now = 0;
  const { asked, dns } = counted(async () => [["x"]]);
  const cached = createCachedDns({ dns, timeout_ms: 1_000, steady: () => now });
  await cached.resolve("a.test", "TXT");
  await cached.resolve("A.test.", "TXT");
  await cached.resolve("a.test", "A");
  expect(asked).toEqual(["TXT a.test", "A a.test"]);
  now = DNS_CACHE_MS;
  await cached.resolve("a.test", "TXT");
  expect(asked).toHaveLength(3);
});

test("a question under way is asked once", async () => {
  const { asked, dns } = counted(async () => [["x"]]);
  const cached = createCachedDns({ dns, timeout_ms: 1_000 });
  await Promise.all([cached.resolve("a.test", "TXT"), cached.resolve("a.test", "TXT")]);
  expect(asked).toHaveLength(1);
});

test.each([
  ["ENOTFOUND", 1],
  ["ENODATA", 1],
  ["ESERVFAIL", 2],
  ["ETIMEOUT", 2],
])("%s is asked %i times", async (code, times) => {
  const { asked, dns } = counted(() => Promise.reject(dnsError(code)));
  const cached = createCachedDns({ dns, timeout_ms: 1_000 });
  for (let turn = 0; turn < 2; turn += 1)
    await expect(cached.resolve("a.test", "TXT")).rejects.toMatchObject({ code });
  expect(asked).toHaveLength(times);
});

test("that there is no such name is believed for a minute", async () => {
  let now = 0;
  const { asked, dns } = counted(() => Promise.reject(dnsError("ENOTFOUND")));
  const cached = createCachedDns({ dns, timeout_ms: 1_000, steady: () => now });
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
  const { dns } = counted(() => new Promise(() => {}));
  await expect(createCachedDns({ dns, timeout_ms: 5 }).resolve("a.test", "TXT")).rejects.toMatchObject({
    code: "ETIMEOUT",
  });
});

test("of many names the oldest is forgotten", async () => {
  const { asked, dns } = counted(async () => [["x"]]);
  const cached = createCachedDns({ dns, timeout_ms: 1_000 });
  for (let index = 0; index <= DNS_CACHE_NAMES; index += 1) await cached.resolve(`n${index}.test`, "TXT");
  await cached.resolve(`n${DNS_CACHE_NAMES}.test`, "TXT");
  expect(asked).toHaveLength(DNS_CACHE_NAMES + 1);
  await cached.resolve("n0.test", "TXT");
  expect(asked).toHaveLength(DNS_CACHE_NAMES + 2);
});
