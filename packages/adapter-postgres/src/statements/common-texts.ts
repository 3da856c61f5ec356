/** Texts of statements by key; undefined while a key is rare, or where there are too many. */
export type CommonTexts = (key: string, build: () => string) => string | undefined;

/**
 * The number of uses after which a text counts as common: at first, planning a merged statement costs more than it
 * saves.
 */
const COMMON_AFTER = 3;
/** The maximum number of keys counted before some are common. */
const MAX_COUNTED = 1_000;

/** Builds and keeps up to `max` texts of statements that come often; each stays prepared on every connection. */
export function createCommonTexts(max: number): CommonTexts {
  const counted = new Map<string, number>();
  const texts = new Map<string, string>();

  return (key, build) => {
    const known = texts.get(key);
    if (known !== undefined) return known;
    if (texts.size >= max) return undefined;
    const count = (counted.get(key) ?? 0) + 1;
    if (counted.size >= MAX_COUNTED) counted.clear();
    counted.set(key, count);
    if (count <= COMMON_AFTER) return undefined;
    const text = build();
    texts.set(key, text);
    counted.delete(key);
    return text;
  };
}

/** Numbers texts from 0, so that keys made of many of them stay short. */
export function createTextNumbers(): (text: string) => number {
  const numbers = new Map<string, number>();
  return (text) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}
