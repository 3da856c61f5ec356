import type { AuthResult, DkimSignature, SenderFacts } from "@letterslot/core";
import type { DKIMResult } from "mailauth";
import { DkimVerifier } from "mailauth/lib/dkim/dkim-verifier.js";
import { formatDomain } from "mailauth/lib/tools.js";
import { readArcChain } from "./arc-facts.ts";
import type { MailauthResolver } from "./check-dns.ts";
import { bodyStart, type HeaderRow, headerRows, withCrlf } from "./mail-rows.ts";
import { createKeyReader } from "./public-keys.ts";
import { uncheckedSignature } from "./unchecked.ts";

/** Signatures of one mail that are checked, the topmost first; each costs a look-up and a verification. */
export const MAX_SIGNATURES = 10;
/** A longer header block is not checked: canonicalising it costs more than proper mail needs. */
export const MAX_SIGNED_HEADER_BYTES = 65_536;
/** A signature with more blanks in a row is not read: the library's time for them grows with their square. */
export const MAX_BLANKS = 100;

/** What the headers of one mail come to that sign it. */
export type SignatureFacts = Pick<SenderFacts, "dkim" | "arc">;

/**
 * Checks a mail's DKIM signatures (RFC 6376, strictly) and its ARC chain (RFC 8617) and answers what was
 * found for each. Rejects only for a broken resolver.
 */
export async function readSignatureFacts(
  raw: Uint8Array,
  resolver: MailauthResolver,
): Promise<SignatureFacts> {
  const source = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const body_at = bodyStart(source);
  const head = withCrlf(source.subarray(0, body_at));
  if (!MAY_BE_SIGNED.test(head.toString("latin1"))) return { dkim: [], arc: null };
  if (head.length > MAX_SIGNED_HEADER_BYTES) return { dkim: [uncheckedSignature("permerror")], arc: null };

  const { rows, unreadable } = readable(headerRows(head));
  const verifier = new DkimVerifier({ resolver, strict: true });
  const keys = createKeyReader(resolver);
  verifier.keyCache = keys;
  verifier.headers = { parsed: rows, original: head };
  await verifier.messageHeaders(verifier.headers);
  await verifier.nextChunk(withCrlf(source.subarray(body_at)));
  await verifier.finalChunk();

  const repeated = repeatedNames(rows);
  const toSignature = (result: DKIMResult) => signatureOf(result, repeated);
  const dkim = verifier.results.filter(({ status }) => status.result !== "none").map(toSignature);
  return {
    dkim: [...dkim, ...unreadable],
    arc: await readArcChain(verifier.arc, { keys, resolver, toSignature }),
  };
}

const MAY_BE_SIGNED = /^(?:dkim-signature|arc-seal|arc-message-signature|arc-authentication-results)\b/im;
const SIGNS = new Set(["dkim-signature", "arc-seal", "arc-message-signature", "arc-authentication-results"]);
const LONG_BLANK = new RegExp(`[ \\t\\r\\n]{${MAX_BLANKS}}`);

/** The rows without those that are too costly to read, and the signatures that are among them. */
function readable(rows: HeaderRow[]): { rows: HeaderRow[]; unreadable: DkimSignature[] } {
  const signatures = rows.filter(({ key }) => key === "dkim-signature");
  const late = new Set(signatures.slice(MAX_SIGNATURES));
  const blank = new Set(
    rows.filter(({ key, line }) => SIGNS.has(key) && LONG_BLANK.test(line.toString("latin1"))),
  );
  return {
    rows: rows.filter((row) => !late.has(row) && !blank.has(row)),
    unreadable: signatures
      .filter((row) => blank.has(row) && !late.has(row))
      .map(() => uncheckedSignature("permerror")),
  };
}

/** Headers that a mail has once (RFC 5322, section 3.6; RFC 2045) and that readers show or go by. */
const SINGLE = new Set([
  ...["from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"],
  ...["content-type", "content-transfer-encoding"],
]);

function repeatedNames(rows: HeaderRow[]): Set<string> {
  const seen = new Set<string>();
  const again = rows.filter(({ key }) => SINGLE.has(key) && (seen.has(key) || !seen.add(key)));
  return new Set(again.map(({ key }) => key));
}

function signatureOf(result: DKIMResult, repeated: ReadonlySet<string>): DkimSignature {
  const domain = formatDomain(result.signingDomain ?? "");
  // What a broken signature says of itself can be anything: the library hands on false for a missing tag,
  // numbers for others.
  const stated = (result.status as { header?: { i?: unknown } }).header?.i;
  const identity = typeof stated === "string" ? stated : `@${domain}`;
  const signed = (result.signingHeaders?.keys ?? "").split(":").map((name) => name.trim().toLowerCase());
  return {
    result: result.status.result as AuthResult,
    domain,
    identity_domain: formatDomain(identity.slice(identity.lastIndexOf("@") + 1)),
    selector: result.selector ?? "",
    strict_identity: keyFlags(result.rr ?? "").includes("s"),
    body_length_limited: result.canonBodyLengthLimited === true,
    signs_from: signed.includes("from"),
    repeats_signed: signed.some((name) => repeated.has(name)),
    key_bits: result.modulusLength ?? null,
  };
}

function keyFlags(record: string): string[] {
  const flags = /(?:^|;)\s*t\s*=\s*([^;]*)/i.exec(record)?.[1] ?? "";
  return flags.split(":").map((flag) => flag.trim().toLowerCase());
}
