// Parts of mailauth that it does not declare. Its version is pinned for their sake.

declare module "mailauth/lib/dkim/dkim-verifier.js" {
  import type { ARCChainEntry, DKIMResult, DNSResolver } from "mailauth";

  /** Takes a mail in three steps, when it is not written to as a stream: headers, body, end. */
  export class DkimVerifier {
    constructor(options: { resolver: DNSResolver; strict: boolean });
    keyCache: import("./public-keys.ts").KeyReader;
    headers: { parsed: import("./mail-rows.ts").HeaderRow[]; original: Buffer };
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

  /** Reads and checks a key record; fails with a `code` that says what is wrong with it. */
  export function getPublicKey(
    type: string,
    name: string,
    minBitLength: number | undefined,
    resolver: DNSResolver,
    options: { strict: boolean; hashAlgo: string },
  ): Promise<import("./public-keys.ts").PublicKey>;
  /** A name in lower case and ASCII, without last dots. */
  export function formatDomain(domain: string): string;
  export function toALabel(domain: string): string;
}

declare module "mailauth/lib/dmarc/get-dmarc-record.js" {
  import type { DNSResolver } from "mailauth";

  /** Remembers what it read of `_dmarc` records, for one mail. */
  export type RecordLookup = (name: string) => Promise<object | false>;
  export function createRecordLookup(resolver: DNSResolver, options: { strict: boolean }): RecordLookup;
  /** The tree walk of RFC 9989, section 4.10. Rejects when a look-up fails. */
  export function getOrgDomain(domain: string, lookup: RecordLookup): Promise<string>;
}
