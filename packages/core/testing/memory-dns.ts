import type { Dns } from "../src/ports/dns.ts";

/** The records of a name and type as the port answers them. */
type Answers = string[] | string[][] | { exchange: string; priority: number }[];

/** DNS that a test fills; names are compared without regard to case. */
export interface MemoryDns extends Dns {
  /** Publishes all records of a name and type. A TXT text may be split with an array of its strings. */
  set(name: string, type: "TXT", texts: (string | string[])[]): void;
  set(name: string, type: "MX", hosts: { exchange: string; priority: number }[]): void;
  set(name: string, type: "A" | "AAAA" | "CNAME" | "PTR" | "NS", values: string[]): void;
  /** Removes the records of a name, of one type or of all. */
  remove(name: string, type?: string): void;
  /** From now on look-ups of this name and all below it fail with a code of node:dns; null ends that. */
  fail(name: string, code: string | null): void;
  /** The queries made, such as `TXT example.com`. */
  asked: string[];
}

const MAX_ALIASES = 8;

/** Creates an empty DNS. CNAMEs are followed, as a resolver does. */
export function createMemoryDns(): MemoryDns {
  const records = new Map<string, Map<string, Answers>>();
  const failures = new Map<string, string>();
  const asked: string[] = [];

  function find(name: string, type: string, aliases: number): Answers {
    const failing = [...failures].find(([failed]) => name === failed || name.endsWith(`.${failed}`));
    if (failing !== undefined) throw dnsError(failing[1]);
    const types = records.get(name);
    const found = types?.get(type);
    if (found !== undefined) return found;
    const alias = types?.get("CNAME")?.[0];
    if (typeof alias === "string" && type !== "CNAME")
      return aliases === MAX_ALIASES ? fail("ESERVFAIL") : find(key(alias), type, aliases + 1);
    const exists = types !== undefined || [...records.keys()].some((known) => known.endsWith(`.${name}`));
    return fail(exists ? "ENODATA" : "ENOTFOUND");
  }

  return {
    asked,
    async resolve(name: string, type: string) {
      asked.push(`${type} ${key(name)}`);
      return find(key(name), type, 0) as never;
    },
    set(name: string, type: string, values: unknown[]) {
      const types = records.get(key(name)) ?? new Map<string, Answers>();
      const answers = type === "TXT" ? values.map((text) => [text].flat()) : values;
      records.set(key(name), types.set(type, answers as Answers));
    },
    remove(name, type) {
      if (type === undefined) records.delete(key(name));
      else records.get(key(name))?.delete(type);
      if (records.get(key(name))?.size === 0) records.delete(key(name));
    },
    fail(name, code) {
      if (code === null) failures.delete(key(name));
      else failures.set(key(name), code);
    },
  };
}

const key = (name: string): string => name.toLowerCase().replace(/\.$/, "");

/** An error like those of node:dns. */
const dnsError = (code: string): Error => Object.assign(new Error(`DNS lookup failed: ${code}`), { code });

function fail(code: string): never {
  throw dnsError(code);
}
