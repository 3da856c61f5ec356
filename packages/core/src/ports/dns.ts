/**
 * Resolves names. Fails like node:dns: an error whose `code` is `ENOTFOUND`, `ENODATA`, `ETIMEOUT` or
 * `ESERVFAIL`.
 */
export interface Dns {
  /** TXT results are arrays of chunks, MX results are `{exchange, priority}`, all others are strings. */
  resolve(name: string, type: "TXT"): Promise<string[][]>;
  resolve(name: string, type: "MX"): Promise<{ exchange: string; priority: number }[]>;
  resolve(name: string, type: "A" | "AAAA" | "CNAME" | "PTR" | "NS"): Promise<string[]>;
}
