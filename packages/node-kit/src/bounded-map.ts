/** A map with at most so many entries. */
export interface BoundedMap<K, V> {
  get(key: K): V | undefined;
  /** Sets an entry, which is the newest then; drops the oldest if there are too many. */
  set(key: K, value: V): void;
  delete(key: K): void;
}

/** A map that holds `max` entries: beyond that, the one that was set longest ago is dropped. */
export function createBoundedMap<K, V>(max: number): BoundedMap<K, V> {
  const entries = new Map<K, V>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const oldest = entries.keys().next();
      if (entries.size > max && !oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => void entries.delete(key),
  };
}
