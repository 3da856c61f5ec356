import { type DnsZone, fail, isSameRecord, type ZoneRecord } from "@letterslot/core/ports";
import type { ZoneNames } from "../zone-names.ts";
import { openConnection } from "./connection.ts";
import type { Destinations } from "./destinations.ts";
import { type FoundRecord, TTL_SECONDS } from "./found-record.ts";
import { type Session, startSession } from "./session.ts";
import type { TsigKey } from "./tsig.ts";
import { CLASSES, dataOf, TYPES, type TypeName, type WireRecord } from "./wire.ts";

/** The name server of a zone and the key that authenticates us to it. */
export interface UpdateAccess {
  key: TsigKey & { server: string; port: number };
  destinations: Destinations;
  /** Time limit for a connection and all queries on it. */
  timeout_ms: number;
}

/** The record types looked up at a name; a CNAME excludes all others. */
const LISTED_TYPES = ["CNAME", "TXT", "MX", "A", "AAAA", "NS", "SRV", "CAA"] as const;

/**
 * A zone at a name server that takes updates (RFC 2136), signed by a key (TSIG, RFC 8945), over TCP. Each change is one
 * update whose prerequisites the server checks, so that it is atomic even under concurrent changes. Queries are not
 * signed: a server that takes updates from a key needn't allow it queries, and nothing is changed because of an answer
 * alone.
 */
export function openUpdateZone(names: ZoneNames, { key, destinations, timeout_ms }: UpdateAccess): DnsZone {
  destinations.check(key.server);

  const onConnection = async <T>(run: (zone: Session) => Promise<T>): Promise<T> => {
    const addresses = await destinations.addressesOf(key.server);
    const connection = await openConnection(addresses, key.port, timeout_ms);
    try {
      return await run(await startSession(connection, key, names));
    } finally {
      connection.close();
    }
  };

  return {
    list: (listed) =>
      onConnection(async (session) => {
        const records: ZoneRecord[] = [];
        for (const name of new Set(listed)) {
          if ((await session.update([inUse(name)], [])) === "name_not_in_use") continue;
          for (const type of LISTED_TYPES)
            records.push(...(await session.find(name, type)).map(({ record }) => record));
        }
        return records;
      }),
    upsert: (record, replaces) => onConnection((session) => upsert(session, record, replaces)),
    remove: (record) =>
      onConnection(async (session) => ((await removeRecord(session, record)) ? "removed" : "absent")),
  };
}

async function upsert(session: Session, record: ZoneRecord, replaces: ZoneRecord | null): Promise<void> {
  if (replaces !== null && (replaces.name !== record.name || replaces.type !== record.type)) {
    await removeRecord(session, replaces);
    return upsert(session, record, null);
  }
  const there = await session.find(record.name, record.type as TypeName);
  const before = replaces === null ? undefined : there.find((one) => isSameRecord(one.record, replaces));
  const ttl = there[0]?.ttl ?? TTL_SECONDS;
  const add = { ...wire(record, CLASSES.IN), ttl };
  const outcome = await session.update(
    record.type === "CNAME" ? conditionsOfCname(record, before) : [noCname(record.name)],
    before === undefined || isSameRecord(before.record, record) ? [add] : [deletion(before), add],
  );
  if (outcome === "done") return;
  const now = await session.find(record.name, record.type as TypeName);
  if (now.some((one) => isSameRecord(one.record, record))) return;
  throw fail("dns_record_refused", {
    message:
      record.type === "CNAME"
        ? `${record.name} has other records, beside which no CNAME can be.`
        : `${record.name} has a CNAME, beside which no other record can be.`,
  });
}

/** A CNAME takes the place of any other, so it is added where nothing is, or where the one before still is. */
const conditionsOfCname = ({ name }: ZoneRecord, before: FoundRecord | undefined): WireRecord[] =>
  before === undefined
    ? [{ name, type: TYPES.ANY, class: CLASSES.NONE, ttl: 0, data: Buffer.alloc(0) }]
    : [{ ...wire(before.record, CLASSES.IN), ttl: 0 }];

async function removeRecord(session: Session, record: ZoneRecord): Promise<boolean> {
  const name_in_use = await session.update([inUse(record.name)], []);
  if (name_in_use === "name_not_in_use") return false;
  const there = (await session.find(record.name, record.type as TypeName)).find((one) =>
    isSameRecord(one.record, record),
  );
  if (there === undefined) return false;
  await session.update([], [deletion(there)]);
  return true;
}

const wire = (record: ZoneRecord, of_class: number): WireRecord => ({
  name: record.name,
  type: TYPES[record.type as TypeName],
  class: of_class,
  ttl: 0,
  data: dataOf(record),
});

/** Deletes one record of a name and type, identified by its data (RFC 2136, section 2.5.4). */
const deletion = ({ record, data }: FoundRecord): WireRecord => ({
  ...wire(record, CLASSES.NONE),
  ...(data === undefined ? {} : { data }),
});

/** Holds if the name has any record (RFC 2136, section 2.4.4): one of its own, not of a wildcard. */
const inUse = (name: string): WireRecord => ({
  name,
  type: TYPES.ANY,
  class: CLASSES.ANY,
  ttl: 0,
  data: Buffer.alloc(0),
});

/** Holds if the name has no CNAME (RFC 2136, section 2.4.3). */
const noCname = (name: string): WireRecord => ({
  name,
  type: TYPES.CNAME,
  class: CLASSES.NONE,
  ttl: 0,
  data: Buffer.alloc(0),
});
