import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export function signal<T>(initial: T) {
  let value = initial;
  const followers = new Set<(value: T) => void>();
  return {
    get: () => value,
    set(next: T) {
      value = next;
      for (const follow of followers) follow(next);
    },
    use(): T {
      const [seen, setSeen] = useState(value);
      useEffect(() => {
        followers.add(setSeen);
        return () => void followers.delete(setSeen);
      }, []);
      return seen;
    },
  };
}
