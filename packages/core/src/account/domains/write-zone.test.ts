import { describe, expect, test } from "vitest";
import { createMemoryDnsZones, MEMORY_DNS_CREDENTIALS } from "../../../testing/memory-dns-zones.ts";
import { fail } from "../../catalogue/errors.ts";
import { isSameRecord, type ZoneRecord } from "../../model/zone-record.ts";
import type { DnsZone } from "../../ports/dns-zone.ts";
import { clearZone, writeZone } from "./write-zone.ts";
import type { PlannedRecord } from "./zone-rules.ts";

const txt = (name: string, value: string): ZoneRecord => ({ name, type: "TXT", value, priority: null });
const SITE = txt("example.com", "site-verification=1");

const planned = (purpose: PlannedRecord["purpose"], record: ZoneRecord): PlannedRecord => ({
  ...record,
  type: record.type as PlannedRecord["type"],
  purpose,
  status: "missing",
});
const OWNERSHIP = planned("ownership", txt("_letterslot.example.com", "letterslot=acc_1"));
const SPF = planned("spf", txt("example.com", "v=spf1 include:letterslot.example ~all"));
const RETURN_PATH = planned("return_path", {
  name: "ls-bounce.example.com",
  type: "CNAME",
  value: "letterslot.example",
  priority: null,
});
const WANTED = [OWNERSHIP, SPF, RETURN_PATH];

const bare = ({ name, type, value, priority }: ZoneRecord): ZoneRecord => ({ name, type, value, priority });

/** A zone of somebody who has one record already, and the notes of what was written to it. */
function newZone() {
  const zones = createMemoryDnsZones();
  const records = zones.records("example.com");
  records.push({ ...SITE });
  const credentials = { api_token: MEMORY_DNS_CREDENTIALS.write };
  const zone = zones.open({ provider: "cloudflare", zone: null, domain: "example.com", credentials });
  let written: ZoneRecord[] = [];
  const notes = {
    get written() {
      return written;
    },
    note: async (record: ZoneRecord) => void written.push(bare(record)),
    async forget(record: ZoneRecord) {
      written = written.filter((own) => !isSameRecord(own, record));
    },
  };
  return { zones, zone, records, notes };
}

describe("writing a zone", () => {
  test("adds what is wanted, notes it, and takes exactly that out again", async () => {
    const { zone, records, notes } = newZone();
    expect(await writeZone(zone, WANTED, notes)).toEqual({ conflicts: [] });
    expect(records.map(bare)).toEqual([SITE, ...WANTED.map(bare)]);
    expect(notes.written).toEqual(WANTED.map(bare));

    const { removed, errors } = await clearZone(zone, notes);
    expect([removed, errors]).toEqual([WANTED.map(bare), []]);
    expect(records).toEqual([SITE]);
    expect(notes.written).toEqual([]);
  });

  test("leaves alone what its owner published before, also when the domain is deleted", async () => {
    const { zone, records, notes } = newZone();
    records.push(bare(OWNERSHIP));
    await writeZone(zone, WANTED, notes);
    await clearZone(zone, notes);
    expect(records).toEqual([SITE, bare(OWNERSHIP)]);
  });

  test("leaves alone what its owner changed, and no longer takes it for ours", async () => {
    const { zone, records, notes } = newZone();
    await writeZone(zone, WANTED, notes);
    const spf = records.find(({ value }) => value.startsWith("v=spf1"));
    Object.assign(spf as ZoneRecord, {
      value: "v=spf1 include:letterslot.example include:other.example -all",
    });
    expect(await clearZone(zone, notes)).toMatchObject({ removed: [bare(OWNERSHIP), bare(RETURN_PATH)] });
    expect(records).toEqual([SITE, spf]);
    expect(notes.written).toEqual([]);
  });

  test("a record is noted before it is written, so that a crash in between leaves nothing behind", async () => {
    const { zone, records, notes } = newZone();
    const crashing: DnsZone = {
      ...zone,
      async upsert(record, replaces) {
        expect(notes.written).toContainEqual(bare(record));
        await zone.upsert(record, replaces);
        throw fail("dns_provider_unreachable");
      },
    };
    await expect(writeZone(crashing, WANTED, notes)).rejects.toMatchObject({
      code: "dns_provider_unreachable",
    });
    expect([records.length, notes.written.length]).toEqual([2, 1]);
    await writeZone(zone, WANTED, notes);
    await clearZone(zone, notes);
    expect(records).toEqual([SITE]);
  });

  test("a record that the zone refuses is told and isn't taken for ours; the others are written", async () => {
    const { zone, records, notes } = newZone();
    const refusing: DnsZone = {
      ...zone,
      async upsert(record, replaces) {
        if (record.name === SPF.name) throw fail("dns_record_refused", { message: "No SPF here." });
        await zone.upsert(record, replaces);
      },
    };
    expect(await writeZone(refusing, WANTED, notes)).toEqual({
      conflicts: ["TXT example.com: No SPF here."],
    });
    expect(notes.written).toEqual([bare(OWNERSHIP), bare(RETURN_PATH)]);
    expect(records).toHaveLength(3);
  });

  test("what is wanted anew takes the place of what was written before", async () => {
    const { zone, records, notes } = newZone();
    await writeZone(zone, WANTED, notes);
    const spf = { ...SPF, value: "v=spf1 include:new.example ~all" };
    await writeZone(zone, [OWNERSHIP, spf], notes);
    expect(records.map(({ value }) => value)).toEqual([SITE.value, OWNERSHIP.value, spf.value]);
    expect(notes.written.map(({ value }) => value).toSorted()).toEqual([OWNERSHIP.value, spf.value]);
  });
});

describe("clearing a zone", () => {
  test("that fails leaves the notes, and says of each record why", async () => {
    const { zones, zone, notes } = newZone();
    await writeZone(zone, WANTED, notes);
    let calls = 0;
    const counted: DnsZone = {
      ...zone,
      remove(record) {
        calls++;
        return zone.remove(record);
      },
    };
    zones.failWith("dns_credentials_refused");
    const { removed, errors } = await clearZone(counted, notes);
    expect([removed, calls]).toEqual([[], 1]);
    expect(errors.map(({ record, code }) => [record, code])).toEqual(
      WANTED.map((record) => [bare(record), "dns_credentials_refused"]),
    );
    expect(notes.written).toHaveLength(3);
  });

  test("goes on after a record that can't be removed", async () => {
    const { zone, notes } = newZone();
    await writeZone(zone, WANTED, notes);
    const refusing: DnsZone = {
      ...zone,
      async remove(record) {
        if (record.name === SPF.name) throw fail("dns_record_refused");
        return zone.remove(record);
      },
    };
    const { removed, errors } = await clearZone(refusing, notes);
    expect(removed).toEqual([bare(OWNERSHIP), bare(RETURN_PATH)]);
    expect(errors).toMatchObject([{ record: bare(SPF), code: "dns_record_refused" }]);
  });

  test("an error of the program isn't swallowed", async () => {
    const { zone, notes } = newZone();
    await writeZone(zone, WANTED, notes);
    const broken: DnsZone = { ...zone, remove: () => Promise.reject(new TypeError("broken")) };
    await expect(clearZone(broken, notes)).rejects.toThrow("broken");
  });
});
