import { describe, expect, test } from "vitest";
import type { ZoneRecord } from "../../model/zone-record.ts";
import { type PlannedRecord, planZone } from "./zone-rules.ts";

const txt = (name: string, value: string): ZoneRecord => ({ name, type: "TXT", value, priority: null });
const mx = (value: string, priority = 10): ZoneRecord => ({
  name: "example.com",
  type: "MX",
  value,
  priority,
});
const cname = (name: string, value: string): ZoneRecord => ({ name, type: "CNAME", value, priority: null });

const planned = (purpose: PlannedRecord["purpose"], record: ZoneRecord): PlannedRecord => ({
  ...record,
  type: record.type as PlannedRecord["type"],
  purpose,
  status: "missing",
});

const OWNERSHIP = planned("ownership", txt("_letterslot.example.com", "letterslot=acc_1"));
const MX = planned("mx", mx("mail.letterslot.example"));
const SPF = planned("spf", txt("example.com", "v=spf1 include:letterslot.example ~all"));
const DKIM = planned("dkim", txt("ls-a._domainkey.example.com", "v=DKIM1; p=AAAA"));
const DMARC = planned("dmarc", txt("_dmarc.example.com", "v=DMARC1; p=none"));
const RETURN_PATH = planned("return_path", cname("ls-bounce.example.com", "letterslot.example"));
const ALL = [OWNERSHIP, MX, SPF, DKIM, DMARC, RETURN_PATH];

const bare = ({ name, type, value, priority }: PlannedRecord): ZoneRecord => ({
  name,
  type,
  value,
  priority,
});

describe("what is written to a zone", () => {
  test("is all that is wanted, where there is nothing", () => {
    expect(planZone({ wanted: ALL, found: [], written: [] })).toEqual({
      write: ALL.map((record) => ({ record: bare(record), replaces: null })),
      remove: [],
      forget: [],
      conflicts: [],
    });
  });

  test("is nothing where all of it is there, whoever wrote it", () => {
    const found = ALL.map(bare);
    const nothing = { write: [], remove: [], forget: [], conflicts: [] };
    expect(planZone({ wanted: ALL, found, written: [] })).toEqual(nothing);
    expect(planZone({ wanted: ALL, found, written: found })).toEqual(nothing);
  });

  test("is what its owner took out, again", () => {
    const plan = planZone({ wanted: [DKIM], found: [], written: [bare(DKIM)] });
    expect(plan).toMatchObject({ write: [{ record: bare(DKIM), replaces: null }], forget: [] });
  });

  test.each<[string, PlannedRecord, ZoneRecord]>([
    ["another proof of ownership", OWNERSHIP, txt(OWNERSHIP.name, "letterslot=acc_2")],
    ["a TXT that is no SPF", SPF, txt("example.com", "site-verification=1")],
    ["a TXT that only begins like SPF", SPF, txt("example.com", "v=spf10 all")],
    ["an MX, beside an SPF", SPF, mx("mx.example.net")],
    ["a TXT, beside an MX", MX, txt("example.com", "v=spf1 -all")],
    ["a TXT that is no DMARC", DMARC, txt(DMARC.name, "v=DMARC10; p=none")],
    ["a record of another name", RETURN_PATH, txt("example.com", "text")],
  ])("stands beside %s", (_name, wanted, other) => {
    const plan = planZone({ wanted: [wanted], found: [other], written: [] });
    expect(plan).toEqual({
      write: [{ record: bare(wanted), replaces: null }],
      remove: [],
      forget: [],
      conflicts: [],
    });
  });

  test.each<[string, PlannedRecord, ZoneRecord, string]>([
    [
      "MX of another provider",
      MX,
      mx("mx.example.net", 5),
      "example.com has MX mx.example.net, which Letterslot did not write and has left alone: mail for the domain goes there. To receive it here, replace it with MX 10 mail.letterslot.example.",
    ],
    [
      "another SPF",
      SPF,
      txt("example.com", "V=SPF1 -all"),
      "example.com has TXT V=SPF1 -all, which Letterslot did not write and has left alone: a domain can have one SPF record only. Merge this into it: v=spf1 include:letterslot.example ~all",
    ],
    [
      "another DKIM key",
      DKIM,
      txt(DKIM.name, "p=BBBB"),
      "ls-a._domainkey.example.com has TXT p=BBBB, which Letterslot did not write and has left alone. Replace it with TXT v=DKIM1; p=AAAA.",
    ],
    [
      "another DMARC policy",
      DMARC,
      txt(DMARC.name, "v=DMARC1;p=reject"),
      "_dmarc.example.com has TXT v=DMARC1;p=reject, which Letterslot did not write and has left alone. Replace it with TXT v=DMARC1; p=none.",
    ],
    [
      "a CNAME at the name of a TXT",
      OWNERSHIP,
      cname(OWNERSHIP.name, "example.net"),
      "_letterslot.example.com has CNAME example.net, which Letterslot did not write and has left alone: a name with a CNAME can't have another record. Remove it, and publish TXT letterslot=acc_1.",
    ],
    [
      "another CNAME",
      RETURN_PATH,
      cname(RETURN_PATH.name, "example.net"),
      "ls-bounce.example.com has CNAME example.net, which Letterslot did not write and has left alone. Replace it with CNAME letterslot.example.",
    ],
    [
      "any record at the name of a CNAME",
      RETURN_PATH,
      { ...txt(RETURN_PATH.name, "192.0.2.1"), type: "A" },
      "ls-bounce.example.com has A 192.0.2.1, which Letterslot did not write and has left alone. Replace it with CNAME letterslot.example.",
    ],
  ])("makes way for %s, and it is told", (_name, wanted, other, conflict) => {
    const plan = planZone({ wanted: [wanted], found: [other], written: [] });
    expect(plan).toEqual({ write: [], remove: [], forget: [], conflicts: [conflict] });
  });

  test("leaves out what the DNS says in other words", () => {
    const found = [txt("example.com", "v=spf1 include:everything.example -all")];
    expect(planZone({ wanted: [{ ...SPF, status: "valid" }], found, written: [] })).toEqual({
      write: [],
      remove: [],
      forget: [],
      conflicts: [],
    });
  });

  test("takes the place of what we wrote before", () => {
    const before = txt("example.com", "v=spf1 include:old.example ~all");
    const found = [before, txt("example.com", "site-verification=1")];
    for (const status of ["valid", "missing"] as const)
      expect(planZone({ wanted: [{ ...SPF, status }], found, written: [before] })).toEqual({
        write: [{ record: bare(SPF), replaces: before }],
        remove: [],
        forget: [],
        conflicts: [],
      });
  });

  test("takes nobody else's place, while ours makes way for it", () => {
    const before = txt("example.com", "v=spf1 include:old.example ~all");
    const others = txt("example.com", "v=spf1 -all");
    expect(planZone({ wanted: [SPF], found: [before, others], written: [before] })).toMatchObject({
      write: [],
      remove: [before],
      conflicts: [expect.stringContaining("v=spf1 -all")],
    });
  });

  test("a long or many-headed conflict is told shortly", () => {
    const found = [1, 2, 3, 4].map((number) => mx(`mx${number}.${"x".repeat(200)}.example`));
    const [conflict = ""] = planZone({ wanted: [MX], found, written: [] }).conflicts;
    expect(conflict.length).toBeLessThan(600);
    expect(conflict).not.toContain("mx4");
  });
});

describe("what is removed from a zone", () => {
  const old = txt("ls-b._domainkey.example.com", "v=DKIM1; p=BBBB");

  test("is what we wrote and nobody wants any more", () => {
    expect(planZone({ wanted: [DKIM], found: [old, bare(DKIM)], written: [old, bare(DKIM)] })).toEqual({
      write: [],
      remove: [old],
      forget: [],
      conflicts: [],
    });
  });

  test("is nothing that somebody else wrote, be it the same in all but one thing", () => {
    const changed = [
      { ...old, value: "v=DKIM1; p=CCCC" },
      { ...old, name: "ls-c._domainkey.example.com" },
      { ...old, type: "CNAME" },
      { ...old, priority: 1 },
    ];
    expect(planZone({ wanted: [], found: changed, written: [old] })).toEqual({
      write: [],
      remove: [],
      forget: [old],
      conflicts: [],
    });
  });
});
