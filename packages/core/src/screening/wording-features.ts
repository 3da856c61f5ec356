/** What of a text its wording is judged by. */
export interface WordingFeatures {
  /** Words, pairs of neighbouring words, and the signs of money and per cent, each once. */
  features: Set<string>;
  /** How many different words there are. */
  words: number;
}

/** The wording of a longer text is judged by so much of it. */
export const MAX_WORDING_CHARS = 20_000;

const TOKENS = /[a-z][a-z']{0,18}|[$£€%]|[.!?;:]/g;

/**
 * The features of a folded text (`foldText`). Quoted lines are somebody else's, and links and addresses are looked at elsewhere, so
 * neither counts. Linear in the text's length.
 */
export function wordingFeatures(folded: string): WordingFeatures {
  const features = new Set<string>();
  let words = 0;
  let last = "";
  for (const line of folded.slice(0, MAX_WORDING_CHARS).split("\n")) {
    if (/^\s{0,3}[>|]/.test(line)) continue;
    for (const [token] of withoutLinks(line).matchAll(TOKENS)) {
      if ((token.length > 1 || "$£€%".includes(token)) && !features.has(token)) {
        features.add(token);
        words += 1;
      }
      const joins = /^[a-z$%]/.test(token);
      if (joins && last !== "") features.add(`${last} ${token}`);
      last = joins ? token : "";
    }
  }
  return { features, words };
}

function withoutLinks(line: string): string {
  if (!/@|:\/\/|www\./.test(line)) return line;
  return line
    .split(/\s+/)
    .map((chunk) => (/@|:\/\/|www\./.test(chunk) ? "." : chunk))
    .join(" ");
}
