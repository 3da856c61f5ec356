import {
  type DnsZone,
  fail,
  isSameRecord,
  type LetterslotError,
  type ZoneRecord,
} from "@letterslot/core/ports";
import { quotedStrings, textOfStrings } from "../text-values.ts";
import { type ZoneNames, zoneCandidates } from "../zone-names.ts";
import {
  type CloudflareAccess,
  type CloudflareRecord,
  CloudflareRefusal,
  createCloudflareApi,
} from "./api.ts";

/** The comment shown beside our records in Cloudflare's dashboard. */
const COMMENT = "Written by Letterslot";
const TTL_SECONDS = 300;

/** Codes of Cloudflare's errors. */
const IDENTICAL_RECORD = 81058;
const RECORD_GONE = 81044;

/**
 * A zone at Cloudflare. The API token needs Zone:Read and DNS:Edit. Cloudflare has no conditional requests: of
 * two who change one record within the same moment the later wins.
 */
export function openCloudflareZone(names: ZoneNames, access: CloudflareAccess): DnsZone {
  const api = createCloudflareApi(access);
  let found: Promise<string> | undefined;

  /** The id of the zone, which is looked for once unless that fails. */
  const zoneId = async () => {
    found ??= findZone(api, names);
    try {
      return await found;
    } catch (error) {
      found = undefined;
      throw error;
    }
  };
  const recordsNamed = async (zone_id: string, name: string) =>
    (await inZone(api.recordsNamed(zone_id, name))).map((record) => ({
      id: record.id,
      record: zoneRecordOf(record),
    }));
  const find = async (zone_id: string, wanted: ZoneRecord) =>
    (await recordsNamed(zone_id, wanted.name)).find(({ record }) => isSameRecord(record, wanted));

  return {
    async list(listed) {
      const zone_id = await zoneId();
      const records: ZoneRecord[] = [];
      for (const name of new Set(listed))
        records.push(...(await recordsNamed(zone_id, name)).map(({ record }) => record));
      return records;
    },
    async upsert(record, replaces) {
      const zone_id = await zoneId();
      const before = replaces === null ? undefined : await find(zone_id, replaces);
      if ((await find(zone_id, record)) !== undefined) {
        if (before !== undefined && replaces !== null && !isSameRecord(record, replaces))
          await inZone(unless(api.deleteRecord(zone_id, before.id), RECORD_GONE));
        return;
      }
      const fields = fieldsOf(record);
      if (before === undefined) await inZone(unless(api.createRecord(zone_id, fields), IDENTICAL_RECORD));
      else await inZone(unless(api.changeRecord(zone_id, before.id, fields), IDENTICAL_RECORD));
    },
    async remove(record) {
      const zone_id = await zoneId();
      const there = await find(zone_id, record);
      if (there === undefined) return "absent";
      const deleted = await inZone(unless(api.deleteRecord(zone_id, there.id), RECORD_GONE));
      return deleted === undefined ? "absent" : "removed";
    },
  };
}

async function findZone(api: ReturnType<typeof createCloudflareApi>, names: ZoneNames): Promise<string> {
  for (const name of zoneCandidates(names)) {
    const zones = await api.zonesNamed(name).catch((error: unknown) => {
      if (!(error instanceof CloudflareRefusal)) throw error;
      throw fail("dns_credentials_refused", {
        message: `Cloudflare does not accept the API token: ${error.message}.`,
      });
    });
    const zone = zones.find((each) => each.name === name);
    if (zone !== undefined) return zone.id;
  }
  const missing = names.zone === null ? `zone that has ${names.domain}` : `zone ${names.zone}`;
  throw fail("dns_zone_not_found", {
    message: `Cloudflare shows this API token no ${missing}.`,
    fix: "Check the zone's name, that it is in the token's account, and that the token has Zone:Read for it.",
  });
}

/** The answer of a call about a zone's records; fails as a zone does. */
async function inZone<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof CloudflareRefusal ? refusalOf(error) : error;
  }
}

/** The answer of a call; undefined when Cloudflare refuses it with this code. */
async function unless<T>(call: Promise<T>, code: number): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CloudflareRefusal && error.codes.includes(code)) return undefined;
    throw error;
  }
}

function refusalOf({ status, message }: CloudflareRefusal): LetterslotError {
  if (status === 401 || status === 403)
    return fail("dns_permission_missing", {
      message: `Cloudflare lets this API token not change the zone's records: ${message}.`,
    });
  return fail("dns_record_refused", { message: `Cloudflare does not take the record: ${message}.` });
}

function zoneRecordOf({ name, type, content = "", priority }: CloudflareRecord): ZoneRecord {
  return {
    name: name.toLowerCase(),
    type,
    value: type === "TXT" ? textOfStrings(content) : content.toLowerCase().replace(/\.$/, ""),
    priority: type === "MX" ? (priority ?? null) : null,
  };
}

function fieldsOf({ name, type, value, priority }: ZoneRecord) {
  return {
    name,
    type,
    content: type === "TXT" ? quotedStrings(value) : value,
    ttl: TTL_SECONDS,
    comment: COMMENT,
    ...(type === "CNAME" ? { proxied: false } : {}),
    ...(priority === null ? {} : { priority }),
  };
}
