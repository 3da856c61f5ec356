// Parts of mailauth that it does not declare; its version is pinned because of them.

declare module "mailauth/lib/dkim/dkim-verifier.js" {
  import type { ARCChainEntry, DKIMResult, DNSResolver } from "mailauth";

  /** Used without its stream interface: headers, body, end. */
  export class DkimVerifier {
    constructor(options: { resolver: DNSResolver; strict: boolean });
    keyCache: import("./public-keys.ts").KeyReader;
    headers: { parsed: import("./header-rows.ts").HeaderRow[]; original: Buffer };
    results: DKIMResult[];
    arc: {
      chain: ARCChainEntry[] | false;
      lastEntry?: ARCChainEntry & { messageSignature?: DKIMResult };
      error?: Error;
    };
    messageHeaders(headers: DkimVerifier["headers"]): Promise<void>;
    nextChunk(body: Buffer): Promise<void>;
    finalChunk(): Promise<void>;
  }
}

declare module "mailauth/lib/tools.js" {
  import type { DNSResolver } from "mailauth";

  /** Reads and checks a key record; fails with a `code` for the fault. */
  export function getPublicKey(
    type: string,
    name: string,
    minBitLength: number | undefined,
    resolver: DNSResolver,
    options: { strict: boolean; hashAlgo: string },
  ): Promise<import("./public-keys.ts").PublicKey>;
  /** A name in lower-case ASCII, without trailing dots. */
  export function formatDomain(domain: string): string;
  export function toALabel(domain: string): string;
  /** A header line in relaxed canonical form (RFC 6376, section 3.4.2), with `suffix` after it. */
  export function formatRelaxedLine(line: Buffer, suffix?: string): Buffer;
}

declare module "mailauth/lib/dmarc/get-dmarc-record.js" {
  import type { DNSResolver } from "mailauth";

  /** Looks up `_dmarc` records and caches them for one message. */
  export type RecordLookup = (name: string) => Promise<object | false>;
  export function createRecordLookup(resolver: DNSResolver, options: { strict: boolean }): RecordLookup;
  /** The tree walk of RFC 9989, section 4.10. Rejects if a lookup fails. */
  export function getOrgDomain(domain: string, lookup: RecordLookup): Promise<string>;
}
