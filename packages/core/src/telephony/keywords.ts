/** What a text asks for that is one of the words that everybody may text to a number. */
export type Keyword = "stop" | "start" | "help";

/** By CTIA's rules for messaging, and in French for Canada; "revoke" and "opt out" since the FCC's order of 2024. */
const KEYWORDS = new Map<string, Keyword>([
  ...["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT", "ARRET"].map(
    (word) => [word, "stop"] as const,
  ),
  ...["START", "YES", "UNSTOP"].map((word) => [word, "start"] as const),
  ...["HELP", "INFO"].map((word) => [word, "help"] as const),
]);

/** Longer texts are no keyword, whatever they hold. */
const MAX_CHARS = 40;
const ACCENTS = /\p{M}/gu;
const AROUND = /^[\s\p{P}\p{S}\p{Cf}]+|[\s\p{P}\p{S}\p{Cf}]+$/gu;

/** The keyword that a whole text is, in any case, with blanks and punctuation around it; undefined for all other texts. */
export function keywordOf(text: string): Keyword | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const word = text.normalize("NFKD").replace(ACCENTS, "").replace(AROUND, "").toUpperCase();
  return KEYWORDS.get(word);
}

/** What a keyword is answered with, where the provider doesn't answer it itself. `name` is the inbox's, for people. */
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
