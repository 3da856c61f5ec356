import { expect, test } from "vitest";
import type { DnsRecord } from "../../../model/domain-records.ts";
import { dkimValue, wantedRecords } from "./wanted.ts";
import { zoneFile } from "./zone-file.ts";

const KEY = "A".repeat(392);
const records = wantedRecords({
  domain: "example.com",
  mail_domain: "mail.service.test",
  ownership: 'say "yes" \\ é',
  dkim: [{ selector: "ls-abc123", value: dkimValue(KEY) }],
  return_path: "ls-bounce",
}).map((record): DnsRecord => ({ ...record, status: "missing", found: [], hint: "Add it." }));

const edited = (purpose: string, change: Partial<DnsRecord>) =>
  records.map((record) => (record.purpose === purpose ? { ...record, ...change } : record));

const linesWith = (all: readonly DnsRecord[]) =>
  zoneFile({ domain: "example.com", records: all })
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(";"));

test("a zone file has each missing record under its whole name, with its meaning", () => {
  const strings = `"v=DKIM1; k=rsa; p=${"A".repeat(255 - 18)}" "${"A".repeat(392 - 255 + 18)}"`;
  expect(linesWith(records)).toEqual([
    "$TTL 3600",
    '_letterslot.example.com.\t3600\tIN\tTXT\t"say \\"yes\\" \\\\ \\195\\169"',
    `ls-abc123._domainkey.example.com.\t3600\tIN\tTXT\t${strings}`,
    "example.com.\t3600\tIN\tMX\t10 mail.service.test.",
    'example.com.\t3600\tIN\tTXT\t"v=spf1 include:mail.service.test ~all"',
    "ls-bounce.example.com.\t3600\tIN\tCNAME\tmail.service.test.",
    '_dmarc.example.com.\t3600\tIN\tTXT\t"v=DMARC1; p=none; rua=mailto:dmarc-reports@mail.service.test"',
    '_smtp._tls.example.com.\t3600\tIN\tTXT\t"v=TLSRPTv1; rua=mailto:dmarc-reports@mail.service.test"',
  ]);
  expect(zoneFile({ domain: "example.com", records })).toContain(
    "; ownership: proves that the domain is yours (required)\n",
  );
});

test("what is there is left out", () => {
  expect(linesWith(edited("dkim", { status: "valid", hint: null })).join("\n")).not.toContain("_domainkey");
  const all = records.map((record): DnsRecord => ({ ...record, status: "valid", hint: null }));
  expect(linesWith(all)).toEqual([]);
  expect(zoneFile({ domain: "example.com", records: all })).toContain("; Nothing is missing");
});

test.each<[string, Partial<DnsRecord>]>([
  ["spf", { status: "invalid", found: ["v=spf1 -all"] }],
  ["mx", { status: "missing", found: ["1 smtp.google.com"] }],
])("what would stand beside another record is a comment: %s", (purpose, change) => {
  const text = zoneFile({
    domain: "example.com",
    records: edited(purpose, { ...change, hint: "Change it." }),
  });
  expect(text).toContain("; To change by hand: Change it.\n; example.com.\t3600\tIN\t");
  expect(linesWith(edited(purpose, change)).filter((line) => line.startsWith("example.com."))).toHaveLength(
    1,
  );
});

test("what a stranger published begins no line of its own", () => {
  const hint = "a\nb\r\nc\u2028d\u0000 evil.example. IN A 192.0.2.1";
  const file = zoneFile({
    domain: "example.com",
    records: edited("spf", { status: "invalid", found: ["x"], hint }),
  });
  expect(file).toContain("; To change by hand: a b c d  evil.example. IN A 192.0.2.1\n");
});
