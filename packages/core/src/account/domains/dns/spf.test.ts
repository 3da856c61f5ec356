import { beforeEach, describe, expect, test } from "vitest";
import { measureThreadCpu } from "../../../../../../test/support/processor-time.ts";
import { createMemoryDns, type MemoryDns } from "../../../../testing/memory-dns.ts";
import { judgeSpf } from "./judge-spf.ts";
import { createLookUps } from "./look-up.ts";
import { mergedSpf, readSpf } from "./spf-record.ts";

const DOMAIN = "example.com";
const SERVICE = "mail.service.test";
const INCLUDE = `include:${SERVICE}`;

let dns: MemoryDns;
beforeEach(() => {
  dns = createMemoryDns();
  dns.set(SERVICE, "TXT", ["v=spf1 ip4:192.0.2.8/30 ip6:2001:db8:1::/48 -all"]);
});

const judge = (name = DOMAIN) => judgeSpf(createLookUps(dns), name, SERVICE);

describe("a record lets the service send", () => {
  test.each<[string, boolean]>([
    [`v=spf1 ${INCLUDE} ~all`, true],
    [`V=SPF1 +INCLUDE:Mail.Service.Test. -ALL`, true],
    [`v=spf1 redirect=${SERVICE}`, true],
    ["v=spf1 include:through.test -all", true],
    ["v=spf1 redirect=through.test", true],
    ["v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all", true],
    ["v=spf1 a:hosts.test/24 ip6:2001:db8::/32 -all", true],
    ["v=spf1 mx:hosts.test/24//32 -all", true],
    ["v=spf1 +all", true],
    [`v=spf1 -ip4:203.0.113.1 ${INCLUDE} -all`, true],
    ["v=spf1 ~all", false],
    ["v=spf1 -all", false],
    [`v=spf1 -all ${INCLUDE}`, false],
    [`v=spf1 ~${INCLUDE} -all`, false],
    [`v=spf1 ?${INCLUDE} -all`, false],
    [`v=spf1 -all redirect=${SERVICE}`, false],
    [`v=spf1 ${INCLUDE}x.test ~all`.replace(`${SERVICE}x.test`, "other.test"), false],
    ["v=spf1 include:strict.test -all", false],
    ["v=spf1 ip4:192.0.2.8/31 ip6:2001:db8::/32 -all", false],
    ["v=spf1 ip4:192.0.2.0/24 -all", false],
    ["v=spf1 -ip4:192.0.2.0/24 +ip4:192.0.2.0/24 ip6:2001:db8::/32 -all", false],
    ["v=spf1 exists:%{i}._spf.macro.test include:%{d}.macro.test -all", false],
    ["v=spf1", false],
  ])("%s: %s", async (text, allowed) => {
    dns.set(DOMAIN, "TXT", ["google-site-verification=x", text]);
    dns.set("through.test", "TXT", [`v=spf1 ip4:203.0.113.9 ${INCLUDE} ?all`]);
    dns.set("strict.test", "TXT", [`v=spf1 -${INCLUDE} +ip4:203.0.113.9 -all`]);
    dns.set("other.test", "TXT", ["v=spf1 ip4:203.0.113.9 ~all"]);
    dns.set("hosts.test", "A", ["192.0.2.77"]);
    dns.set("hosts.test", "MX", [{ exchange: "mx.hosts.test", priority: 1 }]);
    dns.set("mx.hosts.test", "A", ["192.0.2.78"]);
    dns.set("mx.hosts.test", "AAAA", ["2001:db8:ffff::1"]);
    const judged = await judge();
    expect(judged.status).toBe(allowed ? "valid" : "invalid");
    expect(judged.found).toEqual([text]);
    if (!allowed)
      expect(judged.hint).toContain(`doesn't let this service send; change it to: v=spf1 ${INCLUDE}`);
  });
});

describe("a record that receivers reject", () => {
  const lookups = (count: number) =>
    Array.from({ length: count }, (_, index) => `a:h${index}.test`).join(" ");
  beforeEach(() => {
    for (let index = 0; index < 30; index += 1) dns.set(`h${index}.test`, "A", ["203.0.113.1"]);
  });

  test.each([
    ["none", [], "missing", `with the value v=spf1 ${INCLUDE} ~all`],
    ["another text", ["v=spf10 x"], "invalid", "must begin with v=spf1 and a space"],
    ["in quotation marks", [`"v=spf1 ${INCLUDE} -all"`], "invalid", "without quotation marks"],
    [
      "two records",
      ["v=spf1 ip4:203.0.113.1 -all", `v=spf1 ${INCLUDE} ~all`],
      "invalid",
      `has 2 SPF records, so that receivers ignore them; merge them into one: v=spf1 ${INCLUDE} ip4:203.0.113.1 ~all`,
    ],
    [
      "an unknown mechanism",
      [`v=spf1 ${INCLUDE} ipv4:203.0.113.1 -all`],
      "invalid",
      "a mistake at ipv4:203.0.113.1",
    ],
    ["no address", [`v=spf1 ${INCLUDE} ip4:203.0.113 -all`], "invalid", "a mistake at ip4:203.0.113"],
    ["a network too long", [`v=spf1 ip4:203.0.113.1/33`], "invalid", "a mistake at ip4:203.0.113.1/33"],
    ["an IPv6 network as IPv4", [`v=spf1 ip4:2001:db8::1`], "invalid", "a mistake at ip4:2001:db8::1"],
    ["an include of nothing", ["v=spf1 include: -all"], "invalid", "a mistake at include:"],
    [
      "an include of a single label",
      ["v=spf1 include:google -all"],
      "invalid",
      "a mistake at include:google",
    ],
    ["two redirects", ["v=spf1 redirect=a.test redirect=b.test"], "invalid", "a mistake at redirect=b.test"],
    ["a text without end", [`v=spf1 ${"ip4:203.0.113.1 ".repeat(200)}-all`], "invalid", "too long"],
    [
      "eleven look-ups",
      [`v=spf1 ${INCLUDE} ${lookups(10)} -all`],
      "invalid",
      "it needs 11 DNS look-ups, and receivers allow 10; remove what you no longer need",
    ],
    ["very many look-ups", [`v=spf1 ${lookups(30)} -all`], "invalid", "it needs more than 20 DNS look-ups"],
    [
      "ten, and eleven with ours",
      [`v=spf1 ${lookups(10)} -all`],
      "invalid",
      `with include:${SERVICE} it would need 11 DNS look-ups of 10; remove an include`,
    ],
    [
      "three names that aren't there",
      [`v=spf1 ${INCLUDE} a:x.test a:y.test mx:z.test -all`],
      "invalid",
      "3 of the names that it refers to don't exist, and receivers allow 2",
    ],
    [
      "an include without a record",
      [`v=spf1 ${INCLUDE} include:h1.test -all`],
      "invalid",
      "it includes h1.test, which has no SPF record",
    ],
    [
      "an include of two records",
      [`v=spf1 ${INCLUDE} include:two.test -all`],
      "invalid",
      "it includes two.test, which has 2 SPF records",
    ],
    [
      "an include with a mistake",
      [`v=spf1 ${INCLUDE} include:wrong.test -all`],
      "invalid",
      "it includes wrong.test, whose record has a mistake at nonsense",
    ],
    [
      "a redirect without a record",
      ["v=spf1 redirect=h1.test"],
      "invalid",
      "it redirects to h1.test, which has no SPF record",
    ],
    ["itself included", [`v=spf1 include:${DOMAIN} -all`], "invalid", "it needs more than 20 DNS look-ups"],
    [
      "too many MX hosts",
      [`v=spf1 ${INCLUDE} mx:many.test -all`],
      "invalid",
      "many.test has more than 10 MX hosts",
    ],
  ])("%s", async (_, texts, status, hint) => {
    if (texts.length > 0) dns.set(DOMAIN, "TXT", texts);
    dns.set("two.test", "TXT", ["v=spf1 -all", "v=spf1 ~all"]);
    dns.set("wrong.test", "TXT", ["v=spf1 nonsense -all"]);
    dns.set(
      "many.test",
      "MX",
      Array.from({ length: 11 }, (_none, index) => ({ exchange: `h${index}.test`, priority: 1 })),
    );
    expect(await judge()).toMatchObject({ status, hint: expect.stringContaining(hint) });
  });

  test("through the service's own record names its operator", async () => {
    dns.remove(SERVICE);
    dns.set(DOMAIN, "TXT", [`v=spf1 ${INCLUDE} -all`]);
    expect(await judge()).toMatchObject({
      status: "invalid",
      hint: `Receivers reject the SPF record of ${DOMAIN}, because it includes ${SERVICE}, which has no SPF record; the operator of this service has to publish it.`,
    });
  });

  test("two names that aren't there, and ten look-ups, are within the limits", async () => {
    dns.set(DOMAIN, "TXT", [`v=spf1 ${INCLUDE} ${lookups(7)} a:x.test a:y.test -all`]);
    expect((await judge()).status).toBe("valid");
  });
});

test.each([
  [[], `v=spf1 ${INCLUDE} ~all`],
  [["v=spf1 a mx -all"], `v=spf1 ${INCLUDE} a mx -all`],
  [["v=spf1 a all"], `v=spf1 ${INCLUDE} a +all`],
  [["v=spf1 a -all", "v=spf1 A:x.test a ?all"], `v=spf1 ${INCLUDE} a A:x.test ?all`],
  [["v=spf1 redirect=x.test"], `v=spf1 ${INCLUDE} redirect=x.test`],
  [["v=spf1 redirect=x.test", "v=spf1 a ~all"], `v=spf1 ${INCLUDE} a include:x.test ~all`],
  [
    ["v=spf1 redirect=x.test", "v=spf1 redirect=y.test"],
    `v=spf1 ${INCLUDE} include:x.test include:y.test ~all`,
  ],
])("%j are merged into %s", (texts, merged) => {
  expect(mergedSpf(texts, SERVICE)).toBe(merged);
  expect(readSpf(merged)).not.toHaveProperty("mistake");
});

test("the longest records that refer to each other are read in no time", async () => {
  const terms = "ip4:203.0.113.1 ".repeat(120);
  for (let index = 0; index < 20; index += 1)
    dns.set(`n${index}.test`, "TXT", [`v=spf1 ${terms}include:n${index + 1}.test -all`]);
  dns.set(SERVICE, "TXT", [`v=spf1 ${"ip4:192.0.2.1 ip4:192.0.2.2 ".repeat(60)}-all`]);
  dns.set(DOMAIN, "TXT", ["v=spf1 include:n0.test -all"]);
  const { status } = await judge();
  expect(status).toBe("invalid");
  expect(await measureThreadCpu(async () => judge())).toBeLessThan(300);
});
