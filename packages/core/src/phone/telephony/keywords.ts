/** The request behind a keyword that anybody may text to a number. */
export type Keyword = "stop" | "start" | "help";

/** Keywords by CTIA's messaging rules, and in French for Canada; "revoke" and "opt out" by the FCC's order of 2024. */
const KEYWORDS = new Map<string, Keyword>([
  ...["STOP", "STOPALL", "STOP ALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT"].map(
    (word) => [word, "stop"] as const,
  ),
  ...["REVOKE", "OPTOUT", "OPT OUT", "ARRET"].map((word) => [word, "stop"] as const),
  ...["START", "YES", "UNSTOP"].map((word) => [word, "start"] as const),
  ...["HELP", "INFO"].map((word) => [word, "help"] as const),
]);

/** Longer texts are never keywords. */
const MAX_CHARS = 40;
const ACCENTS = /\p{M}/gu;
const FORMATTING = /\p{Cf}/gu;
const BETWEEN_WORDS = /[\s\p{P}\p{S}]+/gu;

/**
 * Returns the keyword that a whole text consists of, in any case and punctuation, such as `Opt-out.`; undefined for
 * all other texts.
 */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const plain = text.normalize("NFKD").replace(ACCENTS, "").replace(FORMATTING, "");
  return KEYWORDS.get(plain.replace(BETWEEN_WORDS, " ").trim().toUpperCase());
}

/** Returns the reply to a keyword, where the provider doesn't send one itself. `name` is the inbox's, for people. */
export function keywordReply(keyword: Keyword, name: string): string {
  switch (keyword) {
    case "stop":
      return `${name}: you will get no more text messages from this number. Reply START to get them again.`;
    case "start":
      return `${name}: you can get text messages from this number again. Reply STOP to stop them.`;
    case "help":
      return `${name}: reply STOP to get no more text messages from this number. Message and data rates may apply.`;
  }
}
