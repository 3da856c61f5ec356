import { useCallback } from "preact/hooks";
import { useHashLocation } from "wouter-preact/use-hash-location";

/** What is kept of a place in the browser's history. */
interface Entry {
  /** Tells it from all others. */
  key: string;
  /** The address that one came from, within the console; null where it was opened by itself. */
  from: string | null;
}

/** What stands after `#`: a path, and perhaps a question mark and how the view is set. */
const whole = (): string => location.hash.slice(1) || "/";
const pathOf = (address: string): string => address.split("?")[0] ?? "";

const entryOf = (state: unknown): Entry | null =>
  typeof state === "object" && state !== null && "key" in state ? (state as Entry) : null;

/**
 * Calls `follow` with the key of each place as it is entered, first of this one, and whether one was there before.
 * Before anything else follows the address: what is shown of a place comes after.
 */
export function followPlaces(follow: (key: string, known: boolean) => void): void {
  let here = whole();
  let last: string | undefined;
  const enter = () => {
    const known = entryOf(history.state);
    // The browser makes places without a key: after a press on a plain link, or at first.
    const entry = known ?? { key: crypto.randomUUID(), from: last === undefined ? null : here };
    if (known === null) history.replaceState(entry, "");
    here = whole();
    if (entry.key === last) return;
    last = entry.key;
    follow(entry.key, known !== null);
  };
  addEventListener("popstate", enter);
  addEventListener("hashchange", enter);
  enter();
}

type Navigate = (to: string, options?: { replace?: boolean }) => void;

/** Goes to an address of the console; `replace`: in the place of this one, which one then doesn't come back to. */
const navigate: Navigate = (to, { replace = false } = {}) => {
  const oldURL = location.href;
  const url = `#${to}`;
  if (replace) history.replaceState(history.state, "", url);
  else history.pushState(null, "", url);
  dispatchEvent(new HashChangeEvent("hashchange", { oldURL, newURL: location.href }));
};

/** The router's location: the path after `#`. What a question mark sets of the view is left to `useSetting`. */
export function useHashPath(): [string, Navigate] {
  const [address] = useHashLocation();
  return [pathOf(address), navigate];
}
useHashPath.hrefs = (href: string): string => `#${href}`;

/** Goes to an address: back in history where one came from there, so that it is as one left it. */
export function goBack(href: string): void {
  const from = entryOf(history.state)?.from;
  if (typeof from === "string" && pathOf(from) === href) history.back();
  else navigate(href);
}

/** An address with settings of its view. */
export function withSettings(path: string, settings: Readonly<Record<string, string>>): string {
  const set = new URLSearchParams(Object.entries(settings).filter(([, value]) => value !== ""));
  return set.size === 0 ? path : `${path}?${set}`;
}

/**
 * How a view is set (which filter is on, which form of a mail is shown), kept in the address: whoever gets the link
 * sees the same. What is `first` isn't written there, and what is none of its values counts as `first`.
 */
export function useSetting<T extends string>(
  name: string,
  first: T,
  isOne?: (value: string) => value is T,
): [T, (value: T) => void] {
  const [address] = useHashLocation();
  const found = new URLSearchParams(address.split("?")[1] ?? "").get(name) ?? first;
  const change = useCallback(
    (value: T) => {
      const [path = "", settings = ""] = whole().split("?");
      const set = {
        ...Object.fromEntries(new URLSearchParams(settings)),
        [name]: value === first ? "" : value,
      };
      navigate(withSettings(path, set), { replace: true });
    },
    [name, first],
  );
  return [isOne === undefined || isOne(found) ? (found as T) : first, change];
}
