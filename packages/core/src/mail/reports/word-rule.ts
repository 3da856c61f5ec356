/** A way of saying why a mail was refused. */
export interface WordRule {
  /** The reason in one word. */
  reason: string;
  /** Whether nothing will ever arrive at the address. */
  hard: boolean;
  /** Why it is hard or not. */
  why: string;
  /** The wordings of the big providers and servers; the case of letters doesn't matter. */
  words: readonly RegExp[];
}
