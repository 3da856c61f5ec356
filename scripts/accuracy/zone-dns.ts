import type { Dns } from "../../packages/core/src/index.ts";

/**
 * A zone as the SPF suite writes it: names to records such as `{"A": "192.0.2.1"}`, `{"MX": [10, "mx"]}` or
 * `"TIMEOUT"`.
 */
export type Zone = Readonly<Record<string, readonly ZoneRecord[]>>;
type ZoneRecord = "TIMEOUT" | Readonly<Record<string, string | readonly (string | number)[]>>;

const maxAliases = 8;

/**
 * Looks names up in a zone. `SPF` records answer for TXT where a name has no TXT of its own, as the suite
 * asks.
 */
export function zoneDns(zone: Zone): Dns {
  const names = new Map(Object.entries(zone).map(([name, records]) => [name.toLowerCase(), records]));

  function answer(name: string, type: string, aliases = 0): unknown[] {
    const records = names.get(name.toLowerCase().replace(/\.$/, ""));
    if (records === undefined) throw failure("ENOTFOUND");
    const held = (kind: string) =>
      records.flatMap((record) => (record === "TIMEOUT" || !(kind in record) ? [] : [record[kind]]));
    const found = type === "TXT" && held("TXT").length === 0 ? held("SPF") : held(type);
    const values = found.filter((value) => value !== "NONE").map((value) => shaped(type, value));
    if (values.length > 0) return values;
    if (records.includes("TIMEOUT")) throw failure("ETIMEOUT");
    const [alias] = held("CNAME");
    if (typeof alias === "string" && type !== "CNAME" && aliases < maxAliases)
      return answer(alias, type, aliases + 1);
    throw failure("ENODATA");
  }

  const resolve = async (name: string, type: string) => answer(name, type);
  return { resolve } as Dns;
}

function shaped(type: string, value: unknown): unknown {
  if (type === "TXT") return Array.isArray(value) ? value : [value];
  if (type !== "MX") return value;
  const [priority, exchange] = value as [number, string];
  return { priority, exchange };
}

function failure(code: string): Error {
  return Object.assign(new Error(`The zone answers ${code}.`), { code });
}
