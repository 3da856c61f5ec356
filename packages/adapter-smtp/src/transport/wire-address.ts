import { domainToASCII } from "node:url";

const MAX_LOCAL_BYTES = 64;
const MAX_ADDRESS_BYTES = 254;

/**
 * An address for MAIL FROM and RCPT TO (RFC 5321 section 4.1.2), its domain in ASCII; null unless it is
 * exactly one plain address. Libraries that accept a list here would read `a@example.com, b@example.com` as
 * two.
 */
export function toWireAddress(address: string): string | null {
  const match = /^([^\s<>()[\]\\,;:"@\x00-\x1f\x7f]+)@([^\s<>()\\,;:"@\x00-\x1f\x7f]+)$/.exec(address);
  const domain = domainToASCII(match?.[2] ?? "");
  const local = match?.[1] ?? "";
  if (domain === "" || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return null;
  const wire = `${local}@${domain}`;
  return Buffer.byteLength(wire) > MAX_ADDRESS_BYTES ? null : wire;
}
