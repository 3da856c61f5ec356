import { expect, test } from "vitest";
import { createMemoryDns } from "../../../../testing/memory-dns.ts";
import { judgeDmarc } from "./judge-dmarc.ts";
import { createLookUps } from "./look-up.ts";

const POLICY = "v=DMARC1; p=reject";

/** Judges the policy of a domain with these records at `_dmarc.` of these names. */
async function judge(domain: string, policies: Record<string, string[]>) {
  const dns = createMemoryDns();
  for (const [name, texts] of Object.entries(policies)) dns.set(`_dmarc.${name}`, "TXT", texts);
  return { ...(await judgeDmarc(createLookUps(dns), domain)), asked: dns.asked };
}

test.each<[string, string, Record<string, string[]>, string[]]>([
  ["its own", "example.com", { "example.com": [POLICY, "other"] }, [POLICY]],
  [
    "its own before one above",
    "a.example.com",
    { "a.example.com": ["v=DMARC1;p=none"], "example.com": [POLICY] },
    ["v=DMARC1;p=none"],
  ],
  [
    "in other letters",
    "example.com",
    { "example.com": ["V = DMARC1 ; p = None"] },
    ["V = DMARC1 ; p = None"],
  ],
  [
    "for reports alone",
    "example.com",
    { "example.com": ["v=DMARC1; rua=mailto:d@example.com"] },
    ["v=DMARC1; rua=mailto:d@example.com"],
  ],
  ["of the organisation", "a.b.example.com", { "example.com": [POLICY] }, [POLICY]],
  [
    "of the highest name that has one",
    "a.b.example.com",
    { "b.example.com": ["v=DMARC1; p=none"], "example.com": [POLICY] },
    [POLICY],
  ],
  [
    "of the name that says it is the organisation",
    "a.b.example.com",
    { "b.example.com": ["v=DMARC1; p=none; psd=n"], "example.com": [POLICY] },
    ["v=DMARC1; p=none; psd=n"],
  ],
  [
    "of the organisation below a suffix",
    "a.example.bank",
    { "example.bank": ["v=DMARC1; p=none"], bank: [`${POLICY}; psd=y`] },
    ["v=DMARC1; p=none"],
  ],
  ["of the suffix", "example.bank", { bank: [`${POLICY}; psd=y`] }, [`${POLICY}; psd=y`]],
])("a policy holds: %s", async (_, domain, policies, found) => {
  expect(await judge(domain, policies)).toMatchObject({ status: "valid", hint: null, found });
});

test.each<[string, Record<string, string[]>, string, string]>([
  ["none", {}, "missing", "Add a TXT record at _dmarc.a.example.com"],
  ["none, and two above", { "example.com": [POLICY, POLICY] }, "missing", "Add a TXT record"],
  [
    "two",
    { "a.example.com": [POLICY, "v=DMARC1; p=none"] },
    "invalid",
    "There are 2 DMARC records at _dmarc.a.example.com, so that receivers ignore them; keep one.",
  ],
  ["no policy", { "a.example.com": ["v=DMARC1"] }, "invalid", "set p= to none, quarantine or reject"],
  ["an unknown policy", { "a.example.com": ["v=DMARC1; p=monitor"] }, "invalid", "set p= to none"],
  [
    "an unknown policy for names below",
    { "a.example.com": ["v=DMARC1; p=none; sp=all"] },
    "invalid",
    "set sp= to none",
  ],
  ["a tag twice", { "a.example.com": ["v=DMARC1; p=none; p=reject"] }, "invalid", "has a tag twice"],
  ["another order", { "a.example.com": ["p=none; v=DMARC1"] }, "invalid", "must begin with v=DMARC1"],
  ["in quotation marks", { "a.example.com": ['"v=DMARC1; p=none"'] }, "invalid", "with quotation marks"],
  ["another text", { "a.example.com": ["hello"] }, "missing", "Add a TXT record"],
])("a policy is asked for: %s", async (_, policies, status, hint) => {
  expect(await judge("a.example.com", policies)).toMatchObject({
    status,
    hint: expect.stringContaining(hint),
  });
});

test("a name of many labels is walked from its last seven on", async () => {
  const { asked } = await judge("a.b.c.d.e.f.g.example.com", {});
  expect(asked).toEqual(
    ["a.b.c.d.e.f.g.example.com", "c.d.e.f.g.example.com", "d.e.f.g.example.com", "e.f.g.example.com"]
      .concat(["f.g.example.com", "g.example.com", "example.com", "com"])
      .map((name) => `TXT _dmarc.${name}`),
  );
});
