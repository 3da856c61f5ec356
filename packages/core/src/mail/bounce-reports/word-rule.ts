/** A reason for refusing a mail, and its wordings. */
export interface WordRule {
  /** The reason in one word. */
  reason: string;
  /** Whether the address will never accept mail. */
  hard: boolean;
  /** Why it is hard or not. */
  why: string;
  /** The wordings of big providers and servers; case doesn't matter. */
  words: readonly RegExp[];
}
