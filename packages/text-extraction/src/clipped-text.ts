/** A text, and whether it was truncated. */
export interface ClippedText {
  text: string;
  truncated: boolean;
}

/** Collects text up to a maximum length. */
export interface TextCollector {
  /** Appends text; anything over the maximum is dropped. */
  write(text: string): void;
  /** Whether more text would be dropped. */
  full(): boolean;
  take(): ClippedText;
}

/** Collects up to `max` characters (UTF-16 code units). */
export function collectText(max: number): TextCollector {
  const pieces: string[] = [];
  let length = 0;
  return {
    write(text) {
      if (length <= max) pieces.push(text.length > max - length + 1 ? text.slice(0, max - length + 1) : text);
      length += text.length;
    },
    full: () => length > max,
    take: () => clipText(pieces.join(""), max),
  };
}

/**
 * The first `max` characters of a text, without NUL and unpaired surrogates. White space alone becomes the
 * empty string.
 */
export function clipText(text: string, max: number): ClippedText {
  const clean = text.replaceAll("\0", "");
  if (clean.trim() === "") return { text: "", truncated: clean.length > max };
  if (clean.length <= max) return { text: clean.toWellFormed(), truncated: false };
  const end = /[\uD800-\uDBFF]/.test(clean.charAt(max - 1)) ? max - 1 : max;
  return { text: clean.slice(0, end).toWellFormed(), truncated: true };
}
