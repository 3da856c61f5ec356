import type { AuthResult, DkimSignature } from "@letterslot/core";
import type { DKIMResult } from "mailauth";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import type { MailauthResolver } from "./check-dns.ts";

/** Signatures of one mail that are checked, the topmost first; each costs a look-up and a verification. */
export const MAX_SIGNATURES = 10;
/** A longer header block is not checked: canonicalising it costs more than proper mail needs. */
export const MAX_SIGNED_HEADER_BYTES = 65_536;

/** A signature that could not be looked at: it says why, and never passes. */
export function uncheckedSignature(result: "temperror" | "permerror"): DkimSignature {
  return {
    result,
    domain: "",
    identity_domain: "",
    selector: "",
    strict_identity: false,
    body_length_limited: false,
    signs_from: false,
    key_bits: null,
  };
}

/** Checks a mail's DKIM signatures (RFC 6376, strictly) and answers what was found for each. Rejects only for a broken resolver. */
export async function readDkimFacts(raw: Uint8Array, resolver: MailauthResolver): Promise<DkimSignature[]> {
  const source = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const head_end = endOfHead(source);
  const head = source.toString("latin1", 0, head_end);
  if (!SIGNATURE.test(head)) return [];
  if (head_end > MAX_SIGNED_HEADER_BYTES) return [uncheckedSignature("permerror")];
  const bounded = withFewerSignatures(source, head);
  const { results } = await dkimVerify(bounded, { resolver, strict: true });
  return results.filter(({ status }) => status.result !== "none").map(toSignature);
}

function toSignature(result: DKIMResult): DkimSignature {
  const domain = (result.signingDomain ?? "").toLowerCase();
  // What a broken signature says of itself can be anything: the library hands on false for a missing tag, numbers for others.
  const stated = (result.status as { header?: { i?: unknown } }).header?.i;
  const identity = typeof stated === "string" ? stated : `@${domain}`;
  return {
    result: result.status.result as AuthResult,
    domain,
    identity_domain: identity.slice(identity.lastIndexOf("@") + 1).toLowerCase(),
    selector: result.selector ?? "",
    strict_identity: keyFlags(result.rr ?? "").includes("s"),
    body_length_limited: result.canonBodyLengthLimited === true,
    signs_from: (result.signingHeaders?.keys ?? "").split(":").some((name) => name.trim().toLowerCase() === "from"),
    key_bits: result.modulusLength ?? null,
  };
}

function keyFlags(record: string): string[] {
  const flags = /(?:^|;)\s*t\s*=\s*([^;]*)/i.exec(record)?.[1] ?? "";
  return flags.split(":").map((flag) => flag.trim().toLowerCase());
}

function endOfHead(source: Buffer): number {
  const ends = [source.indexOf("\r\n\r\n"), source.indexOf("\n\n")].filter((at) => at >= 0);
  return ends.length === 0 ? source.length : Math.min(...ends);
}

const SIGNATURE = /^dkim-signature[ \t]*:/im;

function withFewerSignatures(source: Buffer, head: string): Buffer {
  if ((head.match(/^dkim-signature[ \t]*:/gim) ?? []).length <= MAX_SIGNATURES) return source;
  let seen = 0;
  // Signatures don't sign each other in practice, so leaving out the lowest ones spoils none above them.
  const kept = head.split(/\n(?![ \t])/).filter((field) => {
    if (!SIGNATURE.test(field)) return true;
    seen += 1;
    return seen <= MAX_SIGNATURES;
  });
  return Buffer.concat([Buffer.from(kept.join("\n"), "latin1"), source.subarray(head.length)]);
}
