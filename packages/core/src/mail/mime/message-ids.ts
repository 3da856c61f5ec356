/** Longer chains are stored and sent with the first reference (the root of the thread) and the latest ones. */
export const MAX_REFERENCES = 100;
/** The references that are read of a mail, to find those that are ours. */
export const MAX_REFERENCES_READ = 1_000;
/**
 * Longer identifiers are ignored: a line has at most 998 octets (RFC 6532, section 3.4), and database indexes
 * are limited too.
 */
const MAX_MESSAGE_ID_BYTES = 998;
const MAX_SOURCE_CHARS = 120_000;

/** One identifier and nothing else, so short that its bytes need not be counted. */
const PLAIN_ID = /^<[^<>\s\x00-\x1f\x7f]{1,300}>$/;

/**
 * The Message-IDs of a header value, in angle brackets, in order and without duplicates (RFC 5322 section
 * 3.6.4).
 */
export function readMessageIds(value: string): string[] {
  if (value === "") return [];
  if (PLAIN_ID.test(value)) return [value];
  const source = value.slice(0, MAX_SOURCE_CHARS);
  const bracketed = [...source.matchAll(/<([^<>]+)>/g)].map((match) => match[1] ?? "");
  const found =
    bracketed.length > 0 ? bracketed : source.split(/[\s,;<>]+/).filter((word) => word.includes("@"));
  const ids = found
    .map((id) => id.replace(/[\s\x00-\x1f\x7f]+/g, ""))
    .filter((id) => id !== "" && Buffer.byteLength(id) <= MAX_MESSAGE_ID_BYTES - 2);
  return [...new Set(ids.map((id) => `<${id}>`))];
}

/** At most `max` of a References chain: the first one and the last ones. */
export function boundReferences(ids: string[], max = MAX_REFERENCES): string[] {
  return ids.length <= max ? ids : [...ids.slice(0, 1), ...ids.slice(1 - max)];
}
