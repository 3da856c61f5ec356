import type { ArcChain, DkimSignature } from "@letterslot/core";
import type { ARCChainEntry, DKIMResult } from "mailauth";
import { verifyASChain } from "mailauth/lib/arc/index.js";
import type { DkimVerifier } from "mailauth/lib/dkim/dkim-verifier.js";
import { formatDomain } from "mailauth/lib/tools.js";
import { codeOf } from "./cached-dns.ts";
import type { MailauthResolver } from "./check-dns.ts";
import type { KeyReader } from "./public-keys.ts";
import { readStatedResults } from "./stated-results.ts";

/** What a chain is checked with. */
interface ArcCheck {
  keys: KeyReader;
  resolver: MailauthResolver;
  toSignature: (result: DKIMResult) => DkimSignature;
}

/**
 * The ARC chain of a mail whose newest message signature was checked already (RFC 8617, section 5.2): every
 * seal, from the newest to the oldest. Null when there are no ARC headers; `fail` for a chain that has a gap,
 * a set too many, a missing header or a seal that says so.
 */
export async function readArcChain(arc: DkimVerifier["arc"], check: ArcCheck): Promise<ArcChain | null> {
  if (arc.error !== undefined)
    return { result: "fail", sealer: "", signature: null, stated: { dmarc: [], dkim: [] } };
  const { chain, lastEntry: newest } = arc;
  if (chain === false || newest === undefined) return null;
  const signature = newest.messageSignature === undefined ? null : check.toSignature(newest.messageSignature);
  const seals = await checkSeals(chain, check);
  return {
    result: worst(seals, signature?.result ?? "fail"),
    sealer: formatDomain(String(newest["arc-seal"]?.parsed?.["d"]?.value ?? "")),
    signature,
    stated: readStatedResults(valueOf(newest["arc-authentication-results"]?.original)),
  };
}

async function checkSeals(chain: ARCChainEntry[], { keys, resolver }: ArcCheck): Promise<ArcChain["result"]> {
  // The reader of keys is not in the library's types.
  const options = { resolver, strict: true, keyCache: keys };
  try {
    return (await verifyASChain({ chain }, options)) ? "pass" : "fail";
  } catch (error) {
    return PERMANENT.test(codeOf(error)) ? "fail" : "temperror";
  }
}

/**
 * The library's own codes are in lower case; what a key record lacks has a code of its own; the rest is
 * trouble with the DNS.
 */
const PERMANENT = /^(?:[a-z_]+|EINVALID[A-Z]+|ESHORTKEY|ENOTFOUND|ENODATA)$/;

function worst(seals: ArcChain["result"], signature: DkimSignature["result"]): ArcChain["result"] {
  if (seals === "fail" || (signature !== "pass" && signature !== "temperror")) return "fail";
  return seals === "temperror" || signature === "temperror" ? "temperror" : "pass";
}

function valueOf(header: string | Buffer | undefined): string {
  const line = String(header ?? "");
  return line.slice(line.indexOf(":") + 1);
}
