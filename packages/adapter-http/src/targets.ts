import type { Destinations } from "./destination.ts";

/** Where a request goes, or why it goes nowhere. */
export type Target = { origin: string; path: string } | { refusal: string };

/** URLs that are remembered; beyond that the oldest are read anew. */
const remembered = 1000;

/** Reads URLs by a deployment's rules, which never change: what a webhook's is need be found out once. */
export function createTargets(destinations: Destinations): (url: string) => Target {
  const known = new Map<string, Target>();
  return (url) => {
    const found = known.get(url);
    if (found !== undefined) return found;
    const [oldest] = known.keys();
    if (known.size >= remembered && oldest !== undefined) known.delete(oldest);
    const target = read(destinations, url);
    known.set(url, target);
    return target;
  };
}

function read(destinations: Destinations, url: string): Target {
  const refusal = destinations.refusal(url);
  if (refusal !== null) return { refusal };
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}
