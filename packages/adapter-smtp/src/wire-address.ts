import { domainToASCII } from "node:url";

const MAX_LOCAL_BYTES = 64;
const MAX_ADDRESS_BYTES = 254;

/**
 * An address as it goes into MAIL FROM and RCPT TO (RFC 5321 section 4.1.2): the domain in ASCII, or null for
 * what isn't exactly one plain address. Libraries that read a list here would take `a@example.com,
 * b@example.com` for two.
 */
export function toWireAddress(address: string): string | null {
  const match = /^([^\s<>()[\]\\,;:"@\x00-\x1f\x7f]+)@([^\s<>()\\,;:"@\x00-\x1f\x7f]+)$/.exec(address);
  const domain = domainToASCII(match?.[2] ?? "");
  const local = match?.[1] ?? "";
  if (domain === "" || Buffer.byteLength(local) > MAX_LOCAL_BYTES) return null;
  const wire = `${local}@${domain}`;
  return Buffer.byteLength(wire) > MAX_ADDRESS_BYTES ? null : wire;
}
