/** Messages counted; beyond that the oldest is forgotten, and may fail temporarily again. */
const MAX_COUNTED = 10_000;

/**
 * Counts how often each message failed in one kind of task; resolves with the number so far. Only the hash of
 * a message is kept, in memory: after a restart it may fail temporarily again.
 */
export function createFailureCount(max = MAX_COUNTED): (kind: string, raw: Uint8Array) => Promise<number> {
  const counts = new Map<string, number>();
  return async (kind, raw) => {
    // On a thread of the pool: hashing a large message takes longer than the event loop may be held.
    const hash = await crypto.subtle.digest("SHA-256", raw);
    const key = `${kind} ${Buffer.from(hash).toString("base64")}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.delete(key);
    counts.set(key, count);
    const oldest = counts.keys().next();
    if (counts.size > max && !oldest.done) counts.delete(oldest.value);
    return count;
  };
}
