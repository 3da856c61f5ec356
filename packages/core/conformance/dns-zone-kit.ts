import assert from "node:assert/strict";
import type { ErrorCode } from "../src/catalogue/errors.ts";
import { LetterslotError } from "../src/catalogue/errors.ts";
import type { ZoneRecord } from "../src/model/zone-record.ts";
import type { DnsZone } from "../src/ports/dns-zone.ts";
import { type Kit, type Opened, race, withFresh } from "./kit.ts";

/** A fresh zone for one test, which is empty but for what every zone has at its apex (SOA, NS). */
export interface OpenedDnsZone extends Opened {
  zone: DnsZone;
  /** The zone's apex. */
  apex: string;
  /** Puts records into the zone, as its owner does. */
  put(...records: ZoneRecord[]): Promise<void>;
  /** The same zone as seen with credentials that nobody gave out. */
  stranger: DnsZone;
  /** The same zone as seen with credentials that may not change it. */
  reader: DnsZone;
  /** A zone that the provider doesn't have. */
  elsewhere: DnsZone;
  /** The zone of a provider that nobody answers for. */
  silent: DnsZone;
  /** Strings that no message may contain. */
  secrets: readonly string[];
}

/** A DKIM key of 2,048 bits is longer than one string of a TXT record. */
const LONG_VALUE = `v=DKIM1; k=rsa; p=${"MIIBIjANBgkqhkiG9w0B".repeat(20)}`;

/** Checks every promise of the DNS zone port. */
export function dnsZoneKit(kit: Kit<OpenedDnsZone>): void {
  const test = withFresh(kit);

  test("what is written is listed as it was written", async ({ zone, apex }) => {
    const records = [
      txt(`_letterslot.${apex}`, "letterslot=acc_1"),
      txt(`ls-a._domainkey.${apex}`, LONG_VALUE),
      txt(`odd.${apex}`, 'a "quoted" word; a \\ and 東京'),
      mx(`in.${apex}`, "mail.example.net", 10),
      cname(`ls-bounce.${apex}`, "mail.example.net"),
    ];
    for (const record of records) await zone.upsert(record, null);
    assert.deepEqual(await sorted(zone, records.map(nameOf)), order(records));
  });

  test("only the names that are asked for are listed, with all types", async ({ zone, apex, put }) => {
    const records = [txt(`box.${apex}`, "one"), mx(`box.${apex}`, "mail.example.net", 5)];
    await put(...records, txt(`other.${apex}`, "two"), txt(`a.box.${apex}`, "three"));
    assert.deepEqual(await sorted(zone, [`box.${apex}`]), order(records));
    assert.deepEqual(await zone.list([`none.${apex}`]), []);
    assert.deepEqual(await zone.list([]), []);
  });

  test("more records than a page has are all listed", async ({ zone, apex, put }) => {
    const records = Array.from({ length: 130 }, (_, index) => txt(`many.${apex}`, `number ${index}`));
    await put(...records);
    assert.deepEqual(await sorted(zone, [`many.${apex}`]), order(records));
  });

  test("a record is added beside those that are there, and twice is as once", async ({ zone, apex, put }) => {
    await put(txt(apex, "site-verification=1"));
    const record = txt(apex, "v=spf1 include:mail.example.net ~all");
    for (const _ of [1, 2]) await zone.upsert(record, null);
    const own = (await zone.list([apex])).filter(({ type }) => type === "TXT");
    assert.deepEqual(order(own), order([txt(apex, "site-verification=1"), record]));
  });

  test("a record takes the place of exactly the one that it replaces", async ({ zone, apex, put }) => {
    const [before, after] = [txt(`x.${apex}`, "before"), txt(`x.${apex}`, "after")];
    await put(txt(`x.${apex}`, "of somebody else"));
    await zone.upsert(before, null);
    for (const _ of [1, 2]) await zone.upsert(after, before);
    assert.deepEqual(await sorted(zone, [`x.${apex}`]), order([txt(`x.${apex}`, "of somebody else"), after]));
  });

  test("a CNAME and the priority of an MX can be replaced", async ({ zone, apex }) => {
    for (const [before, after] of [
      [cname(`c.${apex}`, "one.example.net"), cname(`c.${apex}`, "two.example.net")],
      [mx(`m.${apex}`, "mail.example.net", 10), mx(`m.${apex}`, "mail.example.net", 20)],
    ] as const) {
      await zone.upsert(before, null);
      await zone.upsert(after, before);
      assert.deepEqual(await zone.list([before.name]), [after]);
    }
  });

  test("a record is removed alone, once, and only if it is the same", async ({ zone, apex, put }) => {
    const [own, others] = [mx(`m.${apex}`, "mail.example.net", 10), mx(`m.${apex}`, "mx.example.org", 10)];
    await put(others);
    await zone.upsert(own, null);
    assert.equal(await zone.remove({ ...own, priority: 11 }), "absent");
    assert.equal(await zone.remove({ ...own, value: "mail.example.org" }), "absent");
    assert.equal(await zone.remove(txt(own.name, "mail.example.net")), "absent");
    assert.equal(await zone.remove(own), "removed");
    assert.equal(await zone.remove(own), "absent");
    assert.deepEqual(await zone.list([own.name]), [others]);
  });

  test("what is the same but for its case is removed", async ({ zone, apex, put }) => {
    await put(cname(`C.${apex}`, "Mail.Example.net"));
    assert.deepEqual(await zone.list([`c.${apex}`]), [cname(`c.${apex}`, "mail.example.net")]);
    assert.equal(await zone.remove(cname(`c.${apex}`, "mail.example.net")), "removed");
  });

  test("records of one name that are written at once all arrive", async ({ zone, apex }) => {
    const records = Array.from({ length: 8 }, (_, index) => txt(`at-once.${apex}`, `number ${index}`));
    await race(records.length, (index) => zone.upsert(records[index] as ZoneRecord, null));
    assert.deepEqual(await sorted(zone, [`at-once.${apex}`]), order(records));
  });

  test("a CNAME never takes the place of others, nor they its", async ({ zone, apex, put }) => {
    await put(txt(`t.${apex}`, "text"));
    await put(cname(`c.${apex}`, "one.example.net"));
    await fails(zone.upsert(cname(`t.${apex}`, "mail.example.net"), null), "dns_record_refused");
    await fails(zone.upsert(txt(`c.${apex}`, "text"), null), "dns_record_refused");
    await fails(zone.upsert(cname(`c.${apex}`, "two.example.net"), null), "dns_record_refused");
    const gone = cname(`c.${apex}`, "never.example.net");
    await fails(zone.upsert(cname(`c.${apex}`, "two.example.net"), gone), "dns_record_refused");
    assert.deepEqual(
      await sorted(zone, [`t.${apex}`, `c.${apex}`]),
      order([txt(`t.${apex}`, "text"), cname(`c.${apex}`, "one.example.net")]),
    );
  });

  test("a wildcard is no record of the names below it", async ({ zone, apex, put }) => {
    await put(mx(`*.${apex}`, "mx.example.org", 10));
    await put(txt(`*.${apex}`, "anything"));
    assert.deepEqual(await zone.list([`some.${apex}`]), []);
    await zone.upsert(txt(`some.${apex}`, "ours"), null);
    assert.deepEqual(await zone.list([`some.${apex}`]), [txt(`some.${apex}`, "ours")]);
  });

  test("each failure has its code, and no message has a secret", async (opened) => {
    const { apex, zone, stranger, reader, elsewhere, silent, secrets } = opened;
    const record = txt(`x.${apex}`, "text");
    await zone.upsert(record, null);
    const cases: [DnsZone, ErrorCode][] = [
      [stranger, "dns_credentials_refused"],
      [reader, "dns_permission_missing"],
      [elsewhere, "dns_zone_not_found"],
      [silent, "dns_provider_unreachable"],
    ];
    for (const [failing, code] of cases) {
      const errors = [
        await fails(failing.upsert(txt(`y.${apex}`, "text"), null), code),
        await fails(failing.upsert(txt(`x.${apex}`, "another"), record), code),
        await fails(failing.remove(record), code),
      ];
      if (failing !== reader) errors.push(await fails(failing.list([`x.${apex}`]), code));
      for (const { message, fix, cause } of errors)
        for (const secret of secrets) assert.ok(![message, fix, inspected(cause)].join().includes(secret));
    }
    assert.deepEqual(await sorted(zone, [`x.${apex}`, `y.${apex}`]), [record]);
  });
}

const nameOf = ({ name }: ZoneRecord) => name;
const txt = (name: string, value: string): ZoneRecord => ({ name, type: "TXT", value, priority: null });
const cname = (name: string, value: string): ZoneRecord => ({ name, type: "CNAME", value, priority: null });
const mx = (name: string, value: string, priority: number): ZoneRecord => ({
  name,
  type: "MX",
  value,
  priority,
});

async function sorted(zone: DnsZone, names: readonly string[]): Promise<ZoneRecord[]> {
  return order(await zone.list(names));
}

function order(records: readonly ZoneRecord[]): ZoneRecord[] {
  const keyOf = ({ name, type, value, priority }: ZoneRecord) => `${name} ${type} ${value} ${priority}`;
  return records.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

async function fails(call: Promise<unknown>, code: ErrorCode): Promise<LetterslotError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof LetterslotError, `${code} was expected, not ${inspected(error)}`);
  assert.equal(error.code, code, error.message);
  return error;
}

function inspected(error: unknown): string {
  return error instanceof Error ? `${error.stack} ${inspected(error.cause)}` : String(error);
}
