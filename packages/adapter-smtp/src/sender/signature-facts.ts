import { createHash } from "node:crypto";
import type { AuthResult, DkimProof, DkimSignature, SenderFacts } from "@letterslot/core/ports";
import type { DKIMResult } from "mailauth";
import { DkimVerifier } from "mailauth/lib/dkim/dkim-verifier.js";
import { formatDomain } from "mailauth/lib/tools.js";
import { readArcChain } from "./arc-facts.ts";
import { bodyStart, type HeaderRow, headerRows, lineText, withCrlf } from "./header-rows.ts";
import type { MailauthResolver } from "./limited-dns.ts";
import { createKeyReader, type KeyReader } from "./public-keys.ts";

/** Signatures checked per message, topmost first; each costs a lookup and a verification. */
export const MAX_SIGNATURES = 10;
/** A longer header block is not checked: real mail is smaller, and canonicalising it is expensive. */
export const MAX_SIGNED_HEADER_BYTES = 65_536;
/** A signature with more consecutive blanks is not parsed: the library takes quadratic time on them. */
export const MAX_BLANKS = 100;

const CHUNK_BYTES = 262_144;

/** The results of a message's DKIM signatures and ARC chain. */
export type SignatureFacts = Pick<SenderFacts, "dkim" | "arc" | "repeated_headers">;

/**
 * Checks a message's DKIM signatures (RFC 6376, strictly) and its ARC chain (RFC 8617). Rejects only if the
 * resolver is broken.
 */
export async function readSignatureFacts(
  raw: Uint8Array,
  resolver: MailauthResolver,
): Promise<SignatureFacts> {
  const source = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const body_at = bodyStart(source);
  const head = withCrlf(source.subarray(0, body_at));
  const text = head.toString("latin1");
  if (head.length > MAX_SIGNED_HEADER_BYTES || DELIMITER.test(text)) {
    const may_be_signed = MAY_BE_SIGNED.test(text);
    return { dkim: may_be_signed ? [uncheckedSignature("permerror")] : [], arc: null, repeated_headers: [] };
  }
  const all_rows = headerRows(head);
  const repeated = repeatedNames(all_rows);
  const repeated_headers = [...repeated];
  if (!all_rows.some(({ key }) => SIGNS.has(key))) return { dkim: [], arc: null, repeated_headers };

  const { rows, unreadable } = splitUnreadable(all_rows);
  const verifier = new DkimVerifier({ resolver, strict: true });
  const keys = createKeyReader(resolver);
  verifier.keyCache = keys;
  verifier.headers = { parsed: rows, original: head };
  await verifier.messageHeaders(verifier.headers);
  const body = withCrlf(source.subarray(body_at));
  // The library copies each chunk several times.
  for (let at = 0; at < body.length; at += CHUNK_BYTES)
    await verifier.nextChunk(body.subarray(at, at + CHUNK_BYTES));
  await verifier.finalChunk();

  const toSignature = (result: DKIMResult) => signatureOf(result, repeated, keys);
  const dkim = verifier.results.filter(({ status }) => status.result !== "none").map(toSignature);
  return {
    dkim: [...dkim, ...unreadable],
    arc: await readArcChain(verifier.arc, { keys, resolver, toSignature }),
    repeated_headers,
  };
}

/** Parts that no blank line parts from the header are read, but no signature of a body covers them. */
const DELIMITER = /^--/m;
const MAY_BE_SIGNED = /^(?:dkim-signature|arc-seal|arc-message-signature|arc-authentication-results)\b/im;
const SIGNS = new Set(["dkim-signature", "arc-seal", "arc-message-signature", "arc-authentication-results"]);
const LONG_BLANK = new RegExp(`[ \\t\\r\\n]{${MAX_BLANKS}}`);

/** Leaves out rows that are too expensive to parse, and reports the signatures among them. */
function splitUnreadable(rows: HeaderRow[]): { rows: HeaderRow[]; unreadable: DkimSignature[] } {
  const readable: HeaderRow[] = [];
  const unreadable: DkimSignature[] = [];
  let signatures = 0;
  for (const row of rows) {
    const is_signature = row.key === "dkim-signature";
    if (is_signature) signatures += 1;
    if (is_signature && signatures > MAX_SIGNATURES) continue;
    if (!SIGNS.has(row.key) || !LONG_BLANK.test(lineText(row))) readable.push(row);
    else if (is_signature) unreadable.push(uncheckedSignature("permerror"));
  }
  return { rows: readable, unreadable };
}

/** Headers that may occur once (RFC 5322, section 3.6; RFC 2045) and that mail clients show or rely on. */
const SINGLE = new Set([
  ...["from", "sender", "reply-to", "to", "cc", "subject", "date", "message-id", "in-reply-to", "references"],
  ...["content-type", "content-transfer-encoding"],
]);

function repeatedNames(rows: HeaderRow[]): Set<string> {
  const seen = new Set<string>();
  const repeats = rows.filter(({ key }) => SINGLE.has(key) && (seen.has(key) || !seen.add(key)));
  return new Set(repeats.map(({ key }) => key));
}

const secondsOf = (time: string | null | undefined): number | null =>
  time == null || Number.isNaN(Date.parse(time)) ? null : Date.parse(time) / 1_000;

function signatureOf(
  result: DKIMResult,
  repeated: ReadonlySet<string>,
  keys: Pick<KeyReader, "hashOf" | "spkiOf">,
): DkimSignature {
  const domain = formatDomain(result.signingDomain ?? "");
  // A malformed signature can yield anything here: false for a missing tag, numbers for others.
  const identity_tag = (result.status as { header?: { i?: unknown } }).header?.i;
  const identity = typeof identity_tag === "string" ? identity_tag : `@${domain}`;
  const flags = keyFlags(result.rr ?? "");
  const signed = (result.signingHeaders?.keys ?? "").split(":").map((name) => name.trim().toLowerCase());
  return {
    result: result.status.result as AuthResult,
    domain,
    identity_domain: formatDomain(identity.slice(identity.lastIndexOf("@") + 1)),
    selector: result.selector ?? "",
    strict_identity: flags.includes("s"),
    body_length_limited: result.canonBodyLengthLimited === true,
    signs_from: signed.includes("from"),
    repeats_signed: signed.some((name) => repeated.has(name)),
    key_bits: result.modulusLength ?? null,
    key_hash: keys.hashOf(result.rr ?? ""),
    key_testing: flags.includes("y"),
    signed_headers: [...new Set(signed)].filter((name) => name !== ""),
    signed_at: secondsOf(result.signTime),
    expires_at: secondsOf(result.expiresAfter),
    signature: result.id ?? "",
    ...proofOf(result, keys),
  };
}

/** The evidence that a signature was valid, for whoever checks it later. */
function proofOf(
  { status, rr, signature, signingHeaders, bodyHash }: DKIMResult,
  keys: Pick<KeyReader, "spkiOf">,
): { proof?: DkimProof } {
  const { canonicalizedHeader: header } = (signingHeaders ?? {}) as { canonicalizedHeader?: string };
  const key = keys.spkiOf(rr ?? "");
  if (status.result !== "pass" || key === null || !signature || header === undefined || !bodyHash) return {};
  const header_hash = createHash("sha256").update(Buffer.from(header, "base64")).digest("hex");
  const body_hash = Buffer.from(bodyHash, "base64").toString("hex");
  return { proof: { key, signature: signature.replace(/\s/g, ""), header_hash, body_hash } };
}

function keyFlags(record: string): string[] {
  const flags = /(?:^|;)\s*t\s*=\s*([^;]*)/i.exec(record)?.[1] ?? "";
  return flags.split(":").map((flag) => flag.trim().toLowerCase());
}

/** A signature that was not checked: it carries the reason and never passes. */
export function uncheckedSignature(result: "temperror" | "permerror"): DkimSignature {
  return {
    result,
    domain: "",
    identity_domain: "",
    selector: "",
    strict_identity: false,
    body_length_limited: false,
    signs_from: false,
    repeats_signed: false,
    key_bits: null,
    key_hash: null,
    key_testing: false,
    signed_headers: [],
    signed_at: null,
    expires_at: null,
    signature: "",
  };
}
