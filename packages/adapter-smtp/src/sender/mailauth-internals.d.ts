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

declare module "mailauth/lib/dkim/body/index.js" {
  interface BodyHash {
    update(chunk: Buffer): void;
    digest(encoding: "base64"): string;
  }
  export function dkimBody(canonicalization: "relaxed", algorithm: "sha256"): BodyHash;
}

declare module "mailauth/lib/dkim/header/index.js" {
  /** The bytes to sign, and the tags of the signature but for `b`. */
  export function generateCanonicalizedHeader(
    type: "DKIM",
    lines: import("mailauth/lib/tools.js").SigningLines,
    tags: Record<"signingDomain" | "selector" | "algorithm" | "canonicalization" | "bodyHash", string>,
  ): { canonicalizedHeader: Buffer; dkimHeaderOpts: Record<string, unknown> };
}

declare module "mailauth/lib/dkim/syntax.js" {
  export const DOMAIN_NAME: RegExp;
  export const SELECTOR: RegExp;
}

declare module "mailauth/lib/tools.js" {
  import type { DNSResolver } from "mailauth";

  /** The header fields that a signature covers. */
  export interface SigningLines {
    keys: string;
    headers: import("./header-rows.ts").HeaderRow[];
  }
  /** `names` are separated by colons. */
  export function getSigningHeaderLines(
    rows: import("./header-rows.ts").HeaderRow[],
    names: string,
  ): SigningLines;
  export function formatSignatureHeaderLine(
    type: "DKIM",
    tags: Record<string, unknown>,
    folded: true,
  ): string;

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
