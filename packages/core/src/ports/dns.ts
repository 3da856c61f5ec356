/**
 * Resolves names. Fails like node:dns, with an error whose `code` tells why: `ENOTFOUND` or `ENODATA` when
 * there is no such record, anything else (`ETIMEOUT`, `ESERVFAIL`, …) when that couldn't be found out.
 */
export interface Dns {
  /** TXT results are arrays of chunks, MX results are `{exchange, priority}`, all others are strings. */
  resolve(name: string, type: "TXT"): Promise<string[][]>;
  resolve(name: string, type: "MX"): Promise<{ exchange: string; priority: number }[]>;
  resolve(name: string, type: "A" | "AAAA" | "CNAME" | "PTR" | "NS"): Promise<string[]>;
}

const ABSENT: readonly unknown[] = ["ENOTFOUND", "ENODATA"];

/** Whether a look-up that failed says that there is no such record, and not that DNS is in trouble. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ABSENT.includes(error.code);

/** The DNS of a service that was given none: every look-up fails, which doesn't mean that there is no record. */
export const noDns: Dns = {
  resolve: async () => {
    throw Object.assign(new Error("This service looks up no DNS."), { code: "ENOTIMP" });
  },
};
