import { expect, test } from "vitest";
import { createTestService } from "../../../testing/index.ts";
import { dkimValue } from "./dns/wanted.ts";
import { examineOwnDomain } from "./own-domain.ts";

const dkim = { selector: "letterslot", value: dkimValue("MIIB") };

test("the service's own domain needs MX, SPF, DKIM and DMARC, and no proof that it is ours", async () => {
  const { letterslot, dns } = createTestService({ mailDomain: "Agents.example.com" });
  const before = await examineOwnDomain(letterslot.services, dkim);
  expect(before.domain).toBe("agents.example.com");
  expect(before.records.map(({ purpose, status }) => [purpose, status])).toEqual([
    ["dkim", "missing"],
    ["mx", "missing"],
    ["spf", "missing"],
    ["dmarc", "missing"],
    ["report_consent", "missing"],
  ]);
  for (const { hint } of before.records) expect(hint).toMatch(/^[A-Z]/);
  expect(before.records.find(({ purpose }) => purpose === "spf")?.hint).toBe(
    "Add a TXT record at agents.example.com with the value v=spf1 mx ~all",
  );
  for (const { name, type, value, priority } of before.records)
    if (type === "MX") dns.set(name, "MX", [{ exchange: value, priority: priority ?? 0 }]);
    else dns.set(name, "TXT", [value]);
  dns.set("agents.example.com", "A", ["192.0.2.7"]);
  const after = await examineOwnDomain(letterslot.services, dkim);
  expect(after.records.map(({ purpose, status, hint }) => [purpose, status, hint])).toEqual([
    ["dkim", "valid", null],
    ["mx", "valid", null],
    ["spf", "valid", null],
    ["dmarc", "valid", null],
    ["report_consent", "valid", null],
  ]);
  expect(after.warnings).toEqual([]);
});

test("two SPF records of the service's own domain become one that doesn't include itself", async () => {
  const { letterslot, dns } = createTestService({ mailDomain: "agents.example.com" });
  dns.set("agents.example.com", "TXT", ["v=spf1 mx -all", "v=spf1 include:relay.example.net ~all"]);
  const { records } = await examineOwnDomain(letterslot.services, dkim);
  expect(records.find(({ purpose }) => purpose === "spf")).toMatchObject({
    status: "invalid",
    hint: expect.stringMatching(/merge them into one: v=spf1 mx include:relay\.example\.net ~all$/),
  });
});

test("another key in the DNS and DNS in trouble are told apart", async () => {
  const { letterslot, dns } = createTestService({ mailDomain: "agents.example.com" });
  dns.set("letterslot._domainkey.agents.example.com", "TXT", [dkimValue("MIIC")]);
  const found = await examineOwnDomain(letterslot.services, dkim);
  expect(found.records.find(({ purpose }) => purpose === "dkim")).toMatchObject({ status: "invalid" });
  dns.fail("agents.example.com", "ESERVFAIL");
  const trouble = await examineOwnDomain(letterslot.services, dkim);
  expect(trouble.warnings.map(({ code }) => code)).toContain("dnssec_failure");
});
