import type { ArcChain, DkimSignature } from "@letterslot/core/ports";
import type { ARCChainEntry, DKIMResult } from "mailauth";
import { verifyASChain } from "mailauth/lib/arc/index.js";
import type { DkimVerifier } from "mailauth/lib/dkim/dkim-verifier.js";
import { formatDomain } from "mailauth/lib/tools.js";
import { dnsErrorCode } from "./cached-dns.ts";
import type { MailauthResolver } from "./limited-dns.ts";
import type { KeyReader } from "./public-keys.ts";
import { readStatedResults } from "./stated-results.ts";

interface ArcCheck {
  keys: KeyReader;
  resolver: MailauthResolver;
  toSignature: (result: DKIMResult) => DkimSignature;
}

/**
 * Checks every seal of an ARC chain, newest first (RFC 8617, section 5.2); its newest message signature was
 * already checked. Null without ARC headers; `fail` for a chain with a gap, too many sets, a missing header
 * or a seal that states failure.
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
  // `keyCache` is missing from the library's types.
  const options = { resolver, strict: true, keyCache: keys };
  try {
    return (await verifyASChain({ chain }, options)) ? "pass" : "fail";
  } catch (error) {
    return PERMANENT.test(dnsErrorCode(error)) ? "fail" : "temperror";
  }
}

/**
 * The library's own codes are in lower case, and faulty key records have special codes. Everything else is a
 * DNS failure.
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
