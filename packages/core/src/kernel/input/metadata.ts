import { z } from "zod";
import { fail } from "../../catalogue/errors.ts";
import { LIMITS } from "../../catalogue/limits.ts";
import { withFewKeys } from "../../model/fields.ts";
import type { InboxRecord } from "../../model/inboxes.ts";

const MetadataValue = z.union([z.string(), z.number(), z.boolean()], { error: "invalid_metadata" });
/** The metadata of a new record as input. */
export const Metadata = withFewKeys(
  z.record(z.string(), MetadataValue, { error: "invalid_metadata" }),
  "invalid_metadata",
);
/** A change of metadata: null removes a key. */
export const MetadataChange = withFewKeys(
  z.record(z.string(), MetadataValue.nullable(), { error: "invalid_metadata" }),
  "invalid_metadata",
);

/**
 * Merges a change into metadata; a null value removes its key. Fails with `invalid_metadata` beyond the
 * limits.
 */
export function mergeMetadata(
  before: InboxRecord["metadata"],
  change: Record<string, string | number | boolean | null>,
): InboxRecord["metadata"] {
  const merged = new Map<string, string | number | boolean>(Object.entries(before));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  const metadata = Object.fromEntries(merged);
  if (merged.size > LIMITS.metadata_keys) throw fail("invalid_metadata", { param: "metadata" });
  if ([...merged.keys()].some((key) => key.length > LIMITS.metadata_key_chars))
    throw fail("invalid_metadata", { param: "metadata" });
  if (Buffer.byteLength(JSON.stringify(metadata)) > LIMITS.metadata_json_bytes)
    throw fail("invalid_metadata", { param: "metadata" });
  return metadata;
}
