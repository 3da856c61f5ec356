import { expect, test } from "vitest";
import { isAbsent, noDns } from "../src/ports/dns.ts";
import { createMemoryDns } from "./memory-dns.ts";

test("what is published is found, whatever the case, until it is removed", async () => {
  const dns = createMemoryDns();
  dns.set("a.test", "TXT", ["one", ["two ", "strings"]]);
  dns.set("a.test", "MX", [{ exchange: "mx.a.test", priority: 10 }]);
  expect(await dns.resolve("A.test.", "TXT")).toEqual([["one"], ["two ", "strings"]]);
  dns.remove("a.test", "TXT");
  await expect(dns.resolve("a.test", "TXT")).rejects.toMatchObject({ code: "ENODATA" });
  dns.remove("a.test");
  await expect(dns.resolve("a.test", "MX")).rejects.toMatchObject({ code: "ENOTFOUND" });
  expect(dns.asked).toEqual(["TXT a.test", "TXT a.test", "MX a.test"]);
});

test("an alias is followed, and one that leads to itself is trouble", async () => {
  const dns = createMemoryDns();
  dns.set("a.test", "CNAME", ["b.test"]);
  dns.set("b.test", "TXT", ["found"]);
  dns.set("loop.test", "CNAME", ["loop.test"]);
  expect(await dns.resolve("a.test", "TXT")).toEqual([["found"]]);
  expect(await dns.resolve("a.test", "CNAME")).toEqual(["b.test"]);
  await expect(dns.resolve("loop.test", "TXT")).rejects.toMatchObject({ code: "ESERVFAIL" });
});

test("trouble at a name is trouble below it too, until it ends", async () => {
  const dns = createMemoryDns();
  dns.set("a.test", "TXT", ["one"]);
  dns.fail("a.test", "ESERVFAIL");
  await expect(dns.resolve("x.a.test", "TXT")).rejects.toMatchObject({ code: "ESERVFAIL" });
  dns.fail("a.test", null);
  expect(await dns.resolve("a.test", "TXT")).toEqual([["one"]]);
});

test.each([
  ["ENOTFOUND", true],
  ["ENODATA", true],
  ["ESERVFAIL", false],
  ["ETIMEOUT", false],
  ["EREFUSED", false],
])("a look-up that fails with %s says that nothing is there: %s", (code, absent) => {
  expect(isAbsent(Object.assign(new Error("no"), { code }))).toBe(absent);
});

test("a service without DNS is in trouble with every look-up", async () => {
  const error: unknown = await noDns.resolve("a.test", "TXT").catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "ENOTIMP" });
  expect(isAbsent(error)).toBe(false);
});
