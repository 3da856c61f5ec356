import type { Dns } from "../../packages/core/src/ports/index.ts";

/** A zone of the SPF suite: names to records such as `{"A": "192.0.2.1"}`, `{"MX": [10, "mx"]}` or `"TIMEOUT"`. */
export type Zone = Readonly<Record<string, readonly ZoneRecord[]>>;
type ZoneRecord = "TIMEOUT" | Readonly<Record<string, string | readonly (string | number)[]>>;

const MAX_ALIASES = 8;

/** Creates a DNS that serves a zone. `SPF` records answer TXT queries if a name has no TXT, as the suite requires. */
export function createZoneDns(zone: Zone): Dns {
  const names = new Map(Object.entries(zone).map(([name, records]) => [name.toLowerCase(), records]));

  function answer(name: string, type: string, aliases = 0): unknown[] {
    const records = names.get(name.toLowerCase().replace(/\.$/, ""));
    if (records === undefined) throw dnsError("ENOTFOUND");
    const recordsOf = (kind: string) =>
      records.flatMap((record) => (record === "TIMEOUT" || !(kind in record) ? [] : [record[kind]]));
    const found = type === "TXT" && recordsOf("TXT").length === 0 ? recordsOf("SPF") : recordsOf(type);
    const values = found.filter((value) => value !== "NONE").map((value) => toNodeRecord(type, value));
    if (values.length > 0) return values;
    if (records.includes("TIMEOUT")) throw dnsError("ETIMEOUT");
    const [alias] = recordsOf("CNAME");
    if (typeof alias === "string" && type !== "CNAME" && aliases < MAX_ALIASES)
      return answer(alias, type, aliases + 1);
    throw dnsError("ENODATA");
  }

  const resolve = async (name: string, type: string) => answer(name, type);
  return { resolve } as Dns;
}

/** Reads a zone in the form of RFC 1035, section 5: one record a line, names absolute or without their last dot. */
export function readZoneFile(text: string): Zone {
  const zone: Record<string, ZoneRecord[]> = {};
  for (const line of text.split("\n")) {
    const [, name = "", type = "", data = ""] =
      /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(?:\d+\s+)?(TXT|AAAA|A|MX|PTR|CNAME|NS)\s+(\S.*?)\s*$/.exec(line) ?? [];
    if (name === "" || name.startsWith(";")) continue;
    const host = (written: string) => written.replace(/\.$/, "");
    const [preference = "", exchange = ""] = data.split(/\s+/);
    const strings = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, one = ""]) =>
      one.replace(/\\(.)/g, "$1"),
    );
    const value =
      type === "TXT"
        ? strings.length > 0
          ? strings
          : data
        : type === "MX"
          ? [Number(preference), host(exchange)]
          : host(data);
    (zone[host(name)] ??= []).push({ [type]: value });
  }
  return zone;
}

function toNodeRecord(type: string, value: unknown): unknown {
  if (type === "TXT") return Array.isArray(value) ? value : [value];
  if (type !== "MX") return value;
  const [priority, exchange] = value as [number, string];
  return { priority, exchange };
}

function dnsError(code: string): Error {
  return Object.assign(new Error(`The zone answers ${code}.`), { code });
}
